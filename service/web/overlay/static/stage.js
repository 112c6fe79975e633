/* The slots of an overlay: fills them, and marks what has changed. */

/** The class of what is new is taken off after so many milliseconds. */
const NEW = 1500;
/** Letters shrink to this share of their size before a text is cut. */
const LEAST = 0.6;
/** Slots that are not filled by scenes. */
const OTHERS = ["announce", "next", "banner", "board"];

export class Stage {
  constructor() {
    this.slots = new Map();
    document.querySelectorAll(".slot").forEach((slot) => {
      this.slots.set(slot.dataset.slot, slot);
      place(slot);
    });
    this.texts = new Map();
    window.addEventListener("resize", () => {
      fit(document.body);
    });
    if (document.fonts && document.fonts.ready) document.fonts.ready.then(() => fit(document.body));
  }

  /** Puts the elements of a scene into their slots; returns the scene. */
  show(text) {
    const scene = parsed(text).querySelector(".scene");
    const there = new Map();
    scene.querySelectorAll("[data-slot]").forEach((one) => there.set(one.dataset.slot, one));
    this.slots.forEach((slot, name) => {
      if (!OTHERS.includes(name)) this.change(name, there.get(name) || null);
    });
    return scene;
  }

  /** Puts a text into one slot. */
  put(name, text) {
    if (!this.slots.has(name)) return;
    this.change(name, parsed(text).firstElementChild);
  }

  /** Puts a board in its slot, where its styles and those of a theme know nothing of each other. */
  board(text) {
    const slot = this.slots.get("board");
    if (!slot || this.texts.get("board") === text) return;
    this.texts.set("board", text);
    if (!slot.shadowRoot) {
      slot.attachShadow({ mode: "open" });
      slot.dataset.styles.split(" ").forEach((href) => {
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.href = href;
        slot.shadowRoot.append(link);
      });
      const inside = document.createElement("div");
      inside.className = "inside";
      slot.shadowRoot.append(inside);
    }
    const inside = slot.shadowRoot.querySelector(".inside");
    inside.replaceChildren(withoutHands(parsed(text)));
    inside.hidden = !inside.firstElementChild;
  }

  /** Shows a banner with a text; none: hides it. */
  banner(name, text) {
    const one = document.querySelector(`.banner-${name}`);
    if (!one) return;
    one.hidden = !text;
    if (text && one.textContent !== text) one.textContent = text;
  }

  /** Empties all slots but those of announcements and of the next round. */
  clear() {
    this.slots.forEach((slot, name) => {
      if (!OTHERS.includes(name)) this.change(name, null);
    });
    this.board("");
    document.querySelectorAll(".banner").forEach((one) => {
      one.hidden = true;
    });
  }

  change(name, element) {
    const slot = this.slots.get(name);
    const text = element ? element.outerHTML : "";
    if (this.texts.get(name) === text) return;
    this.texts.set(name, text);
    const before = slot.firstElementChild;
    if (!element) {
      slot.replaceChildren();
      return;
    }
    const key = element.dataset.key || "";
    if (!before || before.dataset.key !== key) mark(element, "is-new");
    if (before) markValues(before, element);
    element.querySelectorAll("img.picture").forEach((one) => {
      one.addEventListener("error", () => one.remove());
    });
    slot.replaceChildren(element);
    fit(slot);
  }
}

function parsed(text) {
  const found = document.createElement("template");
  found.innerHTML = text;
  return found.content;
}

/** A board without the rows of hands of which no card is seen: the players' panels count those. */
function withoutHands(board) {
  board.querySelectorAll(".zone.hand").forEach((hand) => {
    const row = number(hand, "y");
    const alone = [...hand.parentElement.children].every((one) => one === hand || number(one, "y") !== row);
    if (!alone || hand.querySelector("[data-card]")) return;
    const high = number(hand, "h");
    const side = hand.closest(".side");
    hand.parentElement.querySelectorAll(".zone").forEach((one) => {
      if (number(one, "y") > row) renumber(one, "y", -high);
    });
    renumber(side, "u", -high);
    hand.remove();
  });
  return board;
}

/** The number in a class of the mat: of `y3` it is 3. */
function number(element, letter) {
  const found = [...element.classList].find((name) => new RegExp(`^${letter}[0-9]+$`).test(name));
  return found ? Number(found.slice(1)) : 0;
}

function renumber(element, letter, by) {
  const n = number(element, letter);
  element.classList.replace(`${letter}${n}`, `${letter}${n + by}`);
}

function mark(element, name) {
  element.classList.add(name);
  setTimeout(() => element.classList.remove(name), NEW);
}

/** Marks the figures that are not what they were. */
function markValues(before, after) {
  after.querySelectorAll("[data-value]").forEach((one) => {
    const old = before.querySelector(`[data-value="${one.dataset.value}"]`);
    if (!old || old.textContent === one.textContent) return;
    const less = Number(one.textContent) < Number(old.textContent);
    mark(one, less ? "is-less" : "is-more");
  });
}

/** Puts a slot where the address wants it, where that is no place that has a name. */
function place(slot) {
  const { x, y, size } = slot.dataset;
  if (x) slot.style.setProperty("--x", x);
  if (y) slot.style.setProperty("--y", y);
  if (size) slot.style.setProperty("--size", String(Number(size) / 100));
}

/** Makes the letters of long names smaller, so that they fit. */
export function fit(within) {
  within.querySelectorAll("[data-fit]").forEach((one) => {
    one.style.removeProperty("--fit");
    const text = document.createRange();
    text.selectNodeContents(one);
    // the one is in whole pixels, the other without what a style puts before it
    const width = Math.max(one.scrollWidth, text.getBoundingClientRect().width + 1);
    if (!one.clientWidth || width <= one.clientWidth) return;
    const share = Math.max(LEAST, (one.clientWidth / width) * 0.99);
    one.style.setProperty("--fit", share.toFixed(3));
  });
}
