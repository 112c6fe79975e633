/* The list of matches: times as one reads them, and while any is played, always the newest of it. */

import { localise } from "./times.js";

const EVERY = 10_000;

async function refresh() {
  const list = document.getElementById("list");
  if (document.hidden || !("live" in list.dataset) || list.contains(document.activeElement)) return;
  const address = new URL(location.href);
  address.searchParams.set("part", "list");
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    if (!response.ok || list.contains(document.activeElement)) return;
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = found.getElementById("list");
    if (!fresh) return;
    localise(fresh);
    list.replaceWith(fresh);
  } catch {
    /* it is tried again */
  }
}

localise(document);
setInterval(refresh, EVERY);
