/* The list of matches: times as one reads them, and while any is played, always the newest of it. */

import { spoken } from "../layout/language.js";
import { localise } from "./times.js";

const EVERY = 10_000;

/** The time by the service's clock, from one of its answers; without one, by our own. */
function timeOf(response) {
  const date = Date.parse(response && response.headers.get("date"));
  return Number.isNaN(date) ? Date.now() : date;
}

async function refresh() {
  const list = document.getElementById("list");
  if (document.hidden || !("live" in list.dataset) || list.contains(document.activeElement)) return;
  const address = spoken(location.href);
  address.searchParams.set("part", "list");
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    if (!response.ok || list.contains(document.activeElement)) return;
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = found.getElementById("list");
    if (!fresh) return;
    localise(fresh, timeOf(response));
    list.replaceWith(fresh);
  } catch {
    /* it is tried again */
  }
}

fetch("/livez").catch(() => null).then((response) => localise(document, timeOf(response)));
setInterval(refresh, EVERY);
