/* The page of an event, and its screen: updated with the event; their clocks tick. */

import { follow } from "../layout/follow.js";
import { renewing, whileSeen } from "../layout/renewing.js";
import { serviceClock, ticking } from "../hall/ticking.js";

/** Milliseconds that a screen shows a part of a long list. */
const SHOWN = 12000;

const data = document.getElementById("event").dataset;
const clock = serviceClock(Number(data.now));
const tick = ticking(clock);
const renew = renewing(anew);
let timer = 0;

/** Fetches the page, after a random delay: many browsers get the same notice at once. */
function later() {
  clearTimeout(timer);
  timer = setTimeout(renew, 200 + Math.random() * 1500);
}

async function anew() {
  const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (response && response.status === 401) location.reload();
  const text = response && response.ok ? await response.text().catch(() => "") : "";
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("event");
  if (!next) return false;
  const here = document.getElementById("event");
  clock.at(Number(next.dataset.now));
  here.replaceChildren(...next.childNodes);
  tick();
  return true;
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
