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
