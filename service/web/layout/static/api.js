/* The API from a page of ours: one call of an RPC, by Connect in JSON, with the session's rights. */

import { lang } from "./language.js";

/** The refusal of a call: `code`, `reason`, `rules`, and a sentence in `message`. */
export class Refused extends Error {
  constructor(status, problem) {
    const details = problem.details || [];
    const own = details.find((one) => one.type === "google.rpc.LocalizedMessage");
    super((own && own.debug && own.debug.message) || problem.message || document.body.dataset.offline);
    this.status = status;
    this.code = problem.code || "unavailable";
    const info = details.find((one) => one.type === "google.rpc.ErrorInfo");
    const debug = (info && info.debug) || {};
    this.reason = debug.reason || problem.reason || "";
    this.metadata = debug.metadata || {};
    this.rules = (this.metadata.rules || "").split(",").filter(Boolean);
    this.details = details;
  }

  /** Whether to try again later: the service was not reached, or was busy. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The header that names what a call is about, by which a proxy may choose among servers. */
function about({ matchId, match_id, eventId, event_id }) {
  const id = matchId || match_id || eventId || event_id || "";
  return /^[\x21-\x7e]{1,128}$/.test(id) ? { "kifu-match": id } : {};
}

/** Calls `MatchService/GetMatch` or any other RPC; resolves to its answer, or throws `Refused`. */
export async function call(method, request, { signal } = {}) {
  let response;
  try {
    response = await fetch(`/api/kifu.v1.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "connect-protocol-version": "1", "accept-language": lang, ...about(request) },
      body: JSON.stringify(request),
      credentials: "same-origin",
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, {});
  }
  return dataOf(response);
}

/** The data of an answer; throws `Refused`, also if it is not from the service. */
export async function dataOf(response) {
  const found = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, found || {});
  if (!found) throw new Refused(0, {});
  return found;
}

/** Bytes in hexadecimal. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** An id for a command: a repeat with the same id is answered as the first was. */
export function requestId() {
  return hex(crypto.getRandomValues(new Uint8Array(12)));
}
