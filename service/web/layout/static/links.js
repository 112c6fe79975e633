/* Links while the service is away: the page stays, says so, and goes on once it is back.

   Without this the browser shows a page of its own there, which not every browser tries once more. A page
   whose connection stands follows its links at once; any other asks first whether the service is there. */

import { Patience } from "./patience.js";

let live = false;
let chosen = null;

/** Notes whether what the page follows is connected. */
export function connected(is) {
  live = is;
}

window.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  if (!link || event.defaultPrevented || !plain(event, link) || (live && navigator.onLine)) return;
  event.preventDefault();
  go(link);
});

/** Whether a click opens another page of the service in this window. */
function plain(event, link) {
  const modified = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const elsewhere = link.origin !== location.origin || link.target || link.hasAttribute("download");
  const here = link.pathname === location.pathname;
  const kept = here && navigator.serviceWorker && navigator.serviceWorker.controller;
  return !(modified || elsewhere || kept || (here && link.search === location.search && link.hash));
}

/** Goes where a link leads as soon as the service answers, unless another one is chosen by then. */
async function go(link) {
  const { href, textContent } = link; // the page may be drawn anew meanwhile
  const patience = new Patience();
  chosen = href;
  while (!(await there())) {
    if (chosen === href) notice(`${document.body.dataset.offline} ${textContent.trim()} …`);
    await patience.wait();
    if (chosen !== href) return;
  }
  if (chosen === href) location.assign(href);
}

/** Whether the service answers; a proxy in front of it may know of no such address, or say it is away. */
async function there() {
  const answer = await fetch("/readyz", { cache: "no-store" }).catch(() => null);
  return answer !== null && answer.status < 500;
}

function notice(text) {
  let line = document.getElementById("away");
  if (!line) {
    line = document.createElement("p");
    Object.assign(line, { id: "away", role: "status" });
    document.body.append(line);
  }
  line.textContent = text;
}

window.addEventListener("pageshow", () => {
  chosen = null; // back from where it went
  document.getElementById("away")?.remove();
});
