/* Boards in a page: puts the next one in place of the last, and marks what is different.

   A board is a fragment that the server drew. Tiles bear their card's number, zones their place. */

import * as motion from "./motion.js";

/* The marks of tiles, and how long they stay: see board.css. */
const MARKS = ["arrived", "moved", "turned", "changed"];
const MARKED = 1200;

/* The tile of a card within an element; null where it is not to be seen. */
export function tile(element, number) {
  return element.querySelector(`[data-card="${Number(number)}"]`);
}

/* The zone of a place within an element; null where it is not drawn. */
export function zone(element, place) {
  return element.querySelector(`[data-place="${CSS.escape(place)}"]`);
}

/* Show a board. Unless `mark` is false, tiles that are new, lie elsewhere, are turned or have other
   figures are marked for a moment. Whoever had a card in focus, or a pile open, has it still.
   Answers with the numbers of what was marked. */
export function show(element, html, options) {
  const put = () => {
    element.innerHTML = html;
  };
  return change(element, put, options);
}

/* The same for a page that puts the next board into the element itself: `put` does. */
export function change(element, put, { mark = true } = {}) {
  motion.settle(element);
  const before = mark ? seen(element) : new Map();
  const was = mark ? motion.before(element) : null;
  const kept = held(element);
  put();
  restore(element, kept);
  motion.after(element, was);
  return before.size ? marked(element, before) : [];
}

function seen(element) {
  const found = new Map();
  for (const one of element.querySelectorAll("[data-card]")) {
    found.set(one.dataset.card, state(one));
  }
  return found;
}

function state(one) {
  const place = one.closest("[data-place]");
  const host = one.parentElement.closest("[data-card]");
  const face = one.querySelector(".face");
  const figures = face.querySelector(".figures");
  const counters = face.querySelector(".counters");
  return {
    where: `${place ? place.dataset.place : ""} ${host ? host.dataset.card : ""}`,
    lies: [...one.classList].filter((name) => name.startsWith("turn-") || name === "down").join(" "),
    figures: `${figures ? figures.textContent : ""} ${counters ? counters.textContent : ""}`,
  };
}

function marked(element, before) {
  const found = [];
  for (const one of element.querySelectorAll("[data-card]")) {
    const name = difference(before.get(one.dataset.card), state(one));
    if (name) {
      one.classList.add(name);
      found.push(one);
    }
  }
  setTimeout(() => found.forEach((one) => one.classList.remove(...MARKS)), MARKED);
  return found.map((one) => Number(one.dataset.card));
}

function difference(was, is) {
  if (!was) return "arrived";
  if (was.where !== is.where) return "moved";
  if (was.lies !== is.lies) return "turned";
  return was.figures === is.figures ? "" : "changed";
}

/* The state to keep over an update: the card, zone or pile in focus, and the piles that are open. */
function held(element) {
  const open = [...element.querySelectorAll("details[open]")].map((one) => placeOf(one));
  const focused = document.activeElement;
  if (!focused || focused === element || !element.contains(focused)) return { open };
  const card = focused.closest("[data-card]");
  return {
    open,
    card: card ? card.dataset.card : "",
    place: placeOf(focused),
    summary: focused.tagName === "SUMMARY",
    face: focused.classList.contains("face"),
  };
}

function placeOf(one) {
  const found = one.closest("[data-place]");
  return found ? found.dataset.place : "";
}

function restore(element, kept) {
  for (const place of kept.open) {
    const details = place && zone(element, place) && zone(element, place).querySelector("details");
    if (details) details.open = true;
  }
  if (!kept.card && !kept.place) return;
  const there = kept.place ? zone(element, kept.place) : null;
  const summary = kept.summary && there ? there.querySelector("summary") : null;
  const card = kept.card ? tile(element, kept.card) : null;
  const target = summary || (card && kept.face ? card.querySelector(".face") : card) || there;
  if (!target) return;
  if (!summary && !target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
