/* What a page shows, made anew: one look at a time, and nothing is exchanged that is the same. */

/** A function that looks anew; called while it does, it looks once more afterwards. */
export function renewing(look) {
  let asking = null;
  let stale = false;
  return function renew() {
    if (asking) {
      stale = true;
      return asking;
    }
    asking = look().finally(() => {
      asking = null;
      if (stale) {
        stale = false;
        renew();
      }
    });
    return asking;
  };
}

/** Data from an address; undefined where it can't be had. `lost` is told that it can't. */
export async function data(address, lost) {
  const headers = { accept: "application/json" };
  const response = await fetch(address, { headers }).catch(() => null);
  if (response && response.ok) return response.json();
  if (response && [401, 404].includes(response.status)) location.reload();
  lost();
  return undefined;
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
