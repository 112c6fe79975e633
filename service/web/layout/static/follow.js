/* Follow a match: each entry is announced once, in order, also after the connection was lost. */

import { connected } from "./links.js";
import { Patience } from "./patience.js";

/** A connection that lasted this many milliseconds counts as good, even without news. */
const HELD = 5000;

/**
 * Follows the stream at `address` from entry `after` on.
 *
 * `entry({seq, after})` is called for what is new: entries after `after` up to `seq`. `state(word)`
 * is called with "live", "waiting" (for the connection) or "ended". Returns a function that stops it.
 */
export function follow(address, after, { entry, state = () => {} }) {
  const patience = new Patience();
  let last = after;
  let source = null;
  let timer = 0;
  let opened = 0;
  let stopped = false;

  function open() {
    source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${last}`);
    source.addEventListener("open", () => {
      opened = performance.now();
      connected(true);
      state("live");
    });
    source.addEventListener("entry", (event) => {
      const seq = Number(event.lastEventId);
      if (!(seq > last)) return;
      const before = last;
      last = seq;
      patience.over();
      entry({ seq, after: before });
    });
    source.addEventListener("ended", () => {
      stop();
      state("ended");
    });
    source.addEventListener("error", () => {
      if (stopped) return;
      source.close(); // which would try again as often for ever, or never
      if (opened && performance.now() - opened > HELD) patience.over();
      opened = 0;
      timer = setTimeout(open, patience.next());
      connected(false);
      state("waiting");
    });
  }

  function stop() {
    stopped = true;
    connected(false);
    clearTimeout(timer);
    if (source) source.close();
  }

  open();
  return stop;
}
