/* What was tapped, kept on this device until the service has answered: in order, each once.

   An item is `waiting`, or it is `asked` about and those after it wait, or it was `refused` and stays
   in its place until somebody has decided about it; those after it go on. */

import { requestId } from "../layout/api.js";
import { Patience } from "../layout/patience.js";

/** Keeps a text on this device, where that may be: else it lasts as long as the page is open. */
export function store(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch (error) {
    return;
  }
}

function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) || "[]");
  } catch (error) {
    return [];
  }
}

export class Queue {
  /** `send(tap)` resolves to an answer, or to null if nobody knows what became of it. */
  constructor(name, { send, answered, changed }) {
    Object.assign(this, { name, send, answered, changed });
    this.items = kept(name);
    this.patience = new Patience(500, 4000);
    this.sending = false;
    this.wake = () => {};
    window.addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => this.wake());
  }

  /** Keeps a tap, and sends it in its turn. */
  add(tap) {
    this.items.push({ tap: { id: requestId(), ...tap }, state: "waiting" });
    this.save();
    return this.pump();
  }

  /** Sends an item again, with what was answered or agreed to. */
  renew(item, more) {
    Object.assign(item.tap, more);
    Object.assign(item, { state: "waiting", html: "" });
    this.save();
    return this.pump();
  }

  drop(item) {
    this.items = this.items.filter((one) => one !== item);
    this.save();
    return this.pump();
  }

  get asked() {
    return this.items.find((one) => one.state === "asked");
  }

  get waiting() {
    return this.items.filter((one) => one.state === "waiting");
  }

  save() {
    store(this.name, JSON.stringify(this.items));
    this.changed();
  }

  async pump() {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let item; (item = this.next()); ) {
        const answer = await this.send(item.tap);
        if (!this.items.includes(item)) continue;
        if (!answer) {
          await this.pause();
          continue;
        }
        this.patience.over();
        if (answer.asked || answer.unsure) Object.assign(item, { state: "asked", html: answer.asked || "", unsure: answer.unsure });
        else if (answer.refused) Object.assign(item, { state: "refused", html: answer.refused });
        else this.items = this.items.filter((one) => one !== item);
        this.save();
        this.answered(answer, item);
      }
    } finally {
      this.sending = false;
    }
  }

  next() {
    const first = this.items.find((one) => one.state !== "refused");
    return first && first.state === "waiting" ? first : null;
  }

  pause() {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.patience.next());
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
