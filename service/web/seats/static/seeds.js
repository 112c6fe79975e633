/* A seat's part in chance: 32 bytes that this browser makes up, binds the seat to, and opens once all
   seats are bound (domain/record/proof/CHANCE.md). They are kept here until then. */

import { call, hex, Refused } from "../layout/api.js";
import { match, say, seat, tell } from "./table.js";

const SIZE = 32;

const bytes = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
const base64 = (data) => btoa(String.fromCharCode(...data));

/** A seat's commitment to its seed, in the match that the service's commitment is for. */
async function bound(service, seat, seed) {
  const whole = new Uint8Array([2, seat, ...bytes(service), ...seed]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

function kept(name) {
  const found = localStorage.getItem(name);
  if (found) return bytes(found);
  const made = crypto.getRandomValues(new Uint8Array(SIZE));
  localStorage.setItem(name, hex(made));
  return made;
}

/** Does what is to be done by now; resolves to "given", "elsewhere" or "insecure". */
async function give(match, seat, { service, mine, all }) {
  if (!crypto.subtle) return "insecure";
  const seed = kept(`kifu-seed/${match}/${seat}`);
  const own = await bound(service, seat, seed);
  try {
    if (hex(own) !== mine) {
      if (mine && all) return "elsewhere";
      await call("MatchService/CommitSeed", { matchId: match, commitment: base64(own) });
    } else if (all) {
      await call("MatchService/GiveSeed", { matchId: match, seed: base64(seed) });
    }
  } catch (error) {
    const settled = error instanceof Refused && ["SEED_LATE", "MATCH_BEGUN", "SEED_EARLY"].includes(error.reason);
    if (!settled) throw error;
  }
  return "given";
}

/** Commits or opens the seat's seed, as the match needs; reports that, or the error. */
export async function seeding(seeds) {
  tell(say.seeding);
  try {
    const came = await give(match, seat, seeds);
    if (came !== "given") tell(say[came], "bad");
  } catch (error) {
    if (!(error instanceof Refused) || error.passing) throw error;
    tell(error.message, "bad");
  }
}
