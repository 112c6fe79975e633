/* Updates once a second: running clocks, and how long ago something was, by the service's clock. */

import { countdown } from "../layout/countdown.js";
import { lang } from "../layout/language.js";

/** A clock that goes as the service's: `at(now)` sets it, `now()` reads it. */
export function serviceClock(now) {
  let ahead = now - performance.now();
  return {
    at: (shown) => { ahead = shown - performance.now(); },
    now: () => performance.now() + ahead,
  };
}

/** Updates everything that ticks, once a second. */
export function ticking(clock) {
  function tick() {
    const now = clock.now();
    for (const one of document.querySelectorAll(".clock[data-left]")) {
      const gone = one.dataset.running ? Math.max(now - Number(one.dataset.since), 0) : 0;
      const left = Number(one.dataset.left) - gone;
      put(one.querySelector(".time"), countdown(left));
      one.classList.toggle("out", left < 0);
    }
    for (const one of document.querySelectorAll(".ago[data-since]")) {
      const gone = Math.max(now - Number(one.dataset.since), 0);
      put(one, countdown(gone));
      one.classList.toggle("long", gone > 180000 && one.classList.contains("running"));
    }
    for (const one of document.querySelectorAll("[data-from]")) {
      one.classList.toggle("reached", now >= Number(one.dataset.from));
    }
  }
  for (const one of document.querySelectorAll("time.at[data-time]")) {
    one.textContent = new Date(Number(one.dataset.time)).toLocaleTimeString(lang);
  }
  tick();
  setInterval(tick, 1000);
  return tick;
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
