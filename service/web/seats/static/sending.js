/* Commands: each is sent under one id until it is answered, also after the connection was lost. */

import { call, requestId, Refused } from "../layout/api.js";

const FIRST = 500;
const LONGEST = 8000;

/** Whether nobody knows what became of a command: it is sent again, and carried out once. */
function unanswered(error) {
  return error instanceof Refused && (error.status === 0 || error.status === 503 || error.status === 502 || error.status === 504);
}

/** Sends the commands of a seat, one at a time; `store` keeps the one under way over a reload. */
export class Sending {
  constructor(store, { waiting }) {
    this.store = store;
    this.waiting = waiting;
    this.busy = false;
    this.wake = () => {};
    window.addEventListener("online", () => this.wake());
  }

  /** The command that was under way when the page was left, if any. */
  left() {
    try {
      return JSON.parse(sessionStorage.getItem(this.store) || "null");
    } catch (error) {
      return null;
    }
  }

  /** Sends a command; resolves to its answer, throws `Refused`. Null: another is under way. */
  async send(method, request, id = requestId()) {
    if (this.busy) return null;
    this.busy = true;
    const whole = { ...request, requestId: id };
    sessionStorage.setItem(this.store, JSON.stringify({ method, request, id }));
    try {
      return await this.answered(method, whole);
    } finally {
      this.busy = false;
      sessionStorage.removeItem(this.store);
    }
  }

  async answered(method, request) {
    for (let pause = FIRST; ; pause = Math.min(pause * 2, LONGEST)) {
      try {
        return await call(method, request);
      } catch (error) {
        if (!unanswered(error)) throw error;
        this.waiting();
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, pause);
          this.wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  }
}
