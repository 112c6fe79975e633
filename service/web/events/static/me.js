/* A player's page of an event: his list, and his pool, are checked as he types. */

import { spoken } from "../layout/language.js";

/** Milliseconds after the last key before it is checked. */
const PAUSE = 400;

/** Checks what is typed in a form, from then on. */
function checked(form) {
  const text = form.querySelector("textarea");
  const state = { timer: 0, running: null };
  text.addEventListener("input", () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => check(form, text, state), PAUSE);
  });
}

/** Shows what the service reads in the text of a form, or that it can't be asked. */
async function check(form, text, state) {
  const found = form.querySelector("[data-failed]");
  state.running?.abort();
  state.running = new AbortController();
  if (!text.value.trim()) {
    found.replaceChildren();
    return;
  }
  try {
    const body = new URLSearchParams({ [text.name]: text.value });
    const response = await fetch(spoken(form.dataset.check), { method: "POST", body, signal: state.running.signal });
    const page = await response.text();
    if (response.status === 401) location.reload();
    if (!response.ok) throw new Error(String(response.status));
    found.replaceChildren(...new DOMParser().parseFromString(page, "text/html").body.childNodes);
  } catch (error) {
    if (error.name !== "AbortError") found.textContent = found.dataset.failed;
  }
}

document.querySelectorAll("form[data-check]").forEach(checked);
document.documentElement.dataset.ready = "1";
