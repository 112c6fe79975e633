/* Ask once more before something, and for a text with it. */

import { part } from "./table.js";

let asking = Promise.resolve();

/** Asks once more before something; resolves to whether it is meant. One thing after the other. */
export function sure(...what) {
  asking = asking.catch(() => {}).then(() => asked(...what));
  return asking;
}

function asked(text, more = "", list = "") {
  const dialog = part("sure");
  part("sure-text").textContent = text;
  part("sure-more").innerHTML = "";
  if (more) {
    const label = document.createElement("label");
    label.textContent = `${more} `;
    const input = document.createElement("input");
    input.id = "sure-input";
    input.maxLength = 200;
    if (list) input.setAttribute("list", list);
    label.append(input);
    part("sure-more").append(label);
  }
  return new Promise((resolve) => {
    dialog.returnValue = "no";
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
  });
}

/** The text that was asked for. */
export const answered = () => (part("sure-input") ? part("sure-input").value.trim() : "");
