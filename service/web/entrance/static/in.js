/* A QR code leads to `/in#CODE`: the code is put into the form, and out of the address. */

const code = document.getElementById("code");
const outcome = document.getElementById("outcome");

function take() {
  const brought = decodeURIComponent(location.hash.slice(1).replace(/%(?![0-9a-f]{2})/gi, "%25"));
  if (!brought) return;
  history.replaceState(null, "", location.pathname + location.search);
  code.value = brought;
  code.removeAttribute("aria-invalid");
  outcome.textContent = "";
  document.querySelector("#entrance button").focus();
}

addEventListener("hashchange", take);
take();
