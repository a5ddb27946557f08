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
    if (!window.PublicKeyCredential || !PublicKeyCredential.parseCreationOptionsFromJSON) {
      say("This browser does not support passkeys. Use a current version of Chrome, Edge, Firefox or Safari.");
      return;
    }
    const options = JSON.parse(form.dataset.options);
    try {
      const credential =
        form.dataset.passkey === "create"
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch (error) {
      say(error.name === "InvalidStateError" ? "This device already has a passkey for you." : "The passkey was not used. Try again.");
    }
  });
});
