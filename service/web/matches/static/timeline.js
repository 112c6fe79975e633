/* Where one can go in a match: decisions, turns, games, and what is marked (timeline.py in scripts). */

const LISTED = new Set(["irregularity", "ruling", "penalty", "rewind", "game", "time", "result", "end"]);

/** How many of some ascending numbers are at most `value`. */
export function count(seqs, value) {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seqs[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Timeline {
  constructor() {
    this.last = 0;
    this.decisions = []; // entries at which the options of a decision are on offer
    this.facts = []; // of each of them: {n, label, turn}
    this.turns = [];
    this.rewinds = [];
    this.moments = [];
    this.turn = 0;
    this.turnAt = []; // the number of each of the turns
  }

  /** Takes up marks of further entries, up to entry `last`. */
  add(marks, last) {
    for (const mark of marks) {
      const { kind, seq } = mark;
      const newest = this.decisions.length - 1;
      if (kind === "decision") {
        this.decisions.push(seq);
        this.facts.push({ n: mark.n, label: mark.label || "", turn: this.turn });
      } else if (kind === "options") {
        if (newest >= 0 && this.decisions[newest] === seq - 1) this.decisions[newest] = seq;
      } else if (kind === "turn") {
        this.turns.push(seq);
        this.turnAt.push(mark.n);
        this.turn = mark.n;
      } else if (kind === "rewind") {
        this.rewinds.push(mark);
      } else if (kind === "game") {
        this.turn = 0;
      }
      if (LISTED.has(kind)) this.moments.push(mark);
    }
    this.last = last;
  }

  /** The rewind that undid an entry. */
  undone(seq) {
    return this.rewinds.find((one) => one.to < seq && seq < one.seq);
  }

  /** The number of the turn at an entry; 0: none had begun. */
  turnOf(seq) {
    const index = count(this.turns, seq) - 1;
    return index < 0 ? 0 : this.turnAt[index];
  }

  /** Where a step from an entry leads; 0: nowhere. */
  step(name, at) {
    const before = (seqs) => seqs[count(seqs, at - 1) - 1] || 0;
    const after = (seqs) => seqs[count(seqs, at)] || 0;
    const found = {
      first: 1,
      "turn-back": before(this.turns),
      back: before(this.decisions),
      "entry-back": at - 1,
      "entry-on": at + 1,
      on: after(this.decisions) || this.last,
      "turn-on": after(this.turns),
      last: this.last,
    }[name];
    return found > 0 && found <= this.last && found !== at ? found : 0;
  }

  /** Where an entry lies on a scrubber over decisions: how many decisions are open or over by it. */
  place(seq) {
    const index = count(this.decisions, seq);
    const from = index ? this.decisions[index - 1] : 0;
    const to = index < this.decisions.length ? this.decisions[index] : this.last + 1;
    return index + (to > from ? (seq - from) / (to - from) : 0);
  }

  /** The stops of the scrubber: the beginning, the decisions, the end. */
  get stops() {
    return this.decisions.length + 1 + (this.decisions[this.decisions.length - 1] === this.last ? 0 : 1);
  }

  /** The entry at a stop. */
  stop(index) {
    if (index <= 0) return 1;
    return this.decisions[index - 1] || this.last;
  }

  /** The stop that an entry is at, or after. */
  at(seq) {
    if (seq >= this.last) return this.stops - 1;
    return count(this.decisions, seq);
  }
}
