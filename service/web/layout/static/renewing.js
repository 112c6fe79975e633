/* What a page shows, made anew: one look at a time, and nothing is exchanged that is the same. */

import { Patience } from "./patience.js";

/**
 * A function that looks anew; called while it does, it looks once more afterwards.
 *
 * `look` resolves to false where nothing could be had: then it looks again after a while, as long as
 * the page is seen; and so it does after `every` milliseconds, if that is given.
 */
export function renewing(look, every = 0) {
  const patience = new Patience();
  let asking = null;
  let stale = false;
  let timer = 0;

  function later(had) {
    asking = null;
    if (had !== false) patience.over();
    const pause = had === false ? patience.next() : every;
    if (stale) renew();
    else if (pause) timer = setTimeout(() => document.hidden || renew(), pause);
  }

  function renew() {
    clearTimeout(timer);
    stale = asking !== null;
    if (!asking) asking = look().then(later, (error) => {
      later(false);
      throw error;
    });
    return asking;
  }

  return renew;
}

/** Data from an address; undefined where it can't be had. `lost` is told that it can't. */
export async function data(address, lost) {
  const headers = { accept: "application/json" };
  const response = await fetch(address, { headers }).catch(() => null);
  if (response && [401, 404].includes(response.status)) location.reload();
  const found = response && response.ok ? await response.json().catch(() => undefined) : undefined;
  if (!found) lost();
  return found;
}

/** Puts a part of the page in the place of the one before; what had the focus has it again. */
export function exchange(id, html) {
  const element = document.getElementById(id);
  if (element.dataset.html === html) return;
  const held = element.contains(document.activeElement) ? document.activeElement.textContent : "";
  element.innerHTML = html;
  element.dataset.html = html;
  if (!held) return;
  const same = [...element.querySelectorAll("button, a")].find((one) => one.textContent === held);
  if (same) same.focus();
}

/** Follows something while the page is seen: a browser has few connections for all its tabs. */
export function whileSeen(start) {
  let stop = document.hidden ? null : start();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && stop) {
      stop();
      stop = null;
    } else if (!document.hidden && !stop) {
      stop = start();
    }
  });
}
