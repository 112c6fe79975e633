/* The clocks of a match in its heading: they go on while nobody says otherwise. */

import { countdown } from "../layout/countdown.js";

/** Clocks are not fetched again within this many milliseconds. */
const SELDOM = 1500;

export class Clocks {
  /** `address` has the progress of the match. */
  constructor(address) {
    this.address = address;
    this.since = performance.now();
    this.asked = 0;
    if (this.place) setInterval(() => this.tick(), 500);
  }

  get place() {
    return document.getElementById("clocks");
  }

  tick() {
    const { place } = this;
    if (!place || place.dataset.late || document.hidden) return;
    const gone = performance.now() - this.since;
    for (const one of place.children) {
      const left = Number(one.dataset.left) - (one.classList.contains("running") ? gone : 0);
      const shown = one.querySelector("b");
      const text = countdown(left);
      if (shown.textContent !== text) shown.textContent = text;
      one.classList.toggle("out", left < 0);
    }
  }

  /** Asks what they show now, since something has happened. */
  refresh() {
    if (!this.place || this.asked) return;
    this.asked = setTimeout(() => this.ask(), SELDOM);
  }

  async ask() {
    this.asked = 0;
    try {
      const response = await fetch(this.address, { credentials: "same-origin" });
      if (!response.ok) return;
      const { clocks } = await response.json();
      this.since = performance.now();
      for (const { clock, left, running } of clocks) {
        const one = this.place && this.place.querySelector(`[data-clock="${clock}"]`);
        if (!one) continue;
        one.dataset.left = left;
        one.classList.toggle("running", running);
      }
      if (this.place && this.place.dataset.late) {
        for (const one of this.place.children) one.querySelector("b").textContent = countdown(Number(one.dataset.left));
      }
      this.tick();
    } catch {
      /* it is asked after the next entry */
    }
  }
}
