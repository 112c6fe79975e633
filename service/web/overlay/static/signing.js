/* Signing the browser source in by the code in the address: `/overlay/…#CODE`, once. */

const KEPT = "kifu overlay code";

/** The code in the address; empty: none that can be read. */
export const code = (() => {
  try {
    return decodeURIComponent(location.hash.slice(1)).trim();
  } catch (error) {
    return "";
  }
})();

/** Whether the code was sent and accepted, even long ago. */
export const wasIn = () => Boolean(code) && recall() === code;

/**
 * Sends the code, unless there is none or it was sent before and `anew` is not set; `tell` gets errors.
 * Resolves to whether there was an answer: if not, try again.
 */
export async function signIn(tell, anew) {
  if (!code || (!anew && wasIn())) return true;
  let status = 0;
  try {
    const response = await fetch("/in", {
      method: "POST",
      body: new URLSearchParams({ code, to: "/in" }),
      credentials: "same-origin",
    });
    status = response.status;
    if (!response.ok) throw new Error(`${response.status} /in`);
    keep(code);
  } catch (error) {
    tell(error);
  }
  return status > 0 && status !== 429 && status < 500;
}

/** Exchanges the code that the browser has kept for the token of a table's next match, if any. */
export async function renewSession() {
  await fetch("/in", {
    method: "POST",
    body: new URLSearchParams({ renew: "1", to: "/in" }),
    credentials: "same-origin",
  });
}

function recall() {
  try {
    return localStorage.getItem(KEPT) || "";
  } catch (error) {
    return "";
  }
}

function keep(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch (error) {
    // then it is handed in again, and refused as one that was used
  }
}
