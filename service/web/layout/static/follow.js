/* Follow a match: be told of each entry once, in order, whatever becomes of the connection. */

/**
 * Follows the stream at `address` from entry `after` on.
 *
 * `entry({seq, after})` is called for what is new: entries after `after` up to `seq`. `state(word)`
 * is told "live", "waiting" (for the connection) or "ended". Returns a function that stops it.
 */
export function follow(address, after, { entry, state = () => {} }) {
  let last = after;
  let source = null;
  let timer = 0;
  let stopped = false;

  function open() {
    source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${last}`);
    source.addEventListener("open", () => state("live"));
    source.addEventListener("entry", (event) => {
      const seq = Number(event.lastEventId);
      if (!(seq > last)) return;
      const before = last;
      last = seq;
      entry({ seq, after: before });
    });
    source.addEventListener("ended", () => {
      stop();
      state("ended");
    });
    source.addEventListener("error", () => {
      if (stopped) return;
      state("waiting");
      if (source.readyState === EventSource.CLOSED) {
        timer = setTimeout(open, 1000 + Math.random() * 2000);
      }
    });
  }

  function stop() {
    stopped = true;
    clearTimeout(timer);
    if (source) source.close();
  }

  open();
  return stop;
}
