/* The page of an event, and its screen: they are made anew when the event goes on, and tick. */

import { follow } from "../layout/follow.js";
import { serviceClock, ticking } from "../hall/ticking.js";

/** Milliseconds that a screen shows a part of a long list. */
const SHOWN = 12000;

const data = document.getElementById("event").dataset;
const clock = serviceClock(Number(data.now));
const tick = ticking(clock);
let asked = 0;
let timer = 0;

/** The page as it is now. Many browsers are told at once: not all of them ask at once. */
function later() {
  clearTimeout(timer);
  timer = setTimeout(anew, 200 + Math.random() * 1500);
}

async function anew() {
  const mine = (asked += 1);
  const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!response || !response.ok || mine !== asked) return;
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = found.getElementById("event");
  const here = document.getElementById("event");
  clock.at(Number(next.dataset.now));
  here.replaceChildren(...next.childNodes);
  tick();
}

setInterval(() => {
  const list = document.getElementById("seating");
  if (!list || list.scrollWidth <= list.clientWidth + 4) return;
  const page = list.clientWidth + parseFloat(getComputedStyle(list).columnGap);
  const end = list.scrollLeft + page >= list.scrollWidth - 4;
  list.scrollLeft = end ? 0 : list.scrollLeft + page;
}, SHOWN);

follow(data.follow, Number(data.seq), { entry: later });
document.documentElement.dataset.ready = "1";
