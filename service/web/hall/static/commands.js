/* Forms and buttons that become commands of the API: prepared, confirmed, sent, reported.

A form (or a button) names its act in data-act. What was typed is handed to the page's own address
`prepare`, which answers with the request as it will be sent and, where something ends by it, with a
sentence to agree to. Then the request is sent under a name of its own: if nobody can say whether it
arrived, it is sent again under the same name, and carried out once. */

import { call, Refused, requestId, dataOf } from "../layout/api.js";
import { spoken } from "../layout/language.js";

/** Reasons that say that somebody else was quicker, or that the page is behind. */
const BEHIND = new Set(["DECISION_STALE", "RESULT_STALE", "RESULT_THERE", "SAME_RESULT", "CALL_ANSWERED",
  "CALL_TAKEN", "CLOCK_PAUSED", "CLOCK_RUNS", "TIME_CALLED", "ROUND_OPENED", "ROUND_STARTED", "ROUND_ENDED",
  "EVENT_ENDED", "LISTS_PUBLISHED", "PENALTY_WITHDRAWN", "MATCH_BEGUN", "MATCH_LIVE"]);

/**
 * Lets the forms of a page be sent. `prepare` is the address that makes commands of them, unless they
 * name another (data-prepare), `outcome` the element that shows their results, `extra` returns
 * fields that every form has, `tables` the tables that were ticked, and `done` is called after each
 * that was carried out or refused.
 */
export function commands({ prepare, outcome, extra = () => ({}), tables = () => [], done = () => {} }) {
  const words = document.getElementById("words").dataset;
  const busy = new Set();

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const data = button.dataset;
    if ("close" in data) button.closest("dialog").close();
    else if (data.fill) fill(button);
    else if (data.open) open(button);
    else if (data.act) {
      event.preventDefault();
      const form = button.closest("form");
      start(data.act, form ? fields(form, button) : fields(null, button), button, form);
    }
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.dataset.act) return;
    event.preventDefault();
    const button = event.submitter || form.querySelector("[type=submit]");
    start(form.dataset.act, fields(form, form), button, form);
  });

  function fill(button) {
    const form = button.closest("form");
    const input = form.elements[button.dataset.fill];
    input.value = button.dataset.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    const next = form.querySelector("[required]:invalid") || form.querySelector("[type=submit]");
    next.focus();
  }

  function open(button) {
    const dialog = document.getElementById(`dialog-${button.dataset.open}`);
    const form = dialog.querySelector("form");
    form.reset();
    for (const [key, value] of Object.entries(button.dataset)) {
      const name = key.startsWith("set") ? key.slice(3).toLowerCase() : key;
      if (form.elements[name]) form.elements[name].value = value;
      const named = form.querySelector(`[data-name="${name}"]`);
      if (named) named.textContent = value;
    }
    const title = form.querySelector("[data-title]");
    if (title && button.dataset.title) title.textContent = button.dataset.title;
    dialog.showModal();
  }

  /** The fields of a form and of the button that was pressed, by name. */
  function fields(form, source) {
    const found = {};
    const add = (key, value) => {
      if (!(key in found)) found[key] = value;
      else found[key] = [].concat(found[key], value);
    };
    if (form) for (const [key, value] of new FormData(form)) add(key, value);
    for (const key of ["call", "table", "player", "entry", "round", "decision", "by", "seat", "name"]) {
      if (source.dataset[key] !== undefined && !(key in found)) found[key] = source.dataset[key];
    }
    if ("tables" in source.dataset) found.tables = tables();
    return found;
  }

  async function start(act, given, button, form) {
    if (busy.has(act)) return;
    busy.add(act);
    if (button) button.disabled = true;
    try {
      const at = (button && button.dataset.prepare) || (form && form.dataset.prepare) || prepare;
      const found = await prepared(at, { ...extra(), ...given, act });
      if (!(await agreed(found))) return;
      await send(found, requestId(), form);
    } catch (error) {
      tellRefusal(error);
    } finally {
      busy.delete(act);
      if (button) button.disabled = false;
    }
  }

  async function prepared(at, form) {
    let response;
    try {
      response = await fetch(spoken(at), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(form),
        credentials: "same-origin",
      });
    } catch (error) {
      throw new Refused(0, { message: words.offline });
    }
    return dataOf(response);
  }

  let asking = Promise.resolve();

  /** Asks for confirmation of each sentence, one after the other. */
  function agreed(found) {
    asking = asking.catch(() => {}).then(() => ask(found));
    return asking;
  }

  /** Asks for confirmation of a command that ends or takes back something; resolves to the answer. */
  function ask({ warning, news }) {
    if (!warning && !news.length) return true;
    const dialog = document.getElementById("confirm");
    const text = document.getElementById("confirm-text");
    text.replaceChildren();
    if (news.length) {
      const list = document.createElement("ul");
      list.append(...news.map((one) => line("li", one)));
      text.append(line("p", words.news), list);
    }
    if (warning) text.append(line("p", warning));
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
  }

  async function send(found, name, form) {
    let answer;
    try {
      answer = await call(found.method, { ...found.request, requestId: name });
    } catch (error) {
      if (error.status === 0) unsent(found, name, form);
      else tellRefusal(error, form);
      return;
    }
    const failed = (answer.tables || []).filter((one) => one.state === "failed");
    const more = failed.map((one) => `${words.table.replace("{n}", one.table)}: ${one.text || one.reason}`);
    const codes = (answer.codes || []).map((one) => (answer.web ? `${one} · ${answer.web}/in#${one}` : one));
    const states = Object.entries(found.states).flatMap(([state, text]) => reported(answer, state, text));
    const tokens = form && "tokens" in form.dataset ? answer.tokens || [] : [];
    codes.push(...tokens.map((one) => `${one.role} · ${one.token}`));
    const notes = [...more, ...states, ...codes, ...(answer.caveats || []), ...(answer.faults || [])];
    const opened = !answer.recorded || answer.recorded.decision;
    const title = (!opened && found.undecided) || found.done || words.done;
    tell(failed.length ? "bad" : "good", [title, ...notes]);
    if (form) {
      const dialog = form.closest("dialog");
      if (dialog) dialog.close();
      if ("reset" in form.dataset) form.reset();
    }
    done(found);
  }

  function unsent(found, name, form) {
    const repeat = line("button", words.again);
    repeat.type = "button";
    repeat.addEventListener("click", async () => {
      repeat.disabled = true;
      await send(found, name, form);
    });
    tell("bad", [words.unsent], repeat);
    closed(form);
  }

  function tellRefusal(error, form) {
    if (!(error instanceof Refused)) throw error;
    const lines = [error.status === 0 ? words.offline : error.message];
    if (error.reason === "ROLL_REQUIRED" && form && form.elements.rolls) lines.push(missing(form.elements.rolls));
    if (error.rules.length) lines.push(words.rules.replace("{rules}", error.rules.join(", ")));
    const behind = error.code === "aborted" || BEHIND.has(error.reason);
    if (behind) lines.push(words.behind);
    tell("bad", lines);
    if (error.status === 401) location.reload();
    if (behind) closed(form);
    done(null);
  }

  /** The label of a field that has to be filled in, which gets the focus. */
  function missing(field) {
    field.focus();
    return field.labels[0].textContent.trim();
  }

  function closed(form) {
    const dialog = form && form.closest("dialog");
    if (dialog) dialog.close();
  }

  /** Shows the result of a command, in the page and in the dialog that is open. */
  function tell(how, lines, more) {
    const open = [...document.querySelectorAll("dialog[open]")].pop();
    const box = document.createElement("div");
    box.className = `outcome ${how}`;
    box.append(...lines.map((one) => line("p", one)));
    if (more) box.append(more);
    outcome.replaceChildren(box);
    if (open && how === "bad") {
      const note = box.cloneNode(true);
      note.setAttribute("role", "alert");
      open.querySelectorAll(".outcome").forEach((one) => one.remove());
      open.querySelector("form").append(note);
    } else if (!open) {
      box.scrollIntoView({ block: "nearest" });
    }
  }
}

/** What a state means, with the tables that are in it; nothing if none is. */
function reported(answer, state, text) {
  const tables = (answer.tables || []).filter((one) => one.state === state).map((one) => one.table);
  return tables.length ? [text.replace("{tables}", tables.join(", "))] : [];
}

function line(tag, text) {
  const found = document.createElement(tag);
  found.textContent = text;
  return found;
}
