// What is nicer with scripts. Every page works without.
"use strict";

// Fields that only matter after a certain answer are out of sight until it is given.
const followAnswers = () => {
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
};

// Children are asked for one by one.
const addChildren = () => {
  const children = document.getElementById("children");
  if (!children) return;
  const rows = [...children.querySelectorAll(".child")];
  for (const row of rows) row.hidden = !("open" in row.dataset);
  const left = () => rows.filter(row => row.hidden);
  const isFull = () => left().length === 0 && rows.length >= Number(children.dataset.most);
  // One more than the page was sent with: the last one again, empty.
  const another = () => {
    const [from, to] = [rows.length, rows.length + 1];
    const row = rows.at(-1).cloneNode(true);
    for (const fault of row.querySelectorAll(".fault")) fault.remove();
    for (const part of row.querySelectorAll("*")) {
      part.classList.remove("bad");
      for (const name of ["id", "name", "for"]) {
        const value = part.getAttribute(name);
        if (value) part.setAttribute(name, value.replace(`child-${from}`, `child-${to}`));
      }
      for (const name of ["aria-invalid", "aria-describedby"]) part.removeAttribute(name);
      if (part.matches("input, select")) part.value = "";
    }
    const legend = row.querySelector("legend");
    legend.textContent = legend.textContent.replace(from, to);
    rows.at(-1).after(row);
    rows.push(row);
    return row;
  };
  const add = document.createElement("button");
  add.type = "button";
  add.className = "second";
  add.textContent = children.dataset.add;
  add.hidden = isFull();
  add.addEventListener("click", () => {
    const row = left()[0] || another();
    row.hidden = false;
    row.querySelector("select").focus();
    add.hidden = isFull();
  });
  children.append(add);
};

// What is wrong is read first, and its links lead into the fields.
const tellFaults = () => {
  const faults = document.getElementById("faults");
  if (!faults) return;
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
};

// A form that is refused is shown again in this page's place, so that Back never asks whether to send it once more. A
// second press while the first is on its way sends nothing.
const send = async (form, button) => {
  const fields = new FormData(form, button);
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields) });
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceWith(document.adoptNode(page.body));
  scrollTo(0, 0);
  enhance();
};
const sendInPlace = () => {
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", event => {
      event.preventDefault();
      if (form.dataset.sent) return;
      form.dataset.sent = "yes";
      const button = event.submitter;
      if (form.dataset.once && button && !button.name) button.textContent = form.dataset.once;
      send(form, button).catch(() => {
        // Without a connection the browser itself says so, as it would without scripts.
        if (button && button.name) {
          const pressed = document.createElement("input");
          Object.assign(pressed, { type: "hidden", name: button.name, value: button.value });
          form.append(pressed);
        }
        form.submit();
      });
    });
  }
};

// Plans appear as they are ready. What was ticked and what has the focus stays.
const watchPlans = () => {
  const live = document.getElementById("live");
  if (!live || !live.dataset.events) return;
  const events = new EventSource(live.dataset.events);
  const named = one => one.getAttribute("href") || one.id;
  const put = html => {
    const ticked = [...live.querySelectorAll("input:checked")].map(box => box.id);
    const focused = live.contains(document.activeElement) ? named(document.activeElement) : "";
    live.innerHTML = html;
    for (const id of ticked) {
      const box = document.getElementById(id);
      if (box) box.checked = true;
    }
    const again = focused && [...live.querySelectorAll("a, input")].find(one => named(one) === focused);
    if (again) again.focus();
  };
  events.addEventListener("list", event => put(event.data));
  events.addEventListener("done", event => {
    events.close();
    put(event.data);
  });
};

const enhance = () => {
  followAnswers();
  addChildren();
  tellFaults();
  sendInPlace();
  watchPlans();
};
enhance();

// A page that comes back from the browser's memory may have been sent since.
addEventListener("pageshow", event => {
  if (event.persisted) location.reload();
});
