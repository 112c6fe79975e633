/* What is behind an entry or a decision: causes and rules, options and the one that was taken. */

export class Details {
  constructor({ panel, heading, body, shut, address, href, text, go, opened }) {
    Object.assign(this, { panel, heading, body, address, href, text, opened });
    this.from = null; // what had the focus
    this.asked = 0;
    shut.addEventListener("click", () => this.close());
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    body.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-seq]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(Number(link.dataset.seq));
    });
  }

  /** Shows `entry/5` or `decision/3`. */
  async show(path) {
    const asked = (this.asked += 1);
    if (this.panel.hidden) this.from = document.activeElement;
    let text;
    try {
      const response = await fetch(this.address(path), { credentials: "same-origin" });
      if (!response.ok) throw new Error(`${response.status}`);
      text = await response.text();
    } catch {
      text = "";
    }
    if (asked !== this.asked) return;
    const template = document.createElement("template");
    template.innerHTML = text;
    if (!text) template.content.append(this.text("missing"));
    for (const one of template.content.querySelectorAll("li[data-seq]")) this.link(one);
    this.body.replaceChildren(template.content);
    this.heading.textContent = this.text(path.startsWith("entry") ? "why" : "options");
    this.panel.hidden = false;
    this.opened();
    this.heading.focus({ preventScroll: true });
    this.panel.scrollTop = 0;
  }

  /** A link to the entry of a cause. */
  link(cause) {
    const link = document.createElement("a");
    link.href = this.href(Number(cause.dataset.seq));
    link.dataset.seq = cause.dataset.seq;
    link.textContent = this.text("entry", { n: cause.dataset.seq });
    cause.append(link);
  }

  close() {
    this.asked += 1;
    this.panel.hidden = true;
    if (this.from && this.from.isConnected) this.from.focus({ preventScroll: true });
  }
}
