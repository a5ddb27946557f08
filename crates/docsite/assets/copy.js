// Gives every block of code a button that copies it. A page over plain HTTP has no clipboard, and so no button.
"use strict";

if (navigator.clipboard) {
  const status = document.createElement("p");
  status.className = "unseen";
  status.setAttribute("role", "status");
  document.body.append(status);

  for (const code of document.querySelectorAll("pre > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const copied = navigator.clipboard.writeText(code.textContent.trimEnd());
      button.textContent = await copied.then(() => "Copied", () => "Not copied");
      status.textContent = button.textContent;
      setTimeout(() => { button.textContent = "Copy"; status.textContent = ""; }, 2000);
    });
    code.before(button);
  }
}
