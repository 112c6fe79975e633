/* Boards of entries: fetched once, made ready beforehand, shown at once by what is different. */

import { change } from "../board/board.js";
import { arrow } from "../board/motion.js";
import { patch } from "../board/patch.js";

/** How many are kept ready, and how many are fetched at a time. */
const KEPT = 160;
const AT_ONCE = 4;
/** Differences are marked if a board comes this soon after the last: one step, not a jump. */
const STEP = 40;

export class Boards {
  /** `address(path)` is where a part of the match is; `place` is where the board is shown. */
  constructor(place, address) {
    this.place = place;
    this.address = address;
    this.ready = new Map(); // by entry: an element, which is never shown itself
    this.coming = new Map(); // by entry: a promise
    this.wanted = [];
    this.running = 0;
  }

  /** Takes the board that the page came with. */
  begin(seq) {
    const shown = this.place.firstElementChild;
    if (shown) this.ready.set(seq, shown.cloneNode(true));
    this.place.dataset.at = seq;
    arrow(this.place);
    new ResizeObserver(() => arrow(this.place)).observe(this.place);
  }

  has(seq) {
    return this.ready.has(seq);
  }

  /** Shows the board of an entry that is ready. */
  paint(seq) {
    const found = this.ready.get(seq);
    this.ready.delete(seq);
    this.ready.set(seq, found); // it was used last
    if (this.place.dataset.at === String(seq)) return;
    const mark = Math.abs(seq - this.place.dataset.at) <= STEP;
    change(this.place, () => this.put(found), { mark });
    this.place.dataset.at = seq;
  }

  put(found) {
    const shown = this.place.firstElementChild;
    if (shown) patch(shown, found);
    else this.place.append(found.cloneNode(true));
  }

  /** Resolves once the board of an entry is ready; rejects if it can't be had. */
  get(seq) {
    if (this.ready.has(seq)) return Promise.resolve();
    let coming = this.coming.get(seq);
    if (!coming) {
      coming = this.fetch(seq).finally(() => this.coming.delete(seq));
      this.coming.set(seq, coming);
    }
    return coming;
  }

  async fetch(seq) {
    const response = await fetch(this.address(`at/${seq}`), { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${response.status}`);
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    const board = template.content.querySelector("article.board");
    if (!board) throw new Error("something else than the service has answered");
    this.ready.set(seq, document.adoptNode(board));
    for (const old of this.ready.keys()) {
      if (this.ready.size <= KEPT) break;
      this.ready.delete(old);
    }
  }

  /** Makes boards ready that may be wanted next, the likeliest first; forgets what was wished before. */
  prefetch(seqs) {
    this.wanted = seqs.filter((seq) => seq > 0 && !this.ready.has(seq) && !this.coming.has(seq));
    this.more();
  }

  more() {
    while (this.running < AT_ONCE && this.wanted.length) {
      const seq = this.wanted.shift();
      if (this.ready.has(seq)) continue;
      this.running += 1;
      this.get(seq)
        .catch(() => {})
        .finally(() => {
          this.running -= 1;
          this.more();
        });
    }
  }
}
