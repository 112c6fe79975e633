/* What a card says, over the page: of links to cards (`a.card`), and of cards on a board by number.

   Resting on it with a mouse shows it until the mouse leaves; a click on a link, a long touch, or
   the key i shows it until it is shut. Which card a number is, is asked of the viewer's position.
   What it is about is in the page (`cards/over.html`). */

import { lang } from "../layout/language.js";

const about = document.getElementById("cards-over").dataset;

const REST = 350;

/** The addresses of what cards say, by number, at a board's entry: they never change. */
const positions = new Map();

function known() {
  const board = document.querySelector("article.board, #table");
  const address = `${about.path}/at/${board ? board.dataset.seq : 0}.json`;
  if (!positions.has(address)) {
    const found = fetch(address, { credentials: "same-origin" }).then((one) => one.json());
    positions.set(address, found.then(addresses).catch(() => positions.delete(address) && new Map()));
    if (positions.size > 8) positions.delete(positions.keys().next().value);
  }
  return positions.get(address);
}

function addresses({ position }) {
  const own = new Set((position.heading.prints || []).map((text) => JSON.parse(text).id));
  const address = (id) => (own.has(id) ? `${about.path}/card/` : `/cards/${encodeURIComponent(about.game)}/`) + encodeURIComponent(id);
  return new Map(position.cards.filter((one) => one.id).map((one) => [String(one.number), address(one.id)]));
}

let shown = null;
let wanted = null;

function over() {
  if (shown) return shown;
  shown = document.createElement("aside");
  shown.id = "card-over";
  shown.hidden = true;
  shown.tabIndex = -1;
  shown.setAttribute("role", "dialog");
  shown.setAttribute("aria-label", about.title);
  const shut = document.createElement("button");
  shut.type = "button";
  shut.className = "shut";
  shut.textContent = "×";
  shut.setAttribute("aria-label", about.shut);
  shut.addEventListener("click", () => close());
  const inside = document.createElement("div");
  shown.append(shut, inside);
  document.body.append(shown);
  return shown;
}

let from = null;

function close() {
  wanted = null;
  if (!shown || shown.hidden) return;
  const back = shown.classList.contains("stays") && shown.contains(document.activeElement) ? from : null;
  shown.hidden = true;
  if (back && back.isConnected) back.focus({ preventScroll: true });
}

async function open(element, address, stays) {
  const answer = await fetch(`${address}?part=1&lang=${lang}`, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer || !answer.ok || wanted !== element) return;
  const html = await answer.text();
  if (wanted !== element) return;
  const box = over();
  box.lastElementChild.innerHTML = html;
  box.classList.toggle("stays", stays);
  box.hidden = false;
  place(box, element.getBoundingClientRect());
  if (!stays) return;
  from = document.activeElement;
  box.focus({ preventScroll: true });
}

function place(box, at) {
  const { offsetWidth: width, offsetHeight: height } = box;
  const right = at.right + 8 + width <= window.innerWidth ? at.right + 8 : Math.max(8, at.left - 8 - width);
  box.style.left = `${right}px`;
  box.style.top = `${Math.max(8, Math.min(at.top, window.innerHeight - height - 8))}px`;
}

async function addressOf(element) {
  if (element.matches("a.card")) return element.getAttribute("href");
  return (await known()).get(element.dataset.card) || "";
}

const CARD = "a.card, [data-card]:not([data-card='0'], [data-card=''])";
const cardAt = (target) => target instanceof Element && target.closest(CARD);

async function show(element, stays) {
  wanted = element;
  const address = await addressOf(element);
  if (address && wanted === element) await open(element, address, stays);
}

let timer = 0;

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse" || (shown && shown.contains(event.target))) return;
  const element = cardAt(event.target);
  if (element === wanted && element) return;
  clearTimeout(timer);
  if (shown && !shown.hidden && shown.classList.contains("stays")) return;
  close();
  if (element) timer = setTimeout(() => show(element, false), REST);
});
document.addEventListener("pointerdown", (event) => {
  clearTimeout(timer);
  if (!shown || !shown.contains(event.target)) close();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.card");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link, true);
});
document.addEventListener("contextmenu", (event) => {
  const element = event.pointerType !== "mouse" && !event.defaultPrevented && cardAt(event.target);
  if (!element) return;
  event.preventDefault();
  show(element, true);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shown && !shown.hidden) {
    event.stopImmediatePropagation();
    return close();
  }
  if (event.isComposing || event.key !== "i" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
  const element = cardAt(event.target);
  if (element) show(element, true);
}, true);
