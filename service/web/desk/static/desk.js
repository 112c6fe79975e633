/* The desk: a match that goes on by itself, what going back would undo, and an official's commands. */

import { follow } from "../layout/follow.js";
import { lang } from "../layout/language.js";
import { commands } from "../hall/commands.js";
import { data as fetched, exchange, renewing, whileSeen } from "../layout/renewing.js";
import { serviceClock, ticking } from "../hall/ticking.js";

const desk = document.getElementById("desk");
const data = desk.dataset;
const base = `/desk/${data.match}`;
const asked = new URLSearchParams(location.search);
const clock = serviceClock(Number(data.now));
const tick = ticking(clock);
const link = document.getElementById("link");
const pane = document.getElementById("lines");

function query() {
  const found = new URLSearchParams({ lang });
  for (const name of ["as", "lines"]) if (asked.get(name)) found.set(name, asked.get(name));
  return found;
}

const refresh = renewing(look);
let forked = false;
let connection = "live";

async function look() {
  const asked = query();
  if (forked) asked.set("forks", "1");
  const found = await fetched(`${base}/now?${asked}`, () => shownAs("waiting"));
  if (!found) return false;
  if (asked.has("forks")) forked = false;
  shownAs(connection);
  if (found.forks !== undefined) exchange("forks", found.forks);
  clock.at(found.now);
  const end = pane.scrollHeight - pane.scrollTop - pane.clientHeight < 60;
  for (const part of ["head", "calls", "board", "open", "lines"]) exchange(part, found[part]);
  if (end) pane.scrollTop = pane.scrollHeight;
  data.seq = found.seq;
  data.open = found.decision;
  data.result = found.result;
  data.eventseq = found.event;
  for (const one of document.querySelectorAll("[data-when]")) {
    const when = one.dataset.when;
    one.hidden = when === "over" ? !found.over : when === "waits" ? !found.waits : false;
  }
  tick();
  return true;
}

function shownAs(state) {
  link.textContent = state === "live" || state === "ended" ? data.live : data.waiting;
  link.className = state === "waiting" ? "bad" : "";
}

// -- back ---------------------------------------------------------------------------------------

const dialog = document.getElementById("back");

async function preview(n) {
  const text = document.getElementById("back-text");
  const response = await fetch(`${base}/back/${n}?${query()}`, { headers: { accept: "text/html" } })
    .catch(() => null);
  const html = response ? await response.text().catch(() => "") : "";
  if (html && response.ok) {
    text.innerHTML = html;
  } else {
    const problem = document.createElement("p");
    problem.className = "bad";
    const heading = new DOMParser().parseFromString(html, "text/html").querySelector("h1");
    problem.textContent = heading ? heading.textContent : data.waiting;
    const close = document.createElement("button");
    close.type = "button";
    close.dataset.close = "";
    close.textContent = "×";
    const title = document.createElement("h2");
    title.id = "back-title";
    title.textContent = String(n);
    text.replaceChildren(title, problem, close);
  }
  if (!dialog.open) dialog.showModal();
  refresh();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-back]");
  if (button) preview(button.dataset.back);
});

document.addEventListener("change", (event) => {
  const choice = event.target.closest("select[data-back]");
  if (!choice || !choice.value) return;
  const n = choice.value;
  choice.value = "";
  preview(n);
});

document.querySelector("form[data-back]").addEventListener("submit", (event) => {
  event.preventDefault();
  const n = event.target.elements.decision.value.trim();
  if (/^[1-9][0-9]{0,8}$/.test(n)) preview(n);
});

// -- corrections: verbs and cards are written by a click ------------------------------------------

const fixes = document.getElementById("fixes");

/** Gaps to be filled in: a card, a place. */
const CARD = "…";
const PLACE = "PLACE";

/** Writes something where a gap waits for it, or else at the end of what was typed. */
function write(text, gap) {
  const at = fixes.value.indexOf(gap);
  if (at >= 0) fixes.setRangeText(text, at, at + gap.length, "end");
  else fixes.value += fixes.value && !/\s$/.test(fixes.value) ? ` ${text}` : text;
}

document.getElementById("verb").addEventListener("change", (event) => {
  const verb = event.target.value;
  event.target.value = "";
  if (!verb) return;
  if (fixes.value && !fixes.value.endsWith("\n")) fixes.value += "\n";
  fixes.value += verb;
  fixes.focus();
});

document.getElementById("place").addEventListener("change", (event) => {
  if (event.target.value) write(event.target.value, PLACE);
  event.target.value = "";
});

document.getElementById("board").addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]");
  if (card && fixes.closest("details").open) write(card.dataset.card, CARD);
});

// -- going on -----------------------------------------------------------------------------------

commands({
  prepare: `${base}/prepare`,
  outcome: document.getElementById("outcome"),
  extra: () => ({ open: data.open, seen: data.eventseq }),
  done: (found) => {
    if (dialog.open) dialog.close();
    forked = Boolean(found && found.method.endsWith("/ForkMatch"));
    refresh();
  },
});

pane.scrollTop = pane.scrollHeight;
whileSeen(() => follow(`/m/${data.match}/as/public/follow`, Number(data.seq), {
  entry: refresh,
  state: (word) => {
    shownAs((connection = word));
    if (word === "waiting") refresh(); // which finds out whether one is signed in still
  },
}));
if (data.event) {
  whileSeen(() => follow(`/hall/${data.event}/follow`, Number(data.eventseq), { entry: refresh }));
}
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
document.documentElement.dataset.ready = "1";
