/* The text of a clock, as the service writes it (`domain.telling.names.countdown`). */

/** Milliseconds as a clock shows them: `12:05`; once it has run out, by how much: `-0:03`. */
export function countdown(ms) {
  const seconds = Math.floor(Math.abs(ms) / 1000);
  return `${ms < 0 ? "-" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
