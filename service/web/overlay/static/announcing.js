/* Announcements: each once, one after the other, and none that is older than the page.

How far they were announced is kept for as long as the browser source lives, so that neither a new
connection nor a reload repeats one; what came in between is announced then.
*/

import { Patience } from "../layout/patience.js";
import { fit } from "./stage.js";

const SHOWN = 6000;
const GAP = 500;
const AT_ONCE = 1000;

export class Announcer {
  /** `get` fetches an address. */
  constructor(match, view, get) {
    this.key = `kifu overlay ${location.pathname} ${match}${view}`;
    this.get = get;
    this.slot = document.querySelector('.slot[data-slot="announce"]');
    this.queue = [];
    this.done = -1;
    this.wanted = 0;
    this.busy = false;
    this.ended = false;
    this.showing = null;
  }

  /** The match is that far as the page is opened: from there on, or from where it was left. */
  begin(seq) {
    if (this.done >= 0) return;
    const kept = Number(recall(this.key));
    this.done = kept > 0 && kept <= seq ? kept : seq;
    remember(this.key, this.done);
  }

  /** The match is shown after an entry: what came until then may be announced. */
  async reach(seq, path) {
    this.wanted = Math.max(this.wanted, seq);
    if (this.busy || this.done < 0) return;
    this.busy = true;
    const patience = new Patience(2000);
    while (!this.ended && this.done < this.wanted) {
      const upto = Math.min(this.wanted, this.done + AT_ONCE);
      try {
        const text = await (await this.get(`${path}/${this.done}-${upto}`)).text();
        if (this.ended) break;
        patience.over();
        this.done = upto;
        this.take(text);
        if (!this.queue.length) remember(this.key, upto);
      } catch (error) {
        if (error.status === 401) break; // it goes on with the next scene that may be seen
        await patience.wait();
      }
    }
    this.busy = false;
  }

  take(text) {
    const found = document.createElement("template");
    found.innerHTML = text;
    found.content.querySelectorAll(".rewound").forEach((one) => {
      const seq = Number(one.dataset.seq);
      const to = Number(one.dataset.to);
      this.queue = this.queue.filter((each) => each.seq <= to || each.seq >= seq);
    });
    found.content.querySelectorAll(".announcement").forEach((one) => {
      this.queue.push({ seq: Number(one.dataset.seq), element: one });
    });
    this.next();
  }

  next() {
    if (this.showing || this.ended) return;
    const one = this.queue.shift();
    if (!one) return;
    const left = this.queue.length;
    remember(this.key, left ? one.seq : Math.max(one.seq, this.done));
    this.showing = one;
    this.slot.replaceChildren(one.element);
    one.element.classList.add("is-new");
    fit(this.slot);
    document.dispatchEvent(new CustomEvent("announced", { detail: one.element }));
    setTimeout(() => {
      if (this.showing !== one) return;
      one.element.classList.add("is-leaving");
      setTimeout(() => {
        if (this.showing !== one) return;
        this.slot.replaceChildren();
        this.showing = null;
        this.next();
      }, GAP);
    }, SHOWN);
  }

  end() {
    this.ended = true;
    this.queue = [];
    if (this.showing) this.slot.replaceChildren();
    this.showing = null;
  }
}

function recall(key) {
  try {
    return sessionStorage.getItem(key) || "";
  } catch (error) {
    return "";
  }
}

function remember(key, seq) {
  try {
    sessionStorage.setItem(key, String(seq));
  } catch (error) {
    // then a reload announces nothing that came before it
  }
}
