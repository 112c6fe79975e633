/* The scrubber: a slider over the decisions of a match, with what is marked drawn beneath it. */

/** How each kind of mark is drawn: its colour (a variable of the styles), and its height. */
const MARKS = {
  game: ["--ink", 1],
  irregularity: ["--bad", 0.75],
  penalty: ["--bad", 1],
  ruling: ["--mark", 1],
  rewind: ["--seat-3", 1],
  time: ["--dim", 1],
  result: ["--mark", 1],
  end: ["--ink", 1],
};

export class Scrubber {
  constructor({ slider, canvas, timeline, text, go }) {
    Object.assign(this, { slider, canvas, timeline, text });
    slider.addEventListener("input", () => go(timeline.stop(Number(slider.value))));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Takes up what the timeline has now. */
  refresh() {
    this.slider.max = this.timeline.stops - 1;
    this.draw();
  }

  /** Shows where an entry lies. */
  select(seq) {
    const { timeline, slider } = this;
    const stop = timeline.at(seq);
    slider.value = stop;
    const fact = timeline.facts[stop - 1];
    const turn = timeline.turnOf(seq);
    const value = fact
      ? this.text("value", { n: fact.n, of: timeline.facts.length, turn, what: fact.label })
      : this.text("newest", { n: seq, turn });
    slider.setAttribute("aria-valuetext", value);
    slider.title = value;
  }

  draw() {
    const { canvas, timeline } = this;
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width || !timeline.last) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const ink = canvas.getContext("2d");
    ink.scale(scale, scale);
    const styles = getComputedStyle(canvas);
    const of = Math.max(1, timeline.stops - 1);
    const inset = 8; // half a thumb
    const x = (seq) => inset + (Math.min(of, timeline.place(seq)) / of) * (width - 2 * inset);
    const line = (seq, colour, part, thick) => {
      ink.fillStyle = styles.getPropertyValue(colour);
      ink.fillRect(x(seq) - thick / 2, height * (1 - part), thick, height * part);
    };
    ink.globalAlpha = 0.35;
    ink.fillStyle = styles.getPropertyValue("--seat-3");
    for (const one of timeline.rewinds) ink.fillRect(x(one.to), 0, Math.max(2, x(one.seq) - x(one.to)), height);
    ink.globalAlpha = 1;
    for (const seq of timeline.turns) line(seq, "--line", 0.5, 2);
    for (const one of timeline.moments) {
      const [colour, part] = MARKS[one.kind];
      line(one.seq, colour, part, 3);
    }
  }
}
