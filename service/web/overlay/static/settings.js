/* Builds the address of an overlay from a form, and shows a preview. */

import { lang } from "../layout/language.js";

const form = document.getElementById("overlay");
const output = document.getElementById("address");
const preview = document.getElementById("preview");
const frame = document.getElementById("frame");
const copy = document.getElementById("copy");

/** The address that the form asks for; empty: nothing is chosen yet. */
function address() {
  const asked = new FormData(form);
  const table = asked.get("what") === "table";
  const id = encodeURIComponent((asked.get("match") || "").trim());
  if (table ? !asked.get("table") : !id) return "";
  const parts = [];
  const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
  if (table && asked.get("event").trim()) add("event", asked.get("event").trim());
  add("theme", asked.get("theme"));
  if (lang !== "en") add("lang", lang);
  const boxes = Array.from(form.querySelectorAll('[name="show"]'));
  if (boxes.some((box) => box.checked !== box.defaultChecked)) add("show", asked.getAll("show").join(","));
  form.querySelectorAll('select[name^="at."]').forEach((select) => {
    const size = form.elements[select.name.replace("at.", "size.")].value;
    if (select.value) add(select.name, size ? `${select.value},${size}` : select.value);
  });
  const path = table ? `/overlay/table/${Number(asked.get("table"))}` : `/overlay/${id}`;
  return `${location.origin}${path}?${parts.join("&")}`;
}

let shown = "";
let timer = 0;

function show() {
  const made = address();
  document.body.classList.toggle("is-table", form.elements.what.value === "table");
  document.body.classList.toggle("is-match", form.elements.what.value === "match");
  output.textContent = made || "…";
  copy.disabled = !made;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (made === shown) return;
    shown = made;
    if (made) frame.src = `${made}&debug`;
    else frame.removeAttribute("src");
  }, 400);
}

function resize() {
  frame.style.setProperty("transform", `scale(${preview.clientWidth / 1920})`);
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("resize", resize);
document.querySelectorAll('[name="behind"]').forEach((one) => {
  one.addEventListener("change", () => {
    preview.classList.toggle("is-dark", one.value === "dark");
    preview.classList.toggle("is-light", one.value === "light");
  });
});
copy.addEventListener("click", async () => {
  const before = copy.textContent;
  try {
    await navigator.clipboard.writeText(output.textContent);
  } catch (error) {
    const range = document.createRange();
    range.selectNodeContents(output);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.execCommand("copy");
  }
  copy.textContent = copy.dataset.done;
  setTimeout(() => {
    copy.textContent = before;
  }, 1500);
});

show();
resize();
