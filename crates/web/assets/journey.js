// What is nicer with scripts. Every page works without.
"use strict";

// Fields that only matter after a certain answer are out of sight until it is given.
for (const part of document.querySelectorAll("[data-follows]")) {
  const answers = document.querySelectorAll(`input[name="${part.dataset.follows}"]`);
  const show = () => {
    const on = [...answers].some(answer => answer.checked && answer.value === part.dataset.on);
    part.hidden = !on;
    for (const field of part.querySelectorAll("input, select")) field.disabled = !on;
  };
  for (const answer of answers) answer.addEventListener("change", show);
  show();
}

// Children are asked for one by one.
const children = document.getElementById("children");
if (children) {
  const rows = [...children.querySelectorAll(".child")];
  for (const row of rows) row.hidden = !("open" in row.dataset);
  const add = document.createElement("button");
  add.type = "button";
  add.className = "second";
  add.textContent = children.dataset.add;
  const left = () => rows.filter(row => row.hidden);
  add.addEventListener("click", () => {
    const row = left()[0];
    row.hidden = false;
    row.querySelector("select").focus();
    add.hidden = left().length === 0;
  });
  add.hidden = left().length === 0;
  children.append(add);
}

// What is wrong is read first, and its links lead into the fields.
const faults = document.getElementById("faults");
if (faults) {
  faults.focus();
  faults.addEventListener("click", event => {
    const link = event.target.closest("a");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    const folded = target.closest("details");
    if (folded) folded.open = true;
    const field = target.matches("fieldset") ? target.querySelector("input, select") || target : target;
    field.focus();
    target.scrollIntoView({ block: "center" });
  });
}

// A second press while the first is on its way sends nothing.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", event => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    if (form.dataset.once && event.submitter) event.submitter.textContent = form.dataset.once;
  });
}
// A page that comes back from the browser's memory may be sent again.
addEventListener("pageshow", event => {
  if (event.persisted) location.reload();
});

// Plans appear as they are ready. What was ticked and what has the focus stays.
const live = document.getElementById("live");
if (live && live.dataset.events) {
  const events = new EventSource(live.dataset.events);
  const put = html => {
    const ticked = [...live.querySelectorAll("input:checked")].map(box => box.id);
    const focused = live.contains(document.activeElement) ? document.activeElement.getAttribute("href") || document.activeElement.id : "";
    live.innerHTML = html;
    for (const id of ticked) {
      const box = document.getElementById(id);
      if (box) box.checked = true;
    }
    if (focused) {
      const again = [...live.querySelectorAll("a, input")].find(one => one.getAttribute("href") === focused || one.id === focused);
      if (again) again.focus();
    }
  };
  events.addEventListener("list", event => put(event.data));
  events.addEventListener("done", event => {
    events.close();
    put(event.data);
  });
}
