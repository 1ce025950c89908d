// Keys, dialogs, the theme and the as-of slider. Every page works without it.

const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const writing = (target) => target.closest("input, textarea, select, [contenteditable]");

// Keys: `/` searches, `g` and a letter go to a page, `j` and `k` go through the entries, `?` shows them all.
let going = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || writing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const page = going && document.querySelector(`nav [data-key="${CSS.escape(event.key)}"]`);
  going = event.key === "g" && !going;
  if (page) page.click();
  else if (event.key === "/") search();
  else if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else return;
  event.preventDefault();
});

function search() {
  const field = document.getElementById("q");
  if (field) field.focus();
  else document.querySelector('nav [data-key="s"]')?.click();
}

function step(by) {
  const links = all("[data-entry]").map((entry) => entry.querySelector("a, button")).filter(Boolean);
  const now = links.indexOf(document.activeElement);
  const next = links[Math.min(Math.max(now + by, 0), links.length - 1)];
  next?.focus();
  next?.closest("[data-entry]").scrollIntoView({ block: "nearest" });
}

// Dialogs, and questions before something is done.
all("[data-open]").forEach((button) =>
  button.addEventListener("click", () => document.getElementById(button.dataset.open).showModal()));
all("[data-close]").forEach((button) =>
  button.addEventListener("click", () => button.closest("dialog").close()));
all("[data-confirm]").forEach((button) =>
  button.addEventListener("click", (event) => {
    if (!window.confirm(button.dataset.confirm)) event.preventDefault();
  }));
document.querySelector('[data-do="keys"]')?.addEventListener("click", () => document.getElementById("keys").showModal());

// The theme: as the system has it, until somebody chooses.
document.querySelector('[data-do="theme"]')?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `recollect_theme=${root.dataset.theme}; path=/dashboard; max-age=31536000; samesite=strict`;
  document.dispatchEvent(new Event("theme"));
});

// The slider and the field say the same moment; the end of the slider is now.
all(".as-of").forEach((control) => {
  const [field, slider] = [control.querySelector("[type=datetime-local]"), control.querySelector("[type=range]")];
  const [first, last] = [Number(control.dataset.first), Number(control.dataset.last)];
  if (last <= first) return;
  const place = () => {
    const moment = Date.parse(`${field.value}Z`) / 1000;
    slider.value = field.value ? Math.round((1000 * (moment - first)) / (last - first)) : 1000;
  };
  slider.hidden = false;
  place();
  field.addEventListener("input", place);
  slider.addEventListener("input", () => {
    const moment = first + ((last - first) * slider.value) / 1000;
    field.value = Number(slider.value) >= 1000 ? "" : new Date(1000 * moment).toISOString().slice(0, 16);
  });
  slider.addEventListener("change", () => control.closest("form").requestSubmit());
});
