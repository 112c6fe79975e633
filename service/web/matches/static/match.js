/* The page of a match: goes through it by entries, decisions and turns, and follows what is played. */

import { follow } from "../layout/follow.js";
import { lang, spoken } from "../layout/language.js";
import { Patience } from "../layout/patience.js";
import { renewing, whileSeen } from "../layout/renewing.js";
import { Boards } from "./boards.js";
import { Clocks } from "./clocks.js";
import { Details } from "./details.js";
import { listen } from "./keys.js";
import { Lighting } from "./lighting.js";
import { Scrubber } from "./scrubber.js";
import { Timeline } from "./timeline.js";
import { Transcript } from "./transcript.js";

const RANGE = 1024;
/** How often it is asked whether a judge is called, by who may know, in milliseconds. */
const CALLS = 5_000;
/** How often an ended match is asked whether its end was taken back, in milliseconds. */
const ENDED = 20_000;
/** How many decisions ahead and behind are made ready. */
const AHEAD = 4;

const $ = (id) => document.getElementById(id);
const root = $("match");
const { base, page, as, asked: askedLang } = root.dataset;
const texts = JSON.parse($("texts").textContent);

function text(name, values = {}) {
  return texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

function address(path) {
  return `${base}/${path}${lang === "en" ? "" : `?lang=${lang}`}`;
}

function href(seq) {
  const asked = new URLSearchParams();
  if (seq) asked.set("at", seq);
  if (as) asked.set("as", as);
  if (askedLang) asked.set("lang", askedLang);
  return `${page}?${asked}`;
}

const timeline = new Timeline();
const boards = new Boards($("board"), address);
const transcript = new Transcript({
  list: $("lines"), pane: $("pane"), template: $("line"), timeline, address, href, text,
});
const scrubber = new Scrubber({
  slider: $("slider"), canvas: $("ticks"), timeline, text, go: (seq) => leave(seq),
});
const details = new Details({
  panel: $("details"), heading: $("of-details"), body: $("reasons"), shut: $("shut"),
  address, href, text, go: (seq) => leave(seq), opened: () => transcript.reveal(),
});

const lighting = new Lighting($("board"), $("lines"));
const clocks = new Clocks(address("now.json"));

let at = Number(root.dataset.at);
let known = 0; // up to which entry lines and marks are there
let newest = Number(root.dataset.upto); // up to which there are any
let forward = true;
let following = false;
let playing = 0;
let stopFollowing = null;
let over = false; // it is asked now and then whether the match goes on after all
let renewed = 0;
let pace = "decision"; // by what the last step went
let tidying = 0;
let written = 0;

// -- going somewhere --------------------------------------------------------------------------------

/** Shows an entry. */
function show(seq) {
  forward = seq >= at;
  at = seq;
  if (boards.has(seq)) paint(seq);
  else
    boards.get(seq).then(
      () => at === seq && paint(seq),
      () => at === seq && say(text("missing")),
    );
  transcript.select(seq);
  scrubber.select(seq);
  caption();
  if (!tidying) tidying = requestAnimationFrame(() => setTimeout(after)); // the board is painted first
}

function paint(seq) {
  lighting.off();
  boards.paint(seq);
  lighting.show(transcript.lineOf(seq));
  say("");
}

/** Runs after a step, once the board is in its place. */
function after() {
  tidying = 0;
  transcript.reveal();
  undone();
  for (const link of document.querySelectorAll("a.step")) {
    const to = timeline.step(link.dataset.step, at);
    if (to) link.href = href(to);
    else link.removeAttribute("href");
  }
  for (const link of document.querySelectorAll(".views a")) {
    const to = new URL(link.href);
    to.searchParams.set("at", at);
    link.href = to;
  }
  boards.prefetch(neighbours());
  clearTimeout(written);
  written = setTimeout(write, 120);
}

function write() {
  const to = href(following ? 0 : at).replace(/\?$/, "");
  try {
    history.replaceState(null, "", to);
  } catch {
    /* too often: the next one will do */
  }
}

/** The entries that are looked at next, those first that the last step makes likely. */
function neighbours() {
  const along = (name, many) => {
    const found = [];
    let seq = at;
    for (let n = 0; n < many; n += 1) {
      seq = timeline.step(name, seq);
      if (seq) found.push(seq);
    }
    return found;
  };
  const by = (on, back, many) => (forward ? [...along(on, many), ...along(back, 1)] : [...along(back, many), ...along(on, 1)]);
  const decisions = by("on", "back", AHEAD);
  const entries = by("entry-on", "entry-back", AHEAD);
  const turns = by("turn-on", "turn-back", 1);
  const found = pace === "entry" ? [...entries, ...decisions, ...turns] : [...decisions, ...entries, ...turns];
  if (pace === "turn") found.unshift(...by("turn-on", "turn-back", 2));
  return [...new Set([...found, timeline.last, 1])];
}

function caption() {
  const line = transcript.current;
  const shown = $("caption");
  shown.replaceChildren();
  if (line) shown.append(line.querySelector(".by").cloneNode(true), " ", line.querySelector(".text").textContent);
}

/** Says so if what is shown was undone. */
function undone() {
  const rewind = timeline.undone(at);
  const notice = $("undone");
  notice.hidden = !rewind;
  if (!rewind || notice.dataset.by === String(rewind.seq)) return;
  notice.dataset.by = rewind.seq;
  const link = document.createElement("a");
  link.href = href(rewind.seq);
  link.dataset.seq = rewind.seq;
  link.textContent = text("on");
  notice.replaceChildren(text("undone", { n: rewind.seq, to: rewind.to }), " ", link);
}

/** Goes to an entry by somebody's wish: what is followed or played stops. */
function leave(seq) {
  if (!seq || seq > timeline.last) return;
  stop();
  if (following) setFollowing(false);
  if (seq !== at) show(seq);
}

function step(name) {
  pace = name.startsWith("entry") ? "entry" : name.startsWith("turn") ? "turn" : "decision";
  leave(timeline.step(name, at));
}

// -- playing ----------------------------------------------------------------------------------------

function play() {
  if (playing) {
    stop();
    return;
  }
  if (following) setFollowing(false);
  if (at === timeline.last) show(1);
  playing = setTimeout(tick, Number($("speed").value));
  button();
}

async function tick() {
  const to = timeline.step("on", at);
  if (!to) {
    stop();
    return;
  }
  await boards.get(to).catch(() => {});
  if (!playing) return;
  show(to);
  playing = setTimeout(tick, Number($("speed").value));
}

function stop() {
  if (!playing) return;
  clearTimeout(playing);
  playing = 0;
  button();
}

function button() {
  const label = text(playing ? "stop" : "play");
  $("play").title = label;
  $("play").firstElementChild.textContent = playing ? "‖" : "▶\ufe0e";
  $("play").lastElementChild.textContent = label;
}

// -- following --------------------------------------------------------------------------------------

function setFollowing(on) {
  following = on;
  $("follow").setAttribute("aria-pressed", on);
  if (on) {
    stop();
    if (timeline.last && at !== timeline.last) show(timeline.last);
  }
}

let catching = false;

/** Adds all lines and marks up to the newest entry, each once, also after failed requests. */
async function catchUp() {
  if (catching) return;
  catching = true;
  const patience = new Patience();
  while (known < newest) {
    const upto = Math.min(newest, known + RANGE - (known % RANGE));
    try {
      const [lines, marks] = await Promise.all([transcript.fetch(known, upto), fetchMarks(known, upto)]);
      if (following) await boards.get(upto);
      take(lines, marks, upto);
      patience.over();
    } catch {
      await patience.wait();
    }
  }
  catching = false;
}

function take(lines, marks, upto) {
  known = upto;
  timeline.add(marks, upto);
  const first = transcript.seqs.length ? transcript.seqs[transcript.seqs.length - 1] : 0;
  const fresh = lines.filter((line) => line.seq > first);
  transcript.insert(fresh, transcript.lines.length);
  if (marks.some((one) => one.kind === "rewind")) transcript.refresh();
  scrubber.refresh();
  moments();
  if ($("none")) $("none").remove();
  if (following) {
    show(upto);
    announce(fresh);
  } else scrubber.select(at);
  const grave = ["game", "game-end", "end", "result", "rewind", "pause", "time"];
  if (marks.some((one) => grave.includes(one.kind))) heading();
  clocks.refresh();
}

/** Reads new lines out, to who listens to the page. */
function announce(lines) {
  const news = $("news");
  news.replaceChildren();
  for (const line of lines.filter((one) => !one.minor).slice(-6)) {
    const row = document.createElement("p");
    row.textContent = `${line.by} ${line.text}`;
    news.append(row);
  }
}

async function fetchMarks(after, upto) {
  const response = await fetch(address(`marks/${after}-${upto}.json`), { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()).marks;
}

function watch() {
  stopFollowing = follow(address("follow"), newest, {
    entry: ({ seq }) => {
      newest = Math.max(newest, seq);
      catchUp();
    },
    state: (word) => {
      root.dataset.connection = word;
      if (word === "waiting") {
        say(text("waiting"));
        session();
      } else if (word === "live") {
        say("");
      } else if (word === "ended") {
        stopFollowing = null;
        over = true;
        heading();
        setTimeout(look, ENDED);
      }
    },
  });
}

/** Reloads the page if the session is over: the page says so then. */
async function session() {
  const response = await fetch(address("now.json"), { credentials: "same-origin" }).catch(() => null);
  if (response && response.status === 401) location.reload();
}

/** Looks whether the end of a match was taken back, or anything was added to it. */
async function look() {
  try {
    const response = await fetch(address("now.json"), { credentials: "same-origin" });
    const now = await response.json();
    if (response.ok && (now.seq > newest || now.state !== "ended")) {
      newest = Math.max(newest, now.seq);
      await catchUp();
      heading();
      if (now.state !== "ended") {
        over = false;
        if (!document.hidden) watch();
        return;
      }
    }
  } catch {
    /* it is asked again */
  }
  setTimeout(look, ENDED);
}

// -- the match as a whole ---------------------------------------------------------------------------

function say(what) {
  if (!what && root.dataset.connection === "waiting") what = text("waiting");
  if ($("status").textContent !== what) $("status").textContent = what;
}

/** Updates the header of the match; once more when no cache can have an older page. */
function heading() {
  renew();
  clearTimeout(renewed);
  renewed = setTimeout(renew, 2500);
}

/** Fetches its state, its score, what is noted of it. */
async function renew() {
  try {
    const response = await fetch(spoken(href(0)), { credentials: "same-origin" });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const id of ["heading", "notices"]) {
      const one = fresh.getElementById(id);
      if (one) $(id).replaceWith(document.adoptNode(one));
    }
    root.dataset.state = $("heading").dataset.state;
    clocks.since = performance.now();
  } catch {
    /* the next mark brings it */
  }
}

/** Lists what is marked. */
function moments() {
  const list = $("moments").querySelector("ol");
  const there = list.children.length;
  for (const one of timeline.moments.slice(there)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    item.className = one.kind;
    link.href = href(one.seq);
    link.dataset.seq = one.seq;
    const player = texts[`seat-${one.seat}`] || "";
    link.textContent = text(one.kind, { ...one, player }) + (one.note ? `: ${one.note}` : "");
    item.append(link);
    list.append(item);
  }
  $("moments").querySelector(".count").textContent = timeline.moments.length;
  $("moments").hidden = !timeline.moments.length;
}

async function copy() {
  const link = new URL(href(at), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    const field = document.createElement("textarea");
    field.value = link;
    field.className = "quiet";
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    $("copy").focus();
  }
  say(text("copied"));
}

function options() {
  const fact = timeline.facts[timeline.at(at) - 1] || timeline.facts[timeline.facts.length - 1];
  if (fact) details.show(`decision/${fact.n}`);
}

/** Shows while a judge is called to the table. */
function calls() {
  const notice = $("judge");
  if (!notice) return;
  const asking = renewing(async () => {
    const response = await fetch(address("called.json").replace(base, page), { credentials: "same-origin" });
    if (!response.ok) return false;
    const { called } = await response.json();
    if (notice.textContent !== called) notice.textContent = called;
    notice.hidden = !called;
    return true;
  }, CALLS);
  whileSeen(() => {
    asking();
    return () => {};
  });
}

// -- the beginning ----------------------------------------------------------------------------------

function plain(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

/** The list lies on the transcript. */
function shutMoments() {
  $("moments").open = false;
  $("moments").querySelector("summary").focus();
}

function clicks() {
  document.addEventListener("click", (event) => {
    if (!plain(event)) return;
    const stepping = event.target.closest("a.step");
    const line = event.target.closest("#lines .line");
    const moment = event.target.closest("#moments a, #undone a[data-seq]");
    const decision = event.target.closest("#board [data-decision]");
    if (stepping) {
      event.preventDefault();
      step(stepping.dataset.step);
    } else if (line) {
      event.preventDefault();
      leave(Number(line.dataset.at));
      details.show(`entry/${line.dataset.seq}`);
    } else if (moment) {
      event.preventDefault();
      if (moment.closest("#moments")) shutMoments();
      leave(Number(moment.dataset.seq));
    } else if (decision) {
      details.show(`decision/${decision.dataset.decision}`);
    }
  });
  $("moments").addEventListener("keydown", (event) => {
    if (event.key === "Escape") shutMoments();
  });
  $("play").addEventListener("click", play);
  $("follow").addEventListener("click", () => setFollowing(!following));
  $("options").addEventListener("click", options);
  $("copy").addEventListener("click", copy);
  $("help").addEventListener("click", () => $("keys").showModal());
  $("all").addEventListener("click", () => {
    const on = $("lines").classList.toggle("all");
    $("all").setAttribute("aria-pressed", on);
    transcript.reveal();
  });
}

async function begin() {
  boards.begin(at);
  clicks();
  listen({
    step,
    play,
    follow: () => setFollowing(!following),
    help: () => $("keys").showModal(),
    options,
    why: () => details.show(`entry/${at}`),
    scroll: (way) => {
      const pane = $("table");
      const by = way * 120;
      if (pane.scrollHeight > pane.clientHeight) pane.scrollTop += by;
      else scrollBy(0, by);
    },
  });
  const asked = new URLSearchParams(location.search).has("at");
  for (const id of ["scrub", "extras", "play", "all", "shut"]) $(id).hidden = false;
  for (const id of ["earlier", "later", "plain"]) if ($(id)) $(id).remove();
  const patience = new Patience();
  for (let after = 0; after < newest; after += RANGE) {
    const upto = Math.min(after + RANGE, newest);
    for (let done = false; !done; ) {
      try {
        timeline.add(await fetchMarks(after, upto), upto);
        done = true;
      } catch {
        await patience.wait();
      }
    }
  }
  scrubber.refresh();
  moments();
  following = !asked && root.dataset.state !== "ended";
  $("follow").setAttribute("aria-pressed", following);
  show(at);
  await fillIn();
  known = newest;
  transcript.reveal();
  root.dataset.ready = "";
  calls();
  whileSeen(() => {
    if (!over) watch();
    return () => {
      if (stopFollowing) stopFollowing();
      stopFollowing = null;
    };
  });
}

async function fillIn() {
  const patience = new Patience();
  for (;;) {
    try {
      await transcript.fill(newest);
      transcript.select(at);
      caption();
      return;
    } catch {
      await patience.wait();
    }
  }
}

begin();
