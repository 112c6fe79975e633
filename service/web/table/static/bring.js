/* A card that no catalogue has: its form, the card as it is understood, and a photo of it.

   It is brought at once, since what is asked about may wait for it; without the service it waits in
   its form, and so does a photo that was taken. That follows once the card is brought: if it is
   lost then, the card stays, and another can be taken in the card's sheet. */

import { Refused, requestId } from "../layout/api.js";
import { drawn, small } from "./photo.js";

const say = document.getElementById("table").dataset;
const dialog = document.getElementById("bring");

export class Bringing {
  /** `fetched`, `send`, `menu`: the page's; `at()`: its entry; `over(answer)`: a card is brought;
      `photographed(text)`: what became of a photo that was taken of a card that lies there. */
  constructor(page) {
    Object.assign(this, page);
    this.written = {};
    this.photo = null; // as a canvas, which is shown
    dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      this.written = Object.fromEntries(new FormData(event.target));
      this.form(true);
    });
    document.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
    document.addEventListener("change", (event) => {
      if (event.target.matches("[data-photo]") && event.target.files.length) this.taken(event.target);
    });
  }

  clicked(button) {
    if (!button) return;
    if ("shut" in button.dataset) dialog.close();
    else if ("retype" in button.dataset) this.form();
    else if ("brings" in button.dataset) this.brings(button);
    else if (button.dataset.unphoto) this.changed(button.dataset.unphoto, new Blob([], { type: "image/jpeg" }));
  }

  /** Shows its form, or the card as it is understood; `done`: all is typed. */
  async form(done = false) {
    if (this.menu.open) this.menu.close();
    try {
      dialog.innerHTML = (await this.fetched("card", { fields: this.written, done })).html;
    } catch (error) {
      this.failed(reason(error));
    }
    if (!dialog.open) dialog.showModal();
    this.showPhoto();
  }

  showPhoto() {
    const place = dialog.querySelector(".photo");
    if (place && this.photo) place.append(this.photo);
  }

  failed(text) {
    for (const one of dialog.querySelectorAll("[role=alert]")) one.remove();
    const row = document.createElement("p");
    Object.assign(row, { className: "bad", textContent: text });
    row.setAttribute("role", "alert");
    dialog.prepend(row);
  }

  /** Brings it. A repeat is recorded once. */
  async brings(button) {
    button.disabled = true;
    button.dataset.id ||= requestId();
    const answer = await this.send({ id: button.dataset.id, seq: this.at(), act: "prints", line: button.dataset.brings });
    if (!answer || answer.refused) {
      button.disabled = false;
      return this.failed(answer ? textOf(answer.refused) : say.away);
    }
    const why = this.photo ? await this.keep(button.dataset.card, await small(this.photo)) : "";
    this.written = {};
    this.photo = null;
    dialog.close();
    this.over({ ...answer, told: why ? say.photoless.replace("{why}", why) : answer.told });
  }

  /** A picture was chosen: for the card that is to be brought, or for one that was. */
  async taken(input) {
    const found = await drawn(input.files[0]).catch(() => null);
    if (input.dataset.photo) return found ? this.changed(input.dataset.photo, await small(found)) : this.photographed(say.blurred);
    if (this.photo) this.photo.remove();
    this.photo = found;
    return found ? this.showPhoto() : this.failed(say.blurred);
  }

  async changed(card, file) {
    this.photographed((await this.keep(card, file)) || say.photographed);
  }

  /** Has a photo kept, or with an empty one none any more; resolves to why not. */
  async keep(card, file) {
    try {
      await this.fetched(`photo/${encodeURIComponent(card)}`, file);
      return "";
    } catch (error) {
      return reason(error);
    }
  }
}

function reason(error) {
  if (!(error instanceof Refused)) throw error;
  return error.passing ? say.away : error.message;
}

function textOf(html) {
  const row = document.createElement("div");
  row.innerHTML = html;
  return row.textContent.trim();
}
