/* Keeps the table's page and what it is made of, so that it can be opened while the service is away.

   What the network has comes first; what the service no longer gives is forgotten. The page fills the
   cache and clears it of parts of older versions (`table.js`): a worker that cleared it while it begins
   would take away what the page has just kept. */

const CACHE = "kifu-table";
const GONE = [401, 403, 404];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const unchanging = pathname.startsWith("/static/");
  if (unchanging || /^\/table\/[^/]+$/.test(pathname)) event.respondWith(answered(request, unchanging));
});

async function answered(request, unchanging) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept && unchanging) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    if (GONE.includes(fresh.status)) await cache.delete(request);
    return fresh.status >= 500 && kept ? kept : fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
