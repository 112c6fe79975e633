/* The remote: steps the overlays of its channel through a match, and lets them be live again.

   The channel is made up here and kept in the browser, so that an overlay's address stays as it is. */

import { follow } from "../layout/follow.js";
import { Patience } from "../layout/patience.js";
import { listen } from "../matches/keys.js";
import { Timeline } from "../matches/timeline.js";

/** Marks are fetched by so many entries; what is shown is repeated after so many milliseconds. */
const RANGE = 1024;
const REPEAT = 20000;
const KEPT = "kifu remote";

const $ = (id) => document.getElementById(id);
const { match, lang } = $("remote").dataset;
const says = $("remote").dataset;
const id = encodeURIComponent(match);
const timeline = new Timeline();
const channel = kept();

let at = 0; // the entry that is shown; 0: the newest
let playing = 0;
let newest = 0;
let asking = false;

function kept() {
  const made = () => Array.from(crypto.getRandomValues(new Uint8Array(10)), (n) => n.toString(16).padStart(2, "0")).join("");
  try {
    if (!localStorage.getItem(KEPT)) localStorage.setItem(KEPT, made());
    return localStorage.getItem(KEPT);
  } catch (error) {
    return made();
  }
}

function address(path) {
  return lang ? `${path}?lang=${encodeURIComponent(lang)}` : path;
}

// -- what is shown ----------------------------------------------------------------------------------

/** Shows an entry; 0: the newest. */
function show(seq) {
  at = seq;
  draw();
  send();
}

let sent = Promise.resolve();
let repeated = 0;

/** Sends what is shown: one request after the other, the newest of those that wait. */
function send() {
  clearTimeout(repeated);
  repeated = setTimeout(send, REPEAT);
  const wanted = at;
  sent = sent.then(async () => {
    if (wanted !== at) return;
    const response = await fetch(`/overlay/${id}/remote.json`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ remote: channel, at: wanted }),
      credentials: "same-origin",
    }).catch(() => null);
    if (response && response.status === 401) location.reload();
    $("status").textContent = response && response.ok ? "" : says.lost;
  });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

function draw() {
  const fact = at ? timeline.facts[timeline.at(at) - 1] : null;
  const text = at
    ? filled(says.replay, { n: at, of: timeline.last, turn: timeline.turnOf(at) })
    : filled(says.live, { n: timeline.last });
  $("what").textContent = fact && fact.label ? `${text} · ${fact.label}` : text;
  $("remote").classList.toggle("is-replay", at > 0);
  $("live").setAttribute("aria-pressed", String(!at));
  $("slider").max = timeline.stops - 1;
  $("slider").value = timeline.at(at || timeline.last);
  $("slider").setAttribute("aria-valuetext", $("what").textContent);
  const turns = timeline.turns.length;
  while ($("turn").length < turns) {
    const n = $("turn").length;
    $("turn").add(new Option(String(timeline.turnAt[n]), String(timeline.turns[n])));
  }
  const turn = timeline.turns.filter((seq) => seq <= (at || timeline.last)).pop();
  if (turn) $("turn").value = String(turn);
  document.querySelectorAll("[data-step]").forEach((one) => {
    one.disabled = !timeline.step(one.dataset.step, at || timeline.last);
  });
}

/** A step from where it is; from the newest entry it is a replay from then on. */
function step(name) {
  stop();
  if (name === "last") {
    show(0);
    return;
  }
  const to = timeline.step(name, at || timeline.last);
  if (to) show(to);
}

function live() {
  stop();
  show(0);
}

// -- playing ----------------------------------------------------------------------------------------

function play() {
  if (playing) {
    stop();
    return;
  }
  if (!at) show(timeline.turns[timeline.turns.length - 1] || 1);
  playing = setTimeout(tick, Number($("speed").value));
  button();
}

/** The next decision; after the last one it is live. */
function tick() {
  const to = timeline.step("on", at);
  if (!to) {
    live();
    return;
  }
  show(to);
  playing = setTimeout(tick, Number($("speed").value));
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  button();
}

function button() {
  $("play").textContent = playing ? says.stop : says.play;
  $("play").setAttribute("aria-pressed", String(playing > 0));
}

// -- what is played meanwhile -----------------------------------------------------------------------

async function fetched(path) {
  const response = await fetch(address(`/m/${id}/as/public/${path}`), { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** Takes up the marks of all entries up to the newest. */
async function reach(seq) {
  newest = Math.max(newest, seq);
  if (asking) return;
  asking = true;
  const patience = new Patience();
  while (timeline.last < newest) {
    const after = timeline.last;
    const upto = Math.min(newest, after + RANGE - (after % RANGE));
    try {
      timeline.add((await fetched(`marks/${after}-${upto}.json`)).marks, upto);
      patience.over();
    } catch (error) {
      await patience.wait();
    }
  }
  asking = false;
  draw();
}

// -- the address ------------------------------------------------------------------------------------

function overlay() {
  const asked = new URLSearchParams({ theme: $("theme").value, remote: channel });
  if ($("with-board").checked) asked.set("show", "players,score,clock,turn,announce,banner,board");
  if (lang) asked.set("lang", lang);
  return `${location.origin}/overlay/${id}?${asked}`.replace(/%2C/g, ",");
}

function frame() {
  $("address").textContent = overlay();
  $("frame").src = overlay();
}

function resize() {
  $("frame").style.setProperty("transform", `scale(${$("preview").clientWidth / 1920})`);
}

async function begin() {
  $("theme").addEventListener("change", frame);
  $("with-board").addEventListener("change", frame);
  $("copy").addEventListener("click", async () => {
    const before = $("copy").textContent;
    await navigator.clipboard.writeText($("address").textContent).catch(() => {
      getSelection().selectAllChildren($("address"));
    });
    $("copy").textContent = $("copy").dataset.done;
    setTimeout(() => {
      $("copy").textContent = before;
    }, 1500);
  });
  window.addEventListener("resize", resize);
  resize();
  frame();
  const now = await fetched("now.json");
  await reach(now.seq);
  show(0);
  follow(address(`/m/${id}/as/public/follow`), now.seq, { entry: ({ seq }) => reach(seq) });
  document.querySelectorAll("[data-step]").forEach((one) => {
    one.addEventListener("click", () => step(one.dataset.step));
  });
  $("slider").addEventListener("input", () => {
    stop();
    show(timeline.stop(Number($("slider").value)));
  });
  $("turn").addEventListener("change", () => {
    stop();
    show(Number($("turn").value));
  });
  $("play").addEventListener("click", play);
  $("live").addEventListener("click", live);
  const nothing = () => {};
  listen({ step, play, follow: live, help: nothing, options: nothing, why: nothing, scroll: nothing });
  $("remote").dataset.ready = "";
}

begin();
