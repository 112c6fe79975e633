/* The keys of the page: none of them while something is typed, or while a dialog is open. */

const STEPS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "entry-back",
  ArrowDown: "entry-on",
  PageUp: "turn-back",
  PageDown: "turn-on",
  Home: "first",
  End: "last",
};

function typing(target) {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, select, textarea, [contenteditable]")) return true;
  const field = target.closest("input");
  return Boolean(field) && field.type !== "range";
}

/** Calls `step(name)` and the other actions, by their keys. */
export function listen({ step, play, follow, help, options, why, scroll }) {
  const actions = { f: follow, "?": help, o: options, w: why };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target)) return;
    const name = STEPS[event.key];
    if (event.shiftKey && (name === "entry-back" || name === "entry-on")) {
      event.preventDefault();
      scroll(name === "entry-on" ? 1 : -1);
    } else if (name) {
      event.preventDefault();
      step(name);
    } else if (event.key === " ") {
      if (event.target.closest("button, a[href], summary")) return; // it presses that
      event.preventDefault();
      if (!event.repeat) play();
    } else if (actions[event.key] && !event.repeat) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}
