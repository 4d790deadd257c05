// One field for each input: label, entry, the value read, limits and help. First cells are open, all others in groups.

const fields = new Map(); // input number -> function that shows the value that is typed now

function labelText(input) {
  return input.choices.length || input.text || ["date", "clock"].includes(input.unit) ? input.label : labelled(input.label, input.unit);
}
function field(n) {
  const input = INPUTS[n], id = `input-${n}`;
  const box = element("div", { className: "field" }, element("label", { htmlFor: id, textContent: labelText(input) }));
  const told = element("p", { className: "told", id: `${id}-told` });
  const help = [input.help, input.choices.length ? "" : limitsText(input)].filter(Boolean).join(". Limits: ");
  const hint = element("p", { className: "help", id: `${id}-help`, textContent: help.startsWith(". ") ? help.slice(2) : help });
  const typing = input.choices.length ? chooser(n, id) : typed(n, id, told);
  typing.setAttribute("aria-describedby", `${told.id} ${hint.id}`);
  box.append(typing, told, hint);
  return box;
}
function chooser(n, id) {
  const input = INPUTS[n], list = element("select", { id });
  const blank = input.key.includes(".") || input.saved === null;
  const names = input.saved !== null && !input.choices.includes(input.saved)
    ? [input.saved, ...input.choices] : input.choices;
  if (blank) list.append(element("option", { value: "", textContent: "(blank)" }));
  for (const name of names) list.append(element("option", { value: name, textContent: name }));
  list.addEventListener("change", () => enter(n, list.value === "" ? null : list.value));
  fields.set(n, () => {
    list.value = entries[n] ?? "";
    mark(list, n);
  });
  fields.get(n)();
  return list;
}
function typed(n, id, told) {
  const input = INPUTS[n];
  const box = element("input", { id, type: "text", autocomplete: "off", spellcheck: false, placeholder: "blank" });
  if (!input.text && !["date", "clock"].includes(input.unit)) box.inputMode = "decimal";
  const tell = () => {
    const fault = wrong.get(n);
    box.setAttribute("aria-invalid", String(fault !== undefined));
    told.className = fault ? "told fault" : "told";
    told.textContent = fault ?? readBack(input, entries[n]);
    mark(box, n);
  };
  box.addEventListener("input", () => {
    const { value, fault } = readEntry(input, box.value);
    if (fault) refuse(n, fault);
    else enter(n, value);
    tell();
  });
  fields.set(n, () => {
    if (document.activeElement !== box) box.value = fieldText(input, entries[n]);
    tell();
  });
  box.value = fieldText(input, entries[n]);
  tell();
  return box;
}
const mark = (box, n) => box.classList.toggle("changed", !same(entries[n], INPUTS[n].saved));

function enter(n, value) {
  wrong.delete(n);
  entries[n] = value;
  fields.get(n)?.();
  later();
}
function refuse(n, fault) {
  wrong.set(n, fault);
  later();
}
// The fields of a closed group are created when it is opened: a page with 700 of them would be slow to start.
function group(title, numbers, derived = []) {
  const details = element("details", {}, element("summary", { textContent: `${title} (${numbers.length})` }));
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    details.append(...numbers.map(field));
    if (derived.length) {
      const list = element("dl", { className: "derived" });
      for (const [label, position] of derived) {
        const value = element("dd", { "data-at": position });
        list.append(element("div", {}, element("dt", { textContent: label }), value));
      }
      details.append(element("h4", { textContent: "Derived by the model" }), list);
      showDerived();
    }
  });
  return details;
}
function showDerived() {
  for (const place of document.querySelectorAll("[data-at]")) {
    place.textContent = cellText(Number(place.dataset.at)) || "-";
  }
}
function showFields() {
  byId("start").append(...DATA.start.map(field));
  byId("groups").append(...DATA.groups.map(({ title, inputs }) => group(title, inputs)));
  const sheets = [...new Set(DATA.cards.map(card => card.sheet))];
  byId("cards").append(...sheets.map(sheet => element("details", {}, element("summary", { textContent: sheet }),
    ...DATA.cards.filter(card => card.sheet === sheet).map(card => group(card.title, card.inputs, card.derived)))));
}
