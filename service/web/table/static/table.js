/* The table's page: what is touched is sent to the service, which draws what follows.

   Nothing is understood here: acts come drawn, with what has to be touched for each (`data-refs`). */

import { Refused, dataOf } from "../layout/api.js";
import { countdown } from "../layout/countdown.js";
import { follow } from "../layout/follow.js";
import { lang } from "../layout/language.js";
import { patch } from "../board/patch.js";
import { Bringing } from "./bring.js";
import { Queue, store } from "./queue.js";

const page = document.getElementById("table");
const part = (id) => document.getElementById(id);
const [board, dock, parts, typed, undo, list, menu, sure] =
  ["board", "dock", "parts", "typed", "undo", "queue", "menu", "sure"].map(part);
const say = page.dataset;
const { match, near } = page.dataset;
const query = new URLSearchParams({ near, lang });
/** Milliseconds within which a second tap is not meant for what has just been drawn; for a long press. */
const SEEN = 300;
const LONG = 500;

/** Where the match is kept as it was drawn last. */
const LAST = `kifu-table-drawn/${match}/${lang}`;

let seq = Number(page.dataset.seq);
let drawn = 0;
let selected = [];
let asking = 0;
let sheet = null; // what is asked about in a sheet: a place, a card

// -- the service ----------------------------------------------------------------------------------

async function fetched(path, body, signal) {
  const response = await fetch(`/table/${match}/${path}?${query}`, {
    method: body ? "POST" : "GET",
    headers: { accept: "application/json", "content-type": body instanceof Blob ? body.type : "application/json" },
    body: body instanceof Blob ? body : body && JSON.stringify(body),
    credentials: "same-origin",
    signal,
  }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, {});
  });
  return dataOf(response);
}

function link(state) {
  page.dataset.link = state;
  listed();
}

/** Sends a tap; null: nobody knows what became of it. */
async function send(tap) {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), 8000);
  try {
    const answer = await fetched("tap", tap, timeout.signal);
    link("live");
    return answer;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) link("signin");
    else if (!(error instanceof Refused) || error.passing) link("offline");
    else return { refused: escaped(error.message) };
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const queue = new Queue(`kifu-table/${match}`, { send, answered, changed: listed });

const bringing = new Bringing({
  fetched, send, menu, at: () => seq, over: (answer) => (show(answer), tell(answer.told)),
  photographed: (text) => back().then(() => tell(text)),
});

async function look() {
  try {
    show(await fetched("now"));
    link("live");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.passing) link("offline");
  }
}

// -- what is drawn --------------------------------------------------------------------------------

function put(element, html) {
  const wanted = element.cloneNode(false);
  wanted.innerHTML = html;
  patch(element, wanted);
}

function escaped(text) {
  const span = document.createElement("p");
  span.textContent = text;
  return span.outerHTML;
}

function show(state) {
  if (!state.html || state.seq < seq) return;
  store(LAST, JSON.stringify(state));
  const news = state.seq !== seq;
  seq = state.seq;
  page.dataset.seq = seq;
  put(board, state.html.board);
  put(part("head"), state.html.head);
  put(part("lines"), state.html.lines);
  undo.disabled = !state.undo;
  undo.title = state.undo;
  undo.setAttribute("aria-label", say.undo.replace("{act}", state.undo));
  undo.querySelector("small").textContent = state.undo;
  clocks(state.clocks);
  if (news && part("lines").querySelector("li")) part("live").textContent = part("lines").querySelector("li").textContent;
  if (queue.asked) return question();
  if (typed.value.trim()) return meaning();
  if (news || !sheet) dockOf(state.html.dock);
}

function dockOf(html) {
  sheet = null;
  put(parts, html);
  drawn = performance.now();
  select([]);
}

function answered(answer, item) {
  show(answer);
  if (answer.told) tell(answer.told);
  if (answer.refused && !item.tap.act) part("live").textContent = list.textContent;
}

let clock = { some: [], at: 0 };

function clocks(some) {
  clock = { some, at: performance.now() };
  tick();
}

function tick() {
  part("clocks").replaceChildren(...clock.some.map((one) => {
    const left = one.left - (one.runs ? performance.now() - clock.at : 0);
    const span = document.createElement("span");
    span.textContent = `${one.label} ${countdown(left)}`;
    if (left < 0) span.className = "bad";
    return span;
  }));
}

setInterval(() => clock.some.some((one) => one.runs) && tick(), 1000);

let noted = 0;

/** Tells something of which nothing else is seen, for a while. */
function tell(text) {
  part("live").textContent = text;
  dock.dataset.note = text;
  clearTimeout(noted);
  noted = setTimeout(listed, 4000);
}

/** The question about the first tap that has one. */
function question() {
  const item = queue.asked;
  if (item.unsure) {
    agreed(item.unsure).then((yes) => (yes ? queue.renew(item, { sure: true }) : queue.drop(item)));
    return;
  }
  put(parts, item.html);
  drawn = performance.now();
}

/** What is kept on this device: shown while the service can't be reached, or where it was refused. */
function listed() {
  const away = page.dataset.link !== "live";
  const shown = queue.items.filter((one) => one.state === "refused" || away);
  list.replaceChildren(...shown.map((item) => {
    const row = document.createElement("li");
    row.className = item.state;
    if (item.html && item.state === "refused") row.innerHTML = item.html;
    else row.textContent = item.tap.line || item.tap.act;
    const drop = document.createElement("button");
    drop.type = "button";
    drop.className = "close";
    drop.textContent = "×";
    drop.setAttribute("aria-label", say.drop);
    drop.onclick = () => queue.drop(item);
    row.append(drop);
    const anyway = row.querySelector("[data-anyway]");
    if (anyway) anyway.onclick = () => queue.renew(item, { anyway: true });
    return row;
  }));
  const n = queue.waiting.length;
  page.dataset.n = n;
  dock.dataset.note = page.dataset.link === "signin" ? say.signin : away ? say.kept.replace("{n}", n) : "";
}

// -- taps -----------------------------------------------------------------------------------------

/** Whether a tap is for what somebody has seen, and not for what has just come under his thumb. */
function meant() {
  if (performance.now() - drawn < SEEN) return false;
  return page.dataset.link !== "live" || !queue.sending;
}

function tap(button) {
  const { text, line } = button.dataset;
  typed.value = "";
  sheet = null;
  select([]);
  return queue.add({ seq, text, line, whole: "whole" in button.dataset, anyway: "anyway" in button.dataset });
}

async function act(button) {
  const { act: name, seat, line, sure: text } = button.dataset;
  if (text && !(await agreed(text))) return;
  await queue.add({ seq, act: name, seat: Number(seat || 0), line: line || typed.value });
}

/** Asks once more; resolves to whether it is meant. */
function agreed(text) {
  part("sure-text").textContent = text;
  sure.returnValue = "";
  if (!sure.open) sure.showModal();
  return new Promise((resolve) => {
    sure.onclose = () => resolve(sure.returnValue === "yes");
  });
}

function fill(line) {
  typed.value = line;
  typed.focus();
  return meaning();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled) return;
  const data = button.dataset;
  if (button === part("more")) menu.showModal();
  else if (data.bring !== undefined) bringing.form();
  else if (data.tap !== undefined) meant() && tap(button);
  else if (data.act) {
    if (menu.open) menu.close();
    if (meant()) act(button);
  } else if (data.fill) fill(data.fill);
  else if (data.named) ask({ card: Number(data.number), named: data.named });
  else if (data.cardSheet) ask({ card: Number(data.cardSheet) });
  else if (data.answer) meant() && answer(JSON.parse(data.answer));
  else if ("way" in data) meant() && queue.renew(queue.asked, { seq, text: data.text, line: data.line, whole: true });
  else if ("forget" in data) queue.asked && queue.drop(queue.asked).then(look);
  else if ("close" in data) back();
  else if (data.pick) picked(JSON.parse(data.pick), data.at);
  else if (data.picking) ask({ picking: JSON.parse(data.picking), picked: [] });
  else if (data.ref) touched(data.ref);
  else if (data.place) ask({ place: data.place });
});

function back() {
  sheet = null;
  typed.value = "";
  return look();
}

function answer({ names = {}, rolls = [] }) {
  const item = queue.asked;
  if (!item) return;
  typed.value = "";
  queue.renew(item, {
    names: { ...item.tap.names, ...names },
    rolls: [...(item.tap.rolls || []), ...rolls],
  });
}

// -- cards ----------------------------------------------------------------------------------------

const refsOf = (button) => (button.dataset.refs || "").split(" ").filter(Boolean);
const chips = () => [...parts.querySelectorAll(".strip .chip[data-tap], .big[data-tap]:not(.only)")];
const fitting = (refs) => chips().filter((one) => refs.every((ref) => refsOf(one).includes(ref)));

/** A card or a player was touched: it acts, or is what another acts on. */
function touched(ref) {
  const pick = sheet && sheet.picking && [...parts.querySelectorAll("[data-pick]")].find((one) => String(JSON.parse(one.dataset.pick)[0]) === ref);
  if (pick) return pick.click();
  if (sheet || typed.value.trim()) {
    const called = board.querySelector(`[data-ref="${CSS.escape(ref)}"] .name`);
    if (typed.value.trim() && called) return fill(`${typed.value.trim()} ${called.textContent.trim()}`);
  }
  if (selected.length === 1 && selected[0] === ref) return select([]);
  const further = [...selected.filter((one) => one !== ref), ref];
  const both = selected.length ? fitting(further) : [];
  if (both.length === 1 && meant()) return tap(both[0]);
  if (both.length) return select(further);
  if (fitting([ref]).length) return select([ref]);
  if (/^\d+$/.test(ref)) ask({ card: Number(ref) });
}

/** Something is picked besides what was, or is not any more: `at` is its place among those. */
function picked(pick, at) {
  if (!sheet || !sheet.picking) return;
  const rest = at === undefined ? [...sheet.picked, pick] : sheet.picked.filter((_, n) => n !== Number(at));
  sheet = { picking: sheet.picking, picked: rest }; // before the answer: the next tap may be quicker
  ask(sheet);
}

function select(refs) {
  selected = refs;
  const can = new Set(chips().flatMap(refsOf));
  const fit = fitting(refs);
  for (const chip of parts.querySelectorAll(".strip .chip")) chip.hidden = refs.length > 0 && !fit.includes(chip);
  parts.classList.toggle("narrowed", refs.length > 0);
  for (const one of parts.querySelectorAll(".only")) one.remove();
  if (refs.length && fit.length === 1) parts.append(only(fit[0]));
  for (const one of board.querySelectorAll("[data-ref]")) {
    one.classList.toggle("chosen", refs.includes(one.dataset.ref));
    one.classList.toggle("may", refs.length ? fit.some((chip) => refsOf(chip).includes(one.dataset.ref)) : can.has(one.dataset.ref));
  }
}

/** The one act that is left, as the big button. */
function only(chip) {
  const button = chip.cloneNode(true);
  const seat = [...chip.classList].find((name) => name.startsWith("seat-"));
  button.className = `big only ${seat || ""}`;
  return button;
}

let held = 0;
board.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-ref]");
  clearTimeout(held);
  if (button && /^\d+$/.test(button.dataset.ref)) {
    held = setTimeout(() => {
      board.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      ask({ card: Number(button.dataset.ref) });
    }, LONG);
  }
});
for (const name of ["pointerup", "pointercancel", "pointermove"]) {
  board.addEventListener(name, (event) => event.movementX || event.movementY || name !== "pointermove" ? clearTimeout(held) : 0);
}
board.addEventListener("contextmenu", (event) => event.target.closest("[data-ref]") && event.preventDefault());

// -- lines ----------------------------------------------------------------------------------------

async function ask(what) {
  const n = ++asking;
  try {
    const found = await fetched("line", what);
    if (n !== asking) return;
    link("live");
    sheet = what.typed === undefined && (what.place || what.card || what.picking) ? what : null;
    put(parts, found.html);
    drawn = performance.now();
    if (!sheet) select([]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.passing) link("offline");
    if (n === asking && what.typed) offline(what.typed);
  }
}

/** A line that nobody can read now is kept as it stands. */
function offline(line) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "big", textContent: say.keep.replace("{act}", line) });
  Object.assign(button.dataset, { tap: "", text: "", line, refs: "" });
  parts.replaceChildren(button);
  drawn = performance.now() - SEEN;
}

function meaning() {
  const item = queue.asked;
  const text = typed.value;
  if (item && parts.querySelector(".asked")) {
    const naming = Number(parts.querySelector(".asked").dataset.naming);
    return naming ? ask({ typed: text, naming }) : undefined;
  }
  return text.trim() ? ask({ typed: text }) : look();
}

typed.addEventListener("input", meaning);

part("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  const big = parts.querySelector(".big[data-tap]:not(:disabled)") || parts.querySelector("[data-answer]");
  if (big && page.dataset.link === "live") big.click();
  else if (typed.value.trim() && page.dataset.link !== "live") queue.add({ seq, text: "", line: typed.value }).then(() => {}), (typed.value = "");
});

// -- without the service --------------------------------------------------------------------------

/** Has the page kept, so that it opens while the service is away; where that is not allowed, not. */
async function keep() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register(say.worker, { scope: "/table/" });
  await navigator.serviceWorker.ready;
  const parts = performance.getEntriesByType("resource").map((one) => one.name);
  const own = parts.filter((one) => new URL(one).pathname.startsWith("/static/"));
  const cache = await caches.open("kifu-table");
  await Promise.all([location.href, ...own].map((one) => cache.add(one)));
  for (const { url } of await cache.keys()) {
    if (new URL(url).pathname.startsWith("/static/") && !own.includes(url)) await cache.delete(url);
  }
  page.dataset.away = "ready";
}

/** The match as it was drawn last, which may be later than the page that was kept. */
function last() {
  try {
    const state = JSON.parse(localStorage.getItem(LAST) || "null");
    if (state && state.seq > seq) show(state);
  } catch (error) {
    // then the page is as it came
  }
}

// -- beginning ------------------------------------------------------------------------------------

listed();
select([]);
if (queue.asked) question();
last();
queue.pump();
look();
keep().catch(() => {});
follow(`/m/${match}/as/official/follow`, seq, {
  entry: (news) => news.seq > seq && !queue.sending && look(),
  state: (word) => {
    if (word === "live") {
      queue.wake();
      if (page.dataset.link === "offline") look();
    }
  },
});
