/* The seat's page: the board as the seat sees it, what it is asked, and its commands. */

import { show as showBoard } from "../board/board.js";
import { call, Refused } from "../layout/api.js";
import { follow } from "../layout/follow.js";
import { Patience } from "../layout/patience.js";
import { Building } from "./building.js";
import { clocksFrom } from "./clocks.js";
import { mark, refsOf } from "./marks.js";
import { seeding } from "./seeds.js";
import { Sending } from "./sending.js";
import { answered, sure } from "./sure.js";
import {
  altered, announce, ask, board, fetched, fragment, head, lines, match, names, note,
  page, part, say, seat, sheet, show, state, tell, view, whose,
} from "./table.js";

const STORE = `kifu-seat/${match}/${seat}`;
const LINES = 12;
/** Entries whose lines are fetched at once, at most (`positions.routes`). */
const RANGE = 1024;

let now = null;
let building = null;
let shown = { board: -1, lines: 0 };

// -- updating -------------------------------------------------------------------------------------

let looking = null;
let lookAgain = false;
let timer = 0;
const patience = new Patience();

/** Fetches the open question; if called meanwhile, once more afterwards; later if it fails. */
function look() {
  clearTimeout(timer);
  if (looking) {
    lookAgain = true;
    return looking;
  }
  looking = (async () => {
    try {
      do {
        lookAgain = false;
        await looked();
      } while (lookAgain);
    } finally {
      looking = null;
    }
  })();
  return looking.then(seen, (error) => {
    if (!(error instanceof Refused)) throw error;
    if (error.passing) {
      away();
      timer = setTimeout(look, patience.next());
    } else tell(error.message, "bad");
  });
}

/** Shows that the connection is lost, unless another message is shown, which must not be missed. */
function away() {
  if (!note.textContent) tell(say.waiting);
}

/** The page shows what is asked: from the first time on it is followed. */
function seen() {
  patience.over();
  if (note.textContent === say.waiting && page.dataset.connection !== "waiting") tell("");
  return join();
}

async function looked() {
  const found = await fetched("/choices");
  if (now && found.seq < now.seq) return;
  const renewed = !now || now.decision !== found.decision || now.mine !== found.mine;
  if (renewed && now && Object.keys(names).length) {
    state({});
    lookAgain = true;
  }
  now = found;
  head.innerHTML = found.head;
  clocksFrom(found.clocks);
  const drawing = Promise.all([drawBoard(found.seq), drawLines(found.seq)]);
  drawing.catch(() => {}); // whoever waits for it reports it
  if (building && building.state.decision !== found.decision) {
    const wished = !building.alone || building.before.length; // else it was begun by itself
    drop(wished && !page.classList.contains("sending") ? say.lost : "");
  }
  if (!building) {
    if (renewed || !ask.querySelector(".besides[open], [data-do=shut]")) await choices();
    else marked();
  } else marked();
  document.body.dataset.state = found.over ? "over" : found.mine ? "mine" : "waiting";
  page.dataset.seq = found.seq;
  page.dataset.decision = found.decision;
  if (renewed) announce(found.announced);
  await drawing;
  marked();
  if (renewed && found.mine) inView();
  if (found.seeds) await seeding(found.seeds);
  else if (note.textContent === say.seeding) tell("");
}

async function drawBoard(seq) {
  if (shown.board === seq) return;
  const html = await fragment(`at/${seq}`);
  if (seq < shown.board || !html) return;
  if (!html.includes('<article class="board')) throw new Refused(0, {}); // of somebody in between
  shown.board = seq;
  const inside = board.contains(document.activeElement);
  showBoard(board, html);
  if (inside && document.activeElement === document.body) board.focus({ preventScroll: true });
}

async function drawLines(seq) {
  const after = shown.lines || Math.max(0, seq - 60);
  if (seq <= after) return;
  const missed = []; // the newest first: as many as there is room for, however long one was away
  for (let upto = seq; upto > after && missed.length < LINES; ) {
    const from = Math.max(after, upto - RANGE);
    const holder = document.createElement("template");
    holder.innerHTML = await fragment(`lines/${from}-${upto}`);
    missed.push(...[...holder.content.querySelectorAll("li.line:not(.minor)")].reverse());
    upto = from;
  }
  shown.lines = seq;
  lines.prepend(...missed);
  while (lines.children.length > LINES) lines.lastElementChild.remove();
}

// -- what is asked --------------------------------------------------------------------------------

/** Shows what may be chosen; an act that was begun, or the only one there is, is gone on with. */
async function choices() {
  const act = begun();
  const wanted = act && act.decision === now.decision ? act : now.only ? fresh({ option: 0 }) : null;
  const decision = now.decision;
  if (wanted && now.mine) {
    const found = builder(wanted);
    found.alone = now.only && !wanted.interjects;
    try {
      await found.start();
      if (now.decision !== decision || building) return;
      building = found;
      return draw();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sessionStorage.removeItem(`${STORE}/act`);
    }
  }
  show(now.html);
  marked();
}

/** The act that was begun when the page was left, if any. */
function begun() {
  try {
    return JSON.parse(sessionStorage.getItem(`${STORE}/act`) || "null");
  } catch (error) {
    return null;
  }
}

function marked() {
  if (!now) return;
  if (building && building.answer) {
    const { answer, state } = building;
    mark(board, say.pick, { can: answer.can, picked: [].concat(...state.picks) });
  } else mark(board, say.pick, { acts: now.mine ? Object.keys(now.cards) : [] });
}

/** On a phone the sheet covers much of the board: what can be touched is brought to where it is seen. */
function inView() {
  const first = board.querySelector("[data-touch]");
  if (!first || window.innerWidth > 960) return;
  const { top, bottom } = first.getBoundingClientRect();
  const edge = sheet.getBoundingClientRect();
  const shown = edge.left > 0 ? window.innerHeight : edge.top; // beside the board, or below it
  if (top < 0 || bottom > shown) first.scrollIntoView({ block: "start" });
}

function drop(why = "") {
  building = null;
  sessionStorage.removeItem(`${STORE}/act`);
  if (why) tell(why);
}

const fresh = ({ option = 0, interjects = false }) => ({
  decision: now.decision, option, interjects, picks: [], closed: 0, usual: true, before: [],
});
const builder = (state) => new Building((asking) => fetched("/fit", asking), state);

/** Shows the act that is being built, as it is by now. */
function draw() {
  sessionStorage.setItem(`${STORE}/act`, JSON.stringify(building.kept));
  show(building.answer.html);
  const alone = now.only && !building.state.interjects && !building.before.length;
  for (const button of ask.querySelectorAll("[data-do=cancel]")) button.hidden = alone;
  for (const button of ask.querySelectorAll("[data-do=back]")) button.hidden = !building.before.length;
  marked();
  inView();
  announce(building.answer.announced);
}

/** Runs a step of an act; what it is refused with leaves all as it is. */
async function stepped(step) {
  const mine = building;
  if (!mine) return;
  try {
    const answer = await step();
    if (building !== mine) return;
    if (answer === false) cancel();
    else draw();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (building !== mine) return;
    if (!building.answer) drop();
    if (error.reason === "DECISION_STALE") await stale();
    else tell(error.status ? error.message : say.waiting, "bad");
  }
}

function begin(what) {
  tell("");
  building = builder(fresh(what));
  return stepped(() => building.start());
}

function cancel() {
  drop();
  tell("");
  choices();
  announce(now.announced);
}

async function stale() {
  drop();
  tell(say.stale);
  await look();
  await choices();
}

// -- commands -------------------------------------------------------------------------------------

const sending = new Sending(`${STORE}/sent`, {
  waiting: () => tell(say.offline, "bad"),
});

async function command(method, request, id) {
  if (page.classList.contains("sending")) return;
  page.classList.add("sending");
  tell("");
  try {
    await sending.send(method, request, id);
    const more = ask.querySelector(".besides");
    if (more) more.open = false; // what comes may look the same, and stay as it is
    drop();
    tell("");
    await look();
    await choices();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    page.classList.remove("sending");
    await refused(error, method, request);
  } finally {
    page.classList.remove("sending");
  }
}

/** What is typed where chance is asked for. */
const NUMBERS = { pattern: "[0-9 ,]*[0-9][0-9 ,]*", required: "" };
/** What a command is refused with whose names of cards can't be. */
const NAMES = ["CARD_UNKNOWN", "CARD_KNOWN", "CARD_NOT_IN_LIST"];

async function refused(error, method, request) {
  if (error.reason === "DECISION_STALE") return stale();
  if (error.reason === "CARD_UNNAMED" || error.reason === "ROLL_REQUIRED") return stated(error, method, request);
  if (NAMES.includes(error.reason)) {
    state({}); // else each later command would bring the same name, and fail with it
    await look();
    await choices();
    return tell(error.message, "bad");
  }
  if (!request.act) return tell(error.message, "bad");
  tell(error.message || say.refused, "bad");
  announce(error.message);
  try {
    const answer = await fetched("/why", { act: request.act });
    if (answer.refused) showWhy(answer);
  } catch (other) {
    if (!(other instanceof Refused)) throw other;
  }
}

function choose(act) {
  return command("MatchService/Choose", {
    matchId: match, decision: now.decision, act, ...whose, ...stating(),
  });
}

/** The card names in a command at a real table. */
function stating() {
  const found = Object.entries(names).map(([number, card]) => ({ number: Number(number), card }));
  return found.length ? { names: found } : {};
}

function interject(act) {
  return command("MatchService/Interject", { matchId: match, act, ...whose });
}

async function confirm() {
  if (!building || !building.answer.done) return;
  const { act, interjects } = building.answer;
  await (interjects ? interject(act) : choose(act));
}

/** Asks which card one is, until there is such a card; resolves to its id. Empty: left unsaid. */
async function identity(number, text, label) {
  let id = "";
  const check = async (name) => ({ card: id } = await fetched("/named", { number, name }));
  return (await sure(text, label, { list: "cards", check })) ? id : "";
}

/** At a real table: a card has to be named before its acts are known. */
async function named(number) {
  const { card } = now.acts[now.cards[number][0]];
  const id = await identity(card.number, say.which, say.card);
  if (!id) return;
  state({ ...names, [card.number]: id });
  try {
    now = await fetched("/choices");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    state({});
    return tell(error.message, "bad");
  }
  tell("");
  if ((now.cards[number] || []).length) menu(now.cards[number]);
  else await why(Number(number));
  marked();
}

async function option(at) {
  if (now.unnamed[at]) return named(now.acts[at].card.number);
  if (now.parts[at]) await begin({ option: at });
  else await choose(now.acts[at]);
}

async function openAct(button) {
  const at = Number(button.dataset.open);
  if (button.dataset.ordering) return begin({ option: at, interjects: true });
  if (!(await sure(say.concede.replace("{act}", button.textContent.trim())))) return;
  await begin({ option: at, interjects: true });
  await confirm();
}

async function judge() {
  if (!(await sure(say.judge, say.about))) return;
  const { event, table } = page.dataset;
  try {
    await call("TournamentService/RaiseCall", {
      eventId: event, table: Number(table), text: answered(), requestId: crypto.getRandomValues(new Uint32Array(3)).join("-"),
    });
    tell(say.called, "good");
    announce(say.called);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message, "bad");
  }
}

async function undo() {
  if (!(await sure(say.undo))) return;
  await command("DeskService/UndoEntry", { matchId: match, openDecision: now.decision });
}

function leave() {
  const steps = Array.from(ask.querySelectorAll("[name=step]:checked"), (one) => one.value);
  const autoPass = { untilTurnEnds: part("until-turn").checked, untilRivalActs: part("until-rival").checked, steps };
  return command("MatchService/SetAutoPass", { matchId: match, decision: now.decision, autoPass, ...whose });
}

const withdraw = () => setting("WithdrawAutoPass");

/** Sets when the seat is asked, as its switch stands now. */
function asks() {
  const words = { always: "ASKS_ALWAYS", able: "ASKS_ABLE", marked: "ASKS_MARKED" };
  const marked = Array.from(ask.querySelectorAll("[name=window]:checked"), (one) => one.value);
  const word = words[ask.querySelector("[name=asks]:checked").value];
  return setting("SetAutoPass", { passSwitch: { asks: word, marked } });
}

async function setting(method, what = {}) {
  try {
    await call(`MatchService/${method}`, { matchId: match, ...what, ...whose });
    await look();
    choices();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message, "bad");
  }
}

/** At a real table: what has to be stated with a command, which is sent again with it. */
async function stated(error, method, request) {
  const more = { names: request.names || [], rolls: request.rolls || [] };
  if (error.reason === "CARD_UNNAMED") {
    const places = (error.metadata.places || "").split(",");
    for (const [at, number] of (error.metadata.cards || "").split(",").entries()) {
      const card = await identity(Number(number), error.message, say.name.replace("{place}", places[at] || ""));
      if (!card) return;
      more.names = more.names.concat([{ number: Number(number), card }]);
    }
  } else {
    const { kind, of } = error.metadata;
    if (!(await sure(error.message, say.roll.replace("{kind}", kind).replace("{of}", of), NUMBERS))) return;
    const outcome = answered().split(/[\s,]+/).filter(Boolean).map(Number);
    more.rolls = more.rolls.concat([{ outcome }]);
  }
  await command(method, { ...request, ...more });
}

// -- why not --------------------------------------------------------------------------------------

function showWhy(answer) {
  show(answer.html);
  announce(answer.announced);
}

/** Shows why a card has no act, unless another question is open when the answer comes. */
async function why(card) {
  const { decision, mine } = now;
  try {
    const answer = await fetched("/why", { card });
    if (now.decision === decision && now.mine === mine && !building) showWhy(answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message, "bad");
  }
}

function shut() {
  tell("");
  if (building && building.answer) show(building.answer.html);
  else choices();
  marked();
}

// -- what is touched ------------------------------------------------------------------------------

const DO = {
  option: (button) => option(Number(button.dataset.option)),
  openAct,
  judge,
  undo,
  leave,
  withdraw,
  asks,
  pick: (button) => stepped(() => building.pick(JSON.parse(button.dataset.ref))),
  value: (button) => stepped(() => building.value(Number(button.dataset.ref))),
  number: () => part("typed").reportValidity() && stepped(() => building.value(Number(part("typed").value))),
  text: () => stepped(() => building.value(part("typed").value)),
  unpick: (button) => stepped(() => building.unpick(Number(button.dataset.part), Number(button.dataset.at))),
  up: (button) => stepped(() => building.up(Number(button.dataset.part), Number(button.dataset.at))),
  again: (button) => stepped(() => building.again(Number(button.dataset.part))),
  close: () => stepped(() => building.close()),
  rest: () => stepped(() => building.rest()),
  back: () => stepped(() => building.back()),
  cancel,
  confirm,
  shut,
};

ask.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button || page.classList.contains("sending")) return;
  DO[button.dataset.do](button);
});

/** A card or a place was touched: it is picked, does what it can, or says why not. */
async function touched(target) {
  const refs = refsOf(target);
  if (!refs.length || page.classList.contains("sending") || !now) return;
  if (building && building.answer) {
    const found = refs.find((one) => building.answer.can.includes(one));
    if (found !== undefined) await stepped(() => building.pick(found));
    return;
  }
  const found = refs.find((one) => now.mine && now.cards[one]);
  unfold(true);
  if (found === undefined) {
    if (typeof refs[0] === "number") await why(refs[0]);
  } else if (now.cards[found].length === 1) await option(now.cards[found][0]);
  else menu(now.cards[found]);
}

/** The options of one card alone. */
function menu(options) {
  show(now.html);
  altered();
  for (const button of ask.querySelectorAll("[data-do=option]")) {
    button.parentElement.hidden = !options.includes(Number(button.dataset.option));
  }
  const list = ask.querySelector(".choices");
  for (const at of options) {
    if (ask.querySelector(`[data-do=option][data-option="${at}"]`)) continue;
    const alike = Array.from(ask.querySelectorAll("[data-do=option]")).find(
      (button) => now.alike[at] === Number(button.dataset.option),
    );
    if (!alike) continue;
    const item = alike.parentElement.cloneNode(true);
    item.hidden = false;
    item.firstElementChild.dataset.option = at;
    list.append(item);
  }
  const all = document.createElement("button");
  all.type = "button";
  all.dataset.do = "shut";
  all.textContent = say.all;
  list.after(all);
  const first = ask.querySelector(".choices li:not([hidden]) button");
  if (first) first.focus({ preventScroll: true });
}

board.addEventListener("click", (event) => {
  if (event.target.closest("a, summary")) return;
  touched(event.target);
});

board.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.matches("[role=button]")) return;
  event.preventDefault();
  touched(event.target);
});

/** Digits choose as the buttons are numbered; Enter does what is done next, wherever the focus is. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing || part("sure").open) return;
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog")) return;
  const enters = event.key === "Enter" && !event.target.closest("button, a, summary, label, [role=button]");
  if (!enters && !/^[1-9]$/.test(event.key)) return;
  const numbered = Array.from(ask.querySelectorAll(".choices button, .can button")).filter((one) => one.checkVisibility());
  const button = enters ? ask.querySelector(".steps-row .main, .row .main") : numbered[Number(event.key) - 1];
  if (!button) return;
  event.preventDefault();
  button.click();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || part("sure").open || page.classList.contains("sending")) return;
  if (ask.querySelector("[data-do=shut]")) shut();
  else if (building) stepped(() => building.back());
});

function unfold(open) {
  sheet.classList.toggle("folded", !open);
  part("fold").setAttribute("aria-expanded", String(open));
}

part("fold").addEventListener("click", () => unfold(sheet.classList.contains("folded")));

// -- beginning ------------------------------------------------------------------------------------

/** Sends a command again that was under way when the page was left. */
async function takeUp() {
  const sent = sending.left();
  if (sent) await command(sent.method, sent.request, sent.id);
}

let joined = false;

async function join() {
  if (joined) return;
  joined = true;
  follow(`/m/${match}/as/${view}/follow`, now.seq, {
    entry: () => look(),
    state: (word) => {
      const before = page.dataset.connection;
      page.dataset.connection = word;
      if (word === "waiting") away();
      else if (before) look();
      else if (note.textContent === say.waiting) tell("");
    },
  });
  await takeUp();
}

look();
