/* What lights up together: a line of the transcript, its cards on the board, the arrow of an attack.

   It is those of the current line, or of the line or card that somebody points at. */

import { tile } from "../board/board.js";

export class Lighting {
  /** `board` is where boards are shown, `list` has the lines. */
  constructor(board, list) {
    Object.assign(this, { board, list, line: null, lit: [] });
    for (const name of ["pointerover", "focusin"]) {
      list.addEventListener(name, (event) => this.point(event.target.closest(".line")));
      board.addEventListener(name, (event) => this.find(event.target.closest("[data-card]")));
    }
    for (const name of ["pointerleave", "focusout"]) {
      for (const one of [list, board]) one.addEventListener(name, () => this.point(this.line));
    }
  }

  /** The current line is this: its cards are lit. */
  show(line) {
    this.line = line;
    this.point(line);
  }

  /** Lights the cards of a line. */
  point(line) {
    this.off();
    const cards = line && line.dataset.cards ? line.dataset.cards.split(" ") : [];
    this.on(...cards.map((card) => tile(this.board, card)));
    if (line && line !== this.line) this.on(line);
    const arrow = this.board.querySelector(":scope > .attack-arrow");
    if (arrow && this.lit.some((one) => one.classList.contains("attacking"))) this.on(arrow);
  }

  /** Lights the lines about a card, and the card. */
  find(card) {
    if (!card) return;
    this.off();
    this.on(card, ...this.list.querySelectorAll(`[data-cards~="${card.dataset.card}"]`));
  }

  on(...found) {
    for (const one of found) {
      if (!one) continue;
      one.classList.add("lit");
      this.lit.push(one);
    }
  }

  /** Nothing is lit: before another board takes the place of this one. */
  off() {
    for (const one of this.lit.splice(0)) one.classList.remove("lit");
  }
}
