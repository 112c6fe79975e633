/* Times in the reader's time zone: how long ago, or at what time of which day. */

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** Writes all times below an element, which are in UTC as they come; `now` is by the service's clock. */
export function localise(root, now) {
  const lang = document.documentElement.lang || "en";
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: "short" });
  const date = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  for (const one of root.querySelectorAll("time[datetime]")) {
    const at = new Date(one.dateTime);
    const seconds = (at - now) / 1000;
    if (Number.isNaN(seconds)) continue;
    one.title = date.format(at);
    const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
    if (!unit) one.textContent = ago.format(0, "second");
    else if (unit[0] === "day" && Math.abs(seconds) > 6 * 86400) one.textContent = date.format(at);
    else one.textContent = ago.format(Math.round(seconds / unit[1]), unit[0]);
  }
}
