/* Replaces a board by another, changing only what differs, so that little is laid out again.

   A tile that is different is a new one: what it is marked with begins anew (`board.js`). */

/* Make an element as another is, which stays as it is itself. */
export function patch(live, wanted) {
  if (live.isEqualNode(wanted)) return;
  if (live.nodeType !== Node.ELEMENT_NODE || live.nodeName !== wanted.nodeName || live.dataset.card) {
    live.replaceWith(wanted.cloneNode(true));
    return;
  }
  attributes(live, wanted);
  children(live, wanted);
}

function attributes(live, wanted) {
  for (const name of live.getAttributeNames()) {
    if (!wanted.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name);
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
}

/* What is the same at the beginning and at the end stays; as many as differ in between are patched. */
function children(live, wanted) {
  const old = [...live.childNodes];
  const fresh = [...wanted.childNodes];
  while (old.length && fresh.length && old[0].isEqualNode(fresh[0])) {
    old.shift();
    fresh.shift();
  }
  let next = null;
  while (old.length && fresh.length && old[old.length - 1].isEqualNode(fresh[fresh.length - 1])) {
    next = old.pop();
    fresh.pop();
  }
  const alike = old.length === fresh.length;
  old.forEach((one, n) => (alike ? patch(one, fresh[n]) : one.remove()));
  if (alike) return;
  for (const one of fresh) live.insertBefore(one.cloneNode(true), next);
}
