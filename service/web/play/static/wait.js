/* Who invited waits: once the match has begun, the page leads to his seat. */

const EVERY = 1500;

async function look() {
  const answer = await fetch(`${location.pathname}/on`, { credentials: "same-origin" }).catch(() => null);
  const found = answer && answer.ok ? await answer.json().catch(() => ({})) : {};
  if (found.on) location.reload();
  else setTimeout(look, EVERY);
}

const copy = document.getElementById("copy");
if (navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("link").value);
    document.getElementById("waits").textContent = copy.dataset.done;
  });
}
document.getElementById("link").addEventListener("focus", (event) => event.target.select());
setTimeout(look, EVERY);
