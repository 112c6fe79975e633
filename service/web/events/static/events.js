/* The page of an event, and its screen: updated with the event; their clocks tick. */

import { follow } from "../layout/follow.js";
import { spoken } from "../layout/language.js";
import { renewing, whileSeen } from "../layout/renewing.js";
import { serviceClock, ticking } from "../hall/ticking.js";

/** Milliseconds that a screen shows a part of a long list. */
const SHOWN = 12000;

const data = document.getElementById("event").dataset;
const clock = serviceClock(Number(data.now));
const tick = ticking(clock);
const renew = renewing(anew);
let timer = 0;

/** Fetches the page, after a random delay: many browsers get the same notice at once. The more players
    there are, the more browsers, and the more notices come in the meantime. */
function later() {
  const spread = Math.max(1500, 20 * Number(data.players || 0));
  timer = timer || setTimeout(() => {
    timer = 0;
    renew();
  }, 200 + Math.random() * spread);
}

async function anew() {
  const response = await fetch(spoken(location.href), { headers: { accept: "text/html" } }).catch(() => null);
  if (response && response.status === 401) location.reload();
  const text = response && response.ok ? await response.text().catch(() => "") : "";
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("event");
  if (!next) return false;
  const here = document.getElementById("event");
  clock.at(Number(next.dataset.now));
  const open = [...here.querySelectorAll("details")].map((one) => one.open);
  here.replaceChildren(...next.childNodes);
  here.querySelectorAll("details").forEach((one, n) => {
    one.open = open.length ? open[n] || false : one.open;
  });
  replaced(next.ownerDocument.getElementById("asking"));
  tick();
  return true;
}

/** Replaces what may be asked for at the table, unless somebody is at it. */
function replaced(next) {
  const here = document.getElementById("asking");
  const used = here && [...here.querySelectorAll("details")].some((one) => one.open);
  if (next && here && !used) here.replaceChildren(...next.childNodes);
}

/** Shows the tables alone of players whose name has what was typed; the address says so, too. */
function find() {
  const wanted = name.value.trim().toLowerCase();
  const url = new URL(location.href);
  if (wanted) url.searchParams.set("name", wanted);
  else url.searchParams.delete("name");
  history.replaceState(null, "", url);
  for (const one of document.querySelectorAll("[data-names]")) {
    const fits = one.dataset.names.toLowerCase().includes(wanted);
    one.classList.toggle("found", fits && wanted !== "");
    one.hidden = !fits;
  }
}

const name = document.getElementById("name");
if (name) {
  name.addEventListener("input", find);
  name.form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
    document.querySelector(".found")?.scrollIntoView({ block: "center" });
  });
}

setInterval(() => {
  const list = document.getElementById("seating");
  if (!list || list.scrollWidth <= list.clientWidth + 4) return;
  const page = list.clientWidth + parseFloat(getComputedStyle(list).columnGap);
  const end = list.scrollLeft + page >= list.scrollWidth - 4;
  list.scrollLeft = end ? 0 : list.scrollLeft + page;
}, SHOWN);

const link = document.getElementById("link");
whileSeen(() => follow(data.follow, Number(data.seq), {
  entry: later,
  state: (word) => {
    link.textContent = word === "waiting" ? link.dataset.waiting : "";
    if (word === "waiting") later();
  },
}));
document.documentElement.dataset.ready = "1";
