/* How a board gets from one entry to the next: cards travel, turn and fall, figures count, an arrow shows
   an attack. Nothing moves where nobody wants it; the next step ends what still moves. */

const MOVE = 240;
const EASING = "cubic-bezier(0.2, 0.8, 0.3, 1)";
/* With more cards than these the board is another one: nothing travels. */
const MOST = 24;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";

/* What is where, before the next board is put in; null: nothing is to move. */
export function before(element) {
  if (still.matches || !element.firstElementChild) return null;
  const cards = new Map();
  for (const one of element.querySelectorAll("[data-card]")) {
    if (one.closest(".rest")) continue;
    cards.set(one.dataset.card, { ...box(one), name: nameOf(one), side: sideOf(one) });
  }
  const counts = new Map();
  for (const one of element.querySelectorAll(".zone[data-place]")) {
    counts.set(one.dataset.place, { ...box(one), n: countOf(one), side: sideOf(one) });
  }
  const held = [...element.querySelectorAll(".side .held b")].map((one) => one.textContent);
  const figures = new Map(figuresOf(element).map(([key, one]) => [key, one.textContent]));
  return { cards, counts, held, figures };
}

const running = [];
const ticking = new Map(); // by element: the figure that it comes to

/* Ends what still moves. */
export function settle(element) {
  for (const one of running.splice(0)) one.cancel();
  for (const one of element.ownerDocument.querySelectorAll(".board-jump")) one.remove();
  for (const zone of element.querySelectorAll(".zone.above")) zone.classList.remove("above");
  for (const [one, figure] of ticking) one.textContent = figure;
  ticking.clear();
}

/* The figures of cards, each with its card and what it is. */
function figuresOf(element) {
  const key = (one) => `${one.closest("[data-card]").dataset.card} ${one.parentElement.classList[1]}`;
  const found = element.querySelectorAll("[data-card] > .face > .figures b:not(.pips)");
  return [...found].map((one) => [key(one), one]);
}

/* Moves what is elsewhere now. All that is read is read before anything is written: one layout. */
export function after(element, was) {
  const draw = aim(element);
  if (!was) {
    draw();
    return;
  }
  const now = [...element.querySelectorAll("[data-card]")].filter((one) => !one.closest(".rest"));
  const there = new Set(now.map((one) => one.dataset.card));
  const gone = [...was.cards].filter(([card]) => !there.has(card)).map(([, one]) => one);
  const boxes = now.map((one) => [one, box(one)]);
  const held = [...element.querySelectorAll(".side .held b")]
    .map((one, n) => [one, was.held[n]])
    .filter(([one, text]) => one.textContent !== text)
    .map(([one, text]) => [one, text, box(one)]);
  const moves = boxes.filter(([one, is]) => differ(was.cards.get(one.dataset.card), is));
  draw();
  if (moves.length <= MOST) {
    for (const [one, is] of moves) {
      const from = was.cards.get(one.dataset.card) || origin(element, one, gone, was.counts);
      if (from) travel(one, from, is);
    }
  }
  for (const [one, text, is] of held) {
    jump(one, text, is);
    tick(one, text);
  }
  for (const [key, one] of figuresOf(element)) tick(one, was.figures.get(key));
}

/* A figure counts from what it was to what it is. */
function tick(one, was) {
  const [from, to] = [Number(was), Number(one.textContent)];
  if (was === undefined || from === to || Number.isNaN(from + to)) return;
  const text = one.textContent;
  const begun = performance.now();
  const step = (now) => {
    if (ticking.get(one) !== text) return;
    const part = Math.min(1, Math.max(0, now - begun) / MOVE);
    one.textContent = part < 1 ? String(Math.round(from + (to - from) * part)) : text;
    if (part < 1) requestAnimationFrame(step);
    else ticking.delete(one);
  };
  ticking.set(one, text);
  one.textContent = was;
  requestAnimationFrame(step);
}

function box(one) {
  const { left, top, width, height } = one.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
}

const nameOf = (one) => one.querySelector(".name").textContent;
const sideOf = (one) => one.closest(".side")?.dataset.seat;
const countOf = (zone) => Number(zone.querySelector(".count")?.textContent || 0);

function differ(was, is) {
  return !was || Math.abs(was.x - is.x) + Math.abs(was.y - is.y) + Math.abs(was.width - is.width) > 3;
}

/* Where a card with a new number comes from: one of its name that is gone, or a zone that has fewer. */
function origin(element, one, gone, counts) {
  const name = nameOf(one);
  const at = gone.findIndex((other) => other.name === name);
  if (at >= 0) return gone.splice(at, 1)[0];
  const place = one.closest("[data-place]")?.dataset.place;
  for (const zone of element.querySelectorAll(".zone[data-place]")) {
    const was = counts.get(zone.dataset.place);
    if (zone.dataset.place === place || !was || was.side !== sideOf(one)) continue;
    if (countOf(zone) < was.n) return { ...was, width: 0 };
  }
  return null;
}

function travel(one, from, is) {
  const turned = from.width > from.height * 1.05 !== is.width > is.height * 1.05;
  const scale = from.width ? (turned ? from.height : from.width) / is.width : 0.6;
  const turn = turned && from.width ? (is.width > is.height ? "rotate(-90deg)" : "rotate(90deg)") : "";
  const start = `translate(${from.x - is.x}px, ${from.y - is.y}px) ${turn} scale(${scale})`;
  const moving = play(one, [{ transform: start }, { transform: "none" }]);
  const zone = one.closest(".zone");
  if (!zone) return;
  zone.classList.add("above");
  moving.onfinish = () => zone.classList.remove("above");
}

function play(one, frames) {
  const moving = one.animate(frames, { duration: MOVE, easing: EASING });
  running.push(moving);
  return moving;
}

/* A figure that is another, with by how much beside it. */
function jump(one, was, { x, y }) {
  const more = Number(one.textContent) - Number(was);
  if (!more || Number.isNaN(more)) return;
  play(one, [{ transform: "scale(1.5)" }, { transform: "none" }]);
  const sign = document.createElement("b");
  sign.className = `board-jump ${more < 0 ? "less" : "more"}`;
  sign.ariaHidden = "true";
  sign.textContent = more < 0 ? `−${-more}` : `+${more}`;
  sign.style.left = `${x}px`;
  sign.style.top = `${y}px`;
  document.body.append(sign);
  const fall = more < 0 ? "1.5rem" : "-1.5rem";
  const frames = [{ opacity: 1 }, { opacity: 0, translate: `0 ${fall}` }];
  const moving = sign.animate(frames, { duration: 4 * MOVE, easing: "ease-out" });
  moving.onfinish = moving.oncancel = () => sign.remove();
}

/* The arrow of an attack, from the card that attacks to what it attacks. */
export function arrow(element) {
  aim(element)();
}

/* Reads where the arrow goes; what draws it. */
function aim(element) {
  const nothing = () => {};
  element.querySelector(":scope > svg.attack-arrow")?.remove();
  const attacker = element.querySelector(".attacking > .face");
  if (!attacker || !element.querySelector(".now .attack")) return nothing;
  const side = attacker.closest(".side");
  const target = element.querySelector(".attacked > .face")
    || [...element.querySelectorAll(".side")].find((one) => one !== side)?.querySelector(".who");
  if (!side || !target) return nothing;
  const around = element.getBoundingClientRect();
  const [a, b] = [box(attacker), box(target)];
  const down = b.y > a.y ? 1 : -1;
  const [x1, y1] = [a.x - around.left, a.y - around.top + (down * a.height) / 2];
  const [x2, y2] = [b.x - around.left, b.y - around.top - (down * b.height) / 2];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "attack-arrow");
  svg.setAttribute("aria-hidden", "true");
  const bend = (y2 - y1) / 2;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - down * 10}`);
  const head = document.createElementNS(SVG, "path");
  head.setAttribute("class", "head");
  head.setAttribute("d", `M${x2} ${y2}l-9 ${-down * 16}h18z`);
  svg.append(path, head);
  return () => element.append(svg);
}
