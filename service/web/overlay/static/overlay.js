/* An overlay: follows a match, or the matches of a table, and puts what it shows into its slots. */

import { follow } from "../layout/follow.js";
import { Patience } from "../layout/patience.js";
import { Announcer } from "./announcing.js";
import { Clocks } from "./clocks.js";
import { Stage } from "./stage.js";
import { code, signIn, renewSession, wasIn } from "./signing.js";

/** How often it is asked how far the match is, and which match a table has, in milliseconds. */
const ASK = 20000;
const LOOK = 2500;
/** The same while it may be shown that a judge is called; and how often a remote is asked. */
const SOON = 5000;
const STEP = 400;

const asked = document.body.dataset;
const stage = new Stage();
const clocks = new Clocks();
const replay = (document.querySelector(".banner-replay") || {}).textContent;
const wants = (name) => document.querySelector(`[data-slot="${name}"]`) !== null;

function address(path, query) {
  const all = new URLSearchParams(query || {});
  if (asked.lang) all.set("lang", asked.lang);
  const text = all.toString();
  return text ? `${path}?${text}` : path;
}

async function get(path, query) {
  const response = await fetch(address(path, query), { credentials: "same-origin" });
  if (response.ok) return response;
  const error = new Error(`${response.status} ${path}`);
  error.status = response.status;
  throw error;
}

/** Fetches data of a match: an overlay with a code uses its session, or gets nothing. */
const own = (path, query) => get(path, code ? { ...query, signed: 1 } : query);

function tell(error) {
  const faults = document.querySelector(".faults");
  if (!faults) return;
  const line = document.createElement("li");
  line.textContent = error.message;
  faults.append(line);
  while (faults.children.length > 12) faults.firstElementChild.remove();
}

let handedIn = false;

/** There is no session (any more): sends the code once more; resolves to whether it was accepted. */
async function renewed() {
  if (code && !handedIn) {
    handedIn = await signIn(tell, true);
    return handedIn;
  }
  if (!asked.needs) {
    asked.needs = "code";
    console.error(asked.code);
    tell(new Error(asked.code));
  }
  return false;
}

/** A request was answered. */
function signedIn() {
  handedIn = false;
  delete asked.needs;
}

/** The display of one match, until another takes its place. */
class Match {
  constructor(id) {
    this.id = id;
    this.lookAs(`/as/${encodeURIComponent(asked.view || "public")}`);
    this.left = false;
    this.again = false;
    this.newest = 0;
    this.shown = 0;
    this.pinned = 0; // the entry that is shown whatever is played meanwhile; 0: the newest
    this.busy = false;
    this.asking = false;
    this.timer = 0;
    this.following = null;
    this.patience = new Patience(2000);
    this.announcer = wants("announce") ? new Announcer(id, this.view, own) : null;
    this.pin(Number(asked.at));
    this.ask();
    if (asked.remote) this.obey();
  }

  /** As whom the match is looked at: what everybody sees is at an address that caches share. */
  lookAs(view) {
    this.view = view;
    this.base = `/overlay/${encodeURIComponent(this.id)}${view}`;
  }

  /** Asks for the match's progress: at first, and now and then, even if its stream fails. */
  async ask() {
    if (this.left || this.asking) return;
    this.asking = true;
    clearTimeout(this.timer);
    let wait = ASK;
    try {
      const now = await (await own(`${this.base}/now.json`)).json();
      if (this.left) return;
      signedIn();
      this.patience.over();
      if (this.view === "/as/public" && !now.own) this.lookAs("");
      if (!this.pinned) clocks.set(now.time, now.ticks);
      stage.banner("judge", this.pinned ? "" : now.called);
      if (now.calls) wait = SOON;
      if (this.announcer) this.announcer.begin(now.seq);
      this.reach(now.seq);
      if (!this.following) this.open(this.newest);
    } catch (error) {
      tell(error);
      wait = this.patience.next();
      if (error.status === 401) {
        this.hold();
        wait = (await renewed()) ? 0 : ASK;
      }
      if (asked.table && !this.again && error.status === 404) {
        this.again = true;
        await renewSession().catch(tell);
        wait = 0;
      }
    }
    this.asking = false;
    this.timer = setTimeout(() => this.ask(), wait);
  }

  /** Without a session the stream is the public's: its entries are not shown. */
  hold() {
    if (this.following) this.following.close();
    this.following = null;
    this.newest = this.shown;
    clocks.hold();
  }

  open(after) {
    const path = address(`/m/${encodeURIComponent(this.id)}${this.view}/follow`);
    const close = follow(path, after, {
      entry: ({ seq }) => this.reach(seq),
      state: (word) => {
        if (word === "ended") this.following = null;
      },
    });
    this.following = { close };
  }

  /** An entry is there: shows the match as it is after it, or after a later one. */
  reach(seq) {
    if (seq <= this.newest) return;
    this.newest = seq;
    this.show();
  }

  /** Shows one entry from now on; 0: the newest, and what is played. */
  pin(seq) {
    if (seq === this.pinned) return;
    this.pinned = seq;
    stage.banner("replay", seq ? replay : "");
    if (seq) stage.banner("judge", "");
    else this.ask();
    this.show();
  }

  get wanted() {
    return this.pinned || this.newest;
  }

  /** Shows what a remote wants shown. */
  async obey() {
    const patience = new Patience();
    while (!this.left) {
      try {
        const asking = await own(`${this.base}/remote.json`, { remote: asked.remote });
        const { at } = await asking.json();
        if (!this.left) this.pin(at || Number(asked.at));
        patience.over();
      } catch (error) {
        tell(error);
        await patience.wait();
      }
      await new Promise((resolve) => setTimeout(resolve, STEP));
    }
  }

  async show() {
    if (this.busy) return;
    this.busy = true;
    const patience = new Patience();
    while (!this.left && this.shown !== this.wanted) {
      const seq = this.wanted;
      try {
        await this.put(seq);
        this.shown = seq;
        patience.over();
        if (this.announcer && !this.pinned) this.announcer.reach(seq, `${this.base}/announced`);
      } catch (error) {
        tell(error);
        if (error.status === 401) {
          this.hold();
          this.ask();
        } else await patience.wait();
      }
    }
    this.busy = false;
  }

  async put(seq) {
    const board = wants("board") ? this.board(seq) : null;
    const text = await (await own(`${this.base}/at/${seq}`)).text();
    const drawn = board ? await board : "";
    if (this.left) return;
    const scene = stage.show(text);
    if (this.pinned) clocks.set(Number(scene.dataset.time), false);
    else clocks.reach(Number(scene.dataset.time));
    stage.banner("time", scene.dataset.called);
    if (board) stage.board(drawn);
    document.body.dataset.seq = seq;
  }

  async board(seq) {
    const path = `/m/${encodeURIComponent(this.id)}${this.view}/at/${seq}`;
    return (await get(path)).text();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    if (this.following) this.following.close();
    if (this.announcer) this.announcer.end();
  }
}

/** Follows a table: its match in the round that is played, and who plays there next. */
class Table {
  constructor(number, event) {
    this.path = `/overlay/table/${number}/now.json`;
    this.event = event;
    this.match = null;
    this.patience = new Patience(LOOK);
    this.look();
  }

  async look() {
    let wait = LOOK;
    try {
      const query = this.event ? { event: this.event } : {};
      if (wasIn()) query.signed = 1; // the code of a table is not valid before its first round
      const now = await (await get(this.path, query)).json();
      if (query.signed) signedIn();
      this.patience.over();
      this.event = now.event;
      stage.put("next", now.html);
      if (now.match !== (this.match ? this.match.id : "")) this.change(now.match);
    } catch (error) {
      tell(error);
      wait = this.patience.next();
      if (error.status === 401 && !(await renewed())) wait = ASK;
    }
    setTimeout(() => this.look(), wait);
  }

  change(match) {
    if (this.match) this.match.leave();
    stage.clear();
    this.match = match ? new Match(match) : null;
    document.body.dataset.shown = match;
  }
}

async function begin() {
  await signIn(tell);
  if (asked.table) {
    new Table(asked.table, asked.event);
  } else {
    new Match(asked.match);
  }
}

begin();
