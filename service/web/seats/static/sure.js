/* Ask once more before something, and for a text with it. */

import { Refused } from "../layout/api.js";
import { part } from "./table.js";

let asking = Promise.resolve();

/** Asks once more before something; resolves to whether it is meant. One thing after the other. */
export function sure(...what) {
  asking = asking.catch(() => {}).then(() => asked(...what));
  return asking;
}

/** With `check`, what is typed has to pass it, or why it does not is shown at the field: `Refused`. */
function asked(text, more = "", { check = null, ...field } = {}) {
  const dialog = part("sure");
  part("sure-text").textContent = text;
  part("sure-more").innerHTML = "";
  if (more) {
    const label = document.createElement("label");
    label.textContent = `${more} `;
    const input = document.createElement("input");
    input.id = "sure-input";
    input.maxLength = 200;
    input.required = Boolean(check);
    for (const [name, value] of Object.entries(field)) input.setAttribute(name, value);
    label.append(input);
    part("sure-more").append(label, fault(input));
  }
  return new Promise((resolve) => {
    dialog.returnValue = "no";
    part("sure-form").onsubmit = check && ((event) => checked(event, check));
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
  });
}

/** The place for what is wrong with what is typed: gone with the next letter. */
function fault(input) {
  const place = document.createElement("p");
  place.id = "sure-fault";
  place.setAttribute("role", "alert");
  input.setAttribute("aria-describedby", place.id);
  input.addEventListener("input", () => wrong(""));
  return place;
}

function wrong(text) {
  part("sure-fault").textContent = text;
  part("sure-input").setAttribute("aria-invalid", String(Boolean(text)));
}

/** Closes the dialog once what was typed passes; until then it is not sent twice. */
async function checked(event, check) {
  if (event.submitter && event.submitter.value === "no") return;
  event.preventDefault();
  const input = part("sure-input");
  if (input.readOnly) return;
  input.readOnly = true;
  try {
    await check(answered());
    if (input.isConnected && part("sure").open) part("sure").close("yes");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!input.isConnected) return;
    wrong(error.message);
    input.focus();
    input.select();
  } finally {
    input.readOnly = false;
  }
}

/** The text that was asked for. */
export const answered = () => (part("sure-input") ? part("sure-input").value.trim() : "");
