/* The board as something to touch: cards and places that can do something, or can be picked.

   The face of a card becomes a button; a zone or a side gets one, since they hold other things. */

/** The things under a touch, the narrowest first: numbers of cards, names of places and seats. */
export function refsOf(target) {
  const found = [];
  const card = target.closest("[data-card]");
  if (card) found.push(Number(card.dataset.card));
  const touch = target.closest("[data-touch]");
  if (touch && touch.dataset.ref) found.push(touch.dataset.ref);
  const place = target.closest("[data-place]");
  if (place) found.push(place.dataset.place);
  return found;
}

function facesOf(board, ref, word) {
  if (/^\d+$/.test(String(ref))) {
    return board.querySelectorAll(`[data-card="${ref}"] > .face`);
  }
  const [kind, rest] = String(ref).split("/");
  const holder =
    kind === "seat"
      ? board.querySelector(`[data-seat="${CSS.escape(rest || "")}"]`)
      : board.querySelector(`[data-place="${CSS.escape(String(ref))}"]`);
  if (!holder) return [];
  let button = holder.querySelector(":scope > .touch");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "touch";
    button.dataset.ref = ref;
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${holder.getAttribute("aria-label") || ref}`);
    const title = holder.querySelector(":scope > .who");
    if (title) title.after(button);
    else holder.append(button);
  }
  return [button];
}

/** Marks what can be touched: `acts` can do something, `can` may be picked, `picked` is. */
export function mark(board, word, { acts = [], can = [], picked = [] }) {
  for (const button of board.querySelectorAll(".touch")) button.remove();
  for (const face of board.querySelectorAll("[data-touch]")) {
    face.classList.remove("may-act", "may-pick", "is-picked");
    for (const name of ["tabindex", "role", "data-touch"]) face.removeAttribute(name);
  }
  const kinds = { "may-act": acts, "may-pick": can, "is-picked": picked };
  for (const kind of Object.keys(kinds)) {
    for (const ref of kinds[kind]) {
      for (const face of facesOf(board, ref, word)) {
        face.classList.add(kind);
        face.dataset.touch = "yes";
        if (face.matches("button")) continue;
        face.setAttribute("tabindex", "0");
        face.setAttribute("role", "button");
      }
    }
  }
}
