/* The hall: tables that go on by themselves. The event's record is followed, and what happened is
   shown at once; how far the matches are is asked for every few seconds while the page is seen. */

import { follow } from "../layout/follow.js";
import { lang } from "../layout/language.js";
import { Patience } from "../layout/patience.js";
import { commands } from "./commands.js";
import { data as fetched, exchange, renewing, whileSeen } from "../layout/renewing.js";
import { serviceClock, ticking } from "./ticking.js";

const hall = document.getElementById("hall");
const data = hall.dataset;
const base = `/hall/${data.event}`;
const clock = serviceClock(Number(data.now));
const tick = ticking(clock);
const body = document.getElementById("rows");
const link = document.getElementById("link");

// -- what is shown ------------------------------------------------------------------------------

const looks = body && data.round === data.latest;
const refresh = renewing(look, looks ? Number(data.every) * 1000 : 0);
let connection = "live";

async function look() {
  const query = new URLSearchParams({ since: data.version || "", seq: data.seq, jumped: data.jumped, lang });
  if (data.round !== data.latest) query.set("round", data.round);
  const found = await fetched(`${base}/now?${query}`, () => shownAs("waiting"));
  if (!found) return false;
  shownAs(connection);
  clock.at(found.now);
  if (String(found.round) !== data.round && data.round === data.latest) {
    location.reload(); // another round is a page of its own
    return true;
  }
  const news = String(found.seq) !== data.seq;
  data.seq = found.seq;
  data.jumped = found.jumped;
  if (body) {
    data.version = found.version;
    if (found.rows.length) put(found.rows, found.whole);
  }
  if (found.head !== undefined) exchange("head", found.head);
  if (found.calls !== undefined) exchange("calls", found.calls);
  for (const one of document.querySelectorAll("[data-started]")) one.hidden = found.stage !== "started";
  if (news && data.part !== "tables") part();
  tick();
  return true;
}

function put(rows, whole) {
  const known = new Map([...body.rows].map((row) => [row.dataset.number, row]));
  for (const [number, html] of rows) {
    const old = known.get(String(number));
    const made = document.createElement("template");
    made.innerHTML = html.trim();
    const row = made.content.firstElementChild;
    if (old) {
      const box = old.querySelector("[name=pick]");
      const next = row.querySelector("[name=pick]");
      if (box && next) next.checked = box.checked;
      const focused = old.contains(document.activeElement) ? place(old, document.activeElement) : -1;
      old.replaceWith(row);
      if (focused >= 0) {
        const target = row.querySelectorAll("button, a, input")[focused];
        if (target) target.focus();
      }
    } else {
      body.append(row);
    }
    known.delete(String(number));
  }
  if (whole) for (const row of known.values()) row.remove();
  arrange();
}

function place(row, element) {
  return [...row.querySelectorAll("button, a, input")].indexOf(element);
}

let later = 0;
const patience = new Patience();

/** Whether a part of the page is in use: input that is not sent yet must stay. */
function held(element) {
  const typed = [...element.querySelectorAll("input, textarea")]
    .some((one) => one.value !== one.defaultValue && !one.closest("dialog"));
  const chosen = [...element.querySelectorAll("select")].some((one) => !one.closest("dialog")
    && one.selectedIndex !== Math.max(0, [...one.options].findIndex((each) => each.defaultSelected)));
  return typed || chosen || element.querySelector("dialog[open]")
    || (element.contains(document.activeElement) && document.activeElement.closest("form"));
}

/** What the fields of a part of the page hold. */
const filled = (element) => JSON.stringify(
  [...element.querySelectorAll("input, textarea, select")].map((one) => [one.value, one.checked]));

/** Updates the part of the page next to the tables; later if it is in use. What its sender typed
    before (`own`) is no use of it any more, what he has typed since then is. */
async function part(own = false) {
  const element = document.getElementById("part");
  const sent = filled(element);
  const used = () => (own ? filled(element) !== sent : held(element));
  clearTimeout(later);
  if (used()) {
    later = setTimeout(part, 3000);
    return;
  }
  const query = new URLSearchParams({ only: 1, lang });
  if (data.round !== data.latest) query.set("round", data.round);
  const response = await fetch(`${base}/${data.part}?${query}`).catch(() => null);
  const html = response && response.ok ? await response.text().catch(() => null) : null;
  if (html === null) {
    later = setTimeout(part, patience.next());
    return;
  }
  patience.over();
  if (used()) {
    later = setTimeout(part, 3000);
    return;
  }
  const focused = element.contains(document.activeElement);
  element.innerHTML = html;
  if (focused) element.focus({ preventScroll: true });
}

function shownAs(state) {
  link.textContent = state === "live" ? data.live : data.waiting;
  link.className = state === "live" ? "" : "bad";
}

// -- order and choice ---------------------------------------------------------------------------

const find = document.getElementById("find");
const filter = document.getElementById("filter");
const sort = document.getElementById("sort");
const every = document.getElementById("every");
const ORDERS = {
  number: (row) => [Number(row.number)],
  call: (row) => [row.call ? 0 : 1, row.done ? 1 : 0, Number(row.number)],
  slow: (row) => [row.playing ? 0 : 1, Number(row.last) || Infinity, Number(row.number)],
  turn: (row) => [row.playing ? 0 : 1, Number(row.turn), Number(row.number)],
};
const KINDS = {
  "": () => true,
  call: (row) => row.call,
  playing: (row) => row.playing,
  done: (row) => row.done,
  paused: (row) => row.still,
};

function arrange() {
  if (!body) return;
  const wanted = find.value.trim().toLowerCase();
  const order = ORDERS[sort.value];
  const keyed = [...body.rows].map((row) => [order(row.dataset), row]);
  keyed.sort(([a], [b]) => {
    const at = a.findIndex((one, n) => one !== b[n]);
    return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
  });
  let shown = 0;
  keyed.forEach(([, row], at) => {
    if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] || null);
    const number = row.dataset.number === wanted;
    const text = row.querySelector(".names").textContent.toLowerCase();
    row.hidden = !(KINDS[filter.value](row.dataset) && (number || text.includes(wanted)));
    if (!row.hidden) shown += 1;
  });
  document.getElementById("none").hidden = shown > 0;
  document.getElementById("shown").textContent = shown === keyed.length ? "" : `${shown} / ${keyed.length}`;
  chosen();
}

function picked() {
  return body ? [...body.querySelectorAll("[name=pick]:checked")].map((one) => one.value) : [];
}

function chosen() {
  const whom = document.getElementById("whom");
  if (!whom) return;
  const tables = picked().sort((a, b) => a - b);
  whom.textContent = tables.length
    ? whom.dataset.some.replace("{tables}", tables.length > 8 ? `${tables.slice(0, 8).join(", ")} … (${tables.length})` : tables.join(", "))
    : whom.dataset.all;
}

if (body) {
  find.addEventListener("input", arrange);
  filter.addEventListener("change", arrange);
  sort.addEventListener("change", arrange);
  body.addEventListener("change", chosen);
  if (every) {
    every.addEventListener("change", () => {
      for (const one of body.querySelectorAll("[name=pick]")) {
        one.checked = every.checked && !one.closest("tr").hidden;
      }
      chosen();
    });
  }
  arrange();
}

// -- check-in -----------------------------------------------------------------------------------

document.addEventListener("input", (event) => {
  if (event.target.id !== "who") return;
  const wanted = event.target.value.trim().toLowerCase();
  const rows = [...document.querySelectorAll("[data-who]")];
  for (const row of rows) row.hidden = !row.dataset.who.toLowerCase().includes(wanted);
  document.getElementById("nobody").hidden = rows.some((row) => !row.hidden);
});
document.addEventListener("keydown", (event) => {
  if (event.target.id !== "who" || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  const found = document.querySelectorAll("[data-who]:not([hidden])");
  const button = found.length === 1 && found[0].querySelector("button:not([data-act=check-out])");
  if (button) button.click();
});

// -- going on -----------------------------------------------------------------------------------

commands({
  prepare: `${base}/prepare`,
  outcome: document.getElementById("outcome"),
  extra: () => ({ seen: data.seq, round: data.round }),
  tables: picked,
  done: (found) => {
    if (every) every.checked = false;
    refresh();
    if (found && data.part !== "tables") part(true).then(() => document.getElementById("who")?.focus());
  },
});

whileSeen(() => {
  const state = (word) => shownAs((connection = word));
  return follow(`${base}/follow`, Number(data.seq), { entry: refresh, state });
});
if (looks) refresh();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
document.documentElement.dataset.ready = "1";
