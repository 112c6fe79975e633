/* Clocks that go on between entries: by what the service says the time of the match is. */

import { countdown } from "../layout/countdown.js";

const EACH = 200;

export class Clocks {
  constructor() {
    this.time = 0;
    this.at = 0;
    this.ticks = false;
    setInterval(() => this.draw(), EACH);
  }

  /** The time of the match is this, in milliseconds; `ticks`: it goes on. */
  set(time, ticks) {
    this.time = time;
    this.at = performance.now();
    this.ticks = ticks;
    this.draw();
  }

  /** There is an entry of this time: it is that late at least. */
  reach(time) {
    if (this.now() < time) this.set(time, this.ticks);
    this.draw();
  }

  /** Stops the clocks until they are set again. */
  hold() {
    this.set(this.now(), false);
  }

  now() {
    return this.time + (this.ticks ? performance.now() - this.at : 0);
  }

  draw() {
    const now = this.now();
    document.querySelectorAll("[data-left]").forEach((one) => {
      const since = Number(one.dataset.since);
      const gone = since >= 0 ? Math.max(now - since, 0) : 0;
      const left = Number(one.dataset.left) - gone;
      const text = countdown(left);
      if (one.textContent !== text) one.textContent = text;
      one.classList.toggle("is-short", left < 60000 && left >= 0);
      one.classList.toggle("is-out", left < 0);
    });
  }
}
