/* Shared by the modules of the seat's page: match and seat, requests to this site, and messages. */

import { Refused, dataOf } from "../layout/api.js";
import { lang } from "../layout/language.js";

export const page = document.getElementById("seat");
export const part = (id) => document.getElementById(id);
export const [board, ask, sheet, note, live, head, lines] = ["board", "ask", "sheet", "note", "live", "head", "lines"].map(part);
export const say = part("say").dataset;
export const { match, view } = page.dataset;
export const seat = Number(page.dataset.seat);
export const whose = page.dataset.own === "yes" ? {} : { seat };
export const query = new URLSearchParams({ lang, ...whose });

/** The cards of a real table that were named for the open decision, by number. */
export let names = {};
let announced = "";

/** States which cards are which; nothing: none is. */
export function state(found) {
  names = found;
  const text = Object.entries(names).map(([number, card]) => `${number}:${card}`).join(",");
  if (text) query.set("names", text);
  else query.delete("names");
}

/** The answer of a route of this page; throws `Refused`. */
export async function fetched(path, body) {
  const response = await fetch(`/seat/${match}${path}?${query}`, {
    method: body ? "POST" : "GET",
    headers: body ? { "content-type": "application/json" } : {},
    body: body && JSON.stringify(body),
    credentials: "same-origin",
  }).catch(() => {
    throw new Refused(0, {});
  });
  return dataOf(response);
}

/** A fragment of the match as this seat sees it; throws `Refused`. */
export async function fragment(path) {
  const address = `/m/${match}/as/${view}/${path}${lang === "en" ? "" : `?lang=${lang}`}`;
  const response = await fetch(address, { credentials: "same-origin", headers: { accept: "text/html" } }).catch(() => null);
  if (!response || response.status === 429 || response.status >= 500) throw new Refused(0, {});
  if (!response.ok) return "";
  return response.text().catch(() => {
    throw new Refused(0, {});
  });
}

/** Shows the player a sentence, until there is another. */
export function tell(text, kind = "") {
  note.textContent = text;
  note.className = `note ${kind}`;
  note.hidden = !text;
}

/** Has a screen reader say what is asked now, once. */
export function announce(text) {
  if (text === announced) return;
  announced = text;
  live.textContent = text;
}

/** Finds the control of a setting in the next fragment: it is used more than once. */
function sameAs({ name, value }) {
  return name ? `[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]` : "";
}

let showing = "";

/** Shows a fragment of what is asked; one that is shown already is left alone, and so is what is touched in it. */
export function show(html) {
  if (html === showing) return;
  showing = html;
  const had = document.activeElement;
  const inside = ask.contains(had) || had === document.body;
  const same = inside && had.dataset.do ? sameAs(had) : "";
  const open = Boolean(ask.querySelector(".switch[open]")); // which is set in more than one step
  ask.innerHTML = html;
  for (const one of ask.querySelectorAll(".switch")) one.open = open;
  page.dataset.shown = Number(page.dataset.shown || 0) + 1;
  ask.scrollTop = 0;
  sheet.scrollTop = 0;
  if (!inside) return;
  const kept = same && ask.querySelector(same);
  if (kept) return kept.focus({ preventScroll: true });
  const first = ask.querySelector(".steps-row .main, .can button, #typed, .choices button, .row .main");
  if (first && !first.closest("details:not([open])")) first.focus({ preventScroll: true });
}

/** Notes that the display was changed by a script: the same fragment will be shown again. */
export function altered() {
  showing = "";
}
