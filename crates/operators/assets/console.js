// Not every browser has parseCreationOptionsFromJSON, and credentials of password managers often have no toJSON.
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const withBytes = (options) => {
  const credentials = (list) => list && list.map((one) => ({ ...one, id: toBytes(one.id) }));
  const all = { ...options, challenge: toBytes(options.challenge) };
  if (all.user) all.user = { ...all.user, id: toBytes(all.user.id) };
  if (all.excludeCredentials) all.excludeCredentials = credentials(all.excludeCredentials);
  if (all.allowCredentials) all.allowCredentials = credentials(all.allowCredentials);
  return all;
};
const read = (method, options) =>
  PublicKeyCredential[method] ? PublicKeyCredential[method](options) : withBytes(options);
const toJson = (credential) => {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toText(credential.response[name]);
  }
  return { id: credential.id, rawId: toText(credential.rawId), type: credential.type, response, clientExtensionResults: {} };
};

// A form with a passkey. Browsers require that the ceremony runs within the click. The form sends its result.
document.querySelectorAll("form[data-passkey]").forEach((form) => {
  const fault = form.querySelector(".fault");
  const say = (text) => {
    fault.textContent = text;
    fault.hidden = false;
  };
  form.addEventListener("submit", async (event) => {
    if (form.elements.credential.value) return;
    event.preventDefault();
    if (!window.PublicKeyCredential) {
      say("This browser does not support passkeys. Use a current version of Chrome, Edge, Firefox or Safari.");
      return;
    }
    const options = JSON.parse(form.dataset.options);
    try {
      const credential =
        form.dataset.passkey === "create"
          ? await navigator.credentials.create({ publicKey: read("parseCreationOptionsFromJSON", options) })
          : await navigator.credentials.get({ publicKey: read("parseRequestOptionsFromJSON", options) });
      form.elements.credential.value = JSON.stringify(toJson(credential));
      form.requestSubmit();
    } catch (error) {
      say(error.name === "InvalidStateError" ? "This device already has a passkey for you." : "The passkey was not used. Try again.");
    }
  });
});

// Forms that lead on by themselves.
document.querySelectorAll("form[data-send]").forEach((form) => form.requestSubmit());

// The first fault is read out and seen.
document.querySelector("div.fault")?.focus();

// A button that was pressed cannot be pressed again at once. If the answer is a file, the page stays.
const PRESSED = 5000;
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method === "get") return;
  const disable = (isDisabled) => form.querySelectorAll("button").forEach((button) => (button.disabled = isDisabled));
  setTimeout(() => disable(true));
  setTimeout(() => disable(false), PRESSED);
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("button").forEach((button) => (button.disabled = false));
});

// A list is loaded again from time to time: not while the page is hidden, and not while somebody works in the list.
const list = document.querySelector("[data-refresh]");
const PAUSE = 30000;
const refresh = async () => {
  const isBusy = () => document.hidden || list.contains(document.activeElement) || list.querySelector("details[open]");
  if (isBusy()) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected || isBusy()) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-refresh]");
    if (fresh) list.replaceChildren(...fresh.childNodes);
  } catch {
    // The next time may succeed.
  }
};
if (list) setInterval(refresh, PAUSE);

// Keys: "/" goes to the search, "?" lists the keys, "g" and a letter open a desk.
let isGoing = false;
const isTyping = (target) => target.closest("input, select, textarea, [contenteditable]");
const hasKeys = () => localStorage.getItem("keys") !== "off";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !hasKeys()) return;
  const wasGoing = isGoing;
  isGoing = event.key === "g";
  if (event.key === "/") {
    event.preventDefault();
    const box = document.querySelector("[data-search]");
    if (box) box.focus();
    else location.href = "/search";
  } else if (event.key === "?") {
    location.href = "/keys";
  } else if (wasGoing) {
    document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)?.click();
  }
});
document.querySelector("[data-search]")?.focus();
const keys = document.querySelector("[data-keys]");
if (keys) {
  keys.checked = hasKeys();
  keys.addEventListener("change", () => localStorage.setItem("keys", keys.checked ? "on" : "off"));
}
