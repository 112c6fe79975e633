/* The transcript: lines that come before and after those of the page, the current one, what is new. */

import { count } from "./timeline.js";

/** Entries whose lines are fetched at once: whole ranges, as everybody fetches them. */
const RANGE = 1024;

export class Transcript {
  /** `href(seq)` is the page at an entry, `address(path)` where a part of the match is. */
  constructor({ list, pane, template, timeline, address, href, text }) {
    Object.assign(this, { list, pane, template, timeline, address, href, text });
    this.lines = [...list.children];
    this.seqs = this.lines.map((line) => Number(line.dataset.seq));
    this.current = list.querySelector(".current");
    for (const line of this.lines) this.apart(line);
  }

  async fetch(after, upto) {
    const response = await fetch(this.address(`lines/${after}-${upto}.json`), { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${response.status}`);
    return (await response.json()).lines;
  }

  /** Fetches all lines up to an entry, around those that are there. */
  async fill(upto) {
    const there = new Set(this.seqs);
    const found = [];
    for (let after = 0; after < upto; after += RANGE) {
      found.push(...(await this.fetch(after, Math.min(after + RANGE, upto))));
    }
    const first = this.seqs.length ? this.seqs[0] : Infinity;
    const missing = found.filter((line) => !there.has(line.seq));
    this.insert(missing.filter((line) => line.seq < first), 0);
    this.insert(missing.filter((line) => line.seq > first), this.lines.length);
    return missing.length;
  }

  /** Puts lines before the line of an index. */
  insert(lines, index) {
    if (!lines.length) return;
    const made = lines.map((line) => this.make(line));
    const part = document.createDocumentFragment();
    part.append(...made);
    this.list.insertBefore(part, this.lines[index] || null);
    this.lines.splice(index, 0, ...made);
    this.seqs.splice(index, 0, ...lines.map((line) => line.seq));
    this.refresh(Math.max(0, index - 1));
  }

  /** Only the current line is stopped at by who goes through the page by Tab: steps lead to others. */
  apart(line) {
    line.querySelector("a").tabIndex = line === this.current ? 0 : -1;
  }

  make(data) {
    const line = this.template.content.firstElementChild.cloneNode(true);
    this.apart(line);
    line.classList.add(data.kind);
    if (data.minor) line.classList.add("minor");
    line.dataset.seq = data.seq;
    line.dataset.until = data.until;
    line.dataset.turn = data.turn;
    if (data.cards) line.dataset.cards = data.cards.join(" ");
    const by = line.querySelector(".by");
    by.textContent = data.by;
    if (data.seat >= 0) by.classList.add(`seat-${data.seat}`);
    line.querySelector(".text").textContent = data.text;
    const cites = line.querySelector(".cites");
    for (const { id, gist } of data.cites) {
      const cite = document.createElement("abbr");
      cite.title = gist;
      cite.textContent = id;
      cites.append(cite, " ");
    }
    return line;
  }

  /** Writes the parts that depend on neighbouring lines and later rewinds, from an index on. */
  refresh(from = 0) {
    for (let index = from; index < this.lines.length; index += 1) {
      const line = this.lines[index];
      const next = this.seqs[index + 1];
      const at = Math.max(this.seqs[index], (next || this.timeline.last + 1) - 1);
      if (line.dataset.at !== String(at)) {
        line.dataset.at = at;
        line.querySelector("a").href = this.href(at);
      }
      const turn = line.dataset.turn;
      const first = index === 0 || this.lines[index - 1].dataset.turn !== turn;
      if (first !== line.classList.contains("first") || index === 0) {
        line.classList.toggle("first", first);
        const label = turn === "0" ? this.text("setup") : this.text("turn", { n: turn });
        line.querySelector(".turn").textContent = first ? label : "";
      }
      const undone = Boolean(this.timeline.undone(this.seqs[index]));
      if (undone !== line.classList.contains("undone")) line.classList.toggle("undone", undone);
    }
  }

  /** The line that an entry belongs to. */
  lineOf(seq) {
    return this.lines[count(this.seqs, seq) - 1] || null;
  }

  /** Marks the line of an entry, and brings it into sight. */
  select(seq) {
    const line = this.lineOf(seq);
    if (line !== this.current) {
      if (this.current) {
        this.current.classList.remove("current");
        this.current.querySelector("a").removeAttribute("aria-current");
        this.current.querySelector("a").tabIndex = -1;
      }
      if (line) {
        line.classList.add("current");
        line.querySelector("a").setAttribute("aria-current", "true");
        line.querySelector("a").tabIndex = 0;
      }
      this.current = line;
    }
    return line;
  }

  /** Scrolls the transcript, never the page. */
  reveal() {
    if (!this.current || this.pane.scrollHeight <= this.pane.clientHeight) return;
    const pane = this.pane.getBoundingClientRect();
    const line = this.current.getBoundingClientRect();
    const margin = Math.min(80, pane.height / 4);
    if (line.top < pane.top + margin) this.pane.scrollTop += line.top - pane.top - margin;
    else if (line.bottom > pane.bottom - margin) this.pane.scrollTop += line.bottom - pane.bottom + margin;
  }
}
