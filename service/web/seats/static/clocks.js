/* Clocks that go on between updates from the service. */

import { countdown } from "../layout/countdown.js";

let clocks = { at: 0, all: [] };

/** Shows clocks, and lets them run from now on. */
export function clocksFrom(all) {
  clocks = { at: performance.now(), all };
  tick();
}

function tick() {
  const passed = performance.now() - clocks.at;
  const holder = document.getElementById("clocks");
  if (!holder) return;
  const texts = clocks.all.map((clock) => {
    const left = clock.left - (clock.running ? passed : 0);
    return `${clock.name}: ${countdown(left)}`;
  });
  holder.textContent = texts.join(" · ");
}

setInterval(tick, 500);
