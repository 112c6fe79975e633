/* Updates a page: one request at a time, and elements that are the same are left alone. */

import { Patience } from "./patience.js";

/**
 * A function that updates; if it is called meanwhile, it updates once more afterwards.
 *
 * `look` resolves to false if it got nothing: then it is tried again after a while, as long as the
 * page is visible; and also after `every` milliseconds, if that is given.
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

/** Data from an address; undefined if the request fails, and then `lost` is called. */
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
