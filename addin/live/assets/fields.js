// One field for each input: label, entry, the value read, limits and help. First cells are open, all others in groups.

const fields = new Map(); // input number -> function that shows the entry; with true, beside the text as it is typed
const fillers = new Map(); // input number -> function that creates the fields of its group

function labelText(input) {
  return input.choices.length || input.text || ["date", "clock"].includes(input.unit) ? input.label : labelled(input.label, input.unit);
}
// What a field says beside its entry: its label, and its limits after its help.
function helpText(input) {
  const limits = input.choices.length ? "" : limitsText(input), said = numbersIn(input.help);
  return limits ? said ? T`${said}. Limits: ${limits}` : limits : said;
}
function field(n) {
  const input = INPUTS[n], id = `input-${n}`;
  const box = element("div", { className: "field" }, element("label", { htmlFor: id, textContent: labelText(input) }));
  const told = element("p", { className: "told", id: `${id}-told` });
  const hint = element("p", { className: "help", id: `${id}-help`, textContent: helpText(input) });
  const mends = element("p", { className: "mends", hidden: true });
  const typing = input.choices.length ? chooser(n, id) : typed(n, id, told, mends);
  typing.setAttribute("aria-describedby", `${told.id} ${hint.id}`);
  box.append(typing, told, mends, hint);
  if (sweepable(n)) {
    typing.after(slider(n));
    const moves = element("button", { type: "button", className: "link moves", textContent: T`What it moves`,
      "aria-label": T`What it moves: ${nameOf(input)}` });
    moves.addEventListener("click", () => openInput(n, moves));
    told.before(moves);
  }
  return box;
}
function chooser(n, id) {
  const input = INPUTS[n], list = element("select", { id });
  const blank = input.key.includes(".") || input.saved === null;
  const names = input.saved !== null && !input.choices.includes(input.saved)
    ? [input.saved, ...input.choices] : input.choices;
  if (blank) list.append(element("option", { value: "", textContent: T`(blank)` }));
  for (const name of names) list.append(element("option", { value: name, textContent: name }));
  list.addEventListener("change", () => enter(n, list.value === "" ? null : list.value));
  fields.set(n, () => {
    list.value = entries[n] ?? "";
    mark(list, n);
  });
  fields.get(n)();
  return list;
}
function typed(n, id, told, mends) {
  const input = INPUTS[n];
  const box = element("input", { id, type: "text", autocomplete: "off", spellcheck: false, placeholder: T`blank` });
  if (!input.text && !["date", "clock"].includes(input.unit)) box.inputMode = "decimal";
  const refresh = asTyped => {
    const bad = wrong.get(n);
    if (!asTyped) box.value = bad?.text ?? fieldText(input, entries[n]);
    box.setAttribute("aria-invalid", String(bad !== undefined));
    told.className = bad ? "told fault" : "told";
    say(told, bad?.fault ?? readBack(input, entries[n]));
    mends.replaceChildren(...bad ? repairButtons(n, bad.text) : []);
    mends.hidden = !mends.childElementCount;
    mark(box, n);
  };
  box.addEventListener("input", () => {
    const { value, fault } = readEntry(input, box.value);
    alter(new Map([[n, fault ? { value: entries[n], bad: { text: box.value, fault } } : { value }]]), n);
  });
  box.addEventListener("blur", pause);
  fields.set(n, refresh);
  refresh();
  return box;
}
// A slider over the values that "What it moves" draws; the field beside it is what the keyboard reaches.
function slider(n) {
  const input = INPUTS[n], label = T`Slide ${nameOf(input)}`, shows = fields.get(n);
  const bar = element("input", { type: "range", className: "slider", min: 0, step: 1, tabIndex: -1, "aria-label": label });
  let values = []; // as long as the entry is among them: they do not move below the finger
  const place = () => {
    if (!values.includes(entries[n])) values = typeof entries[n] === "number" ? valuesOf(input, entries[n]) : [];
    bar.hidden = values.length < 2;
    bar.max = Math.max(1, values.length - 1);
    bar.value = values.indexOf(entries[n]);
    bar.setAttribute("aria-valuetext", String(typedText(input, entries[n])));
  };
  fields.set(n, asTyped => {
    shows(asTyped);
    place();
  });
  bar.addEventListener("input", () => {
    alter(new Map([[n, { value: values[Number(bar.value)] }]]), n);
    fields.get(n)();
  });
  bar.addEventListener("change", pause);
  place();
  return bar;
}
let currencyShown = currencyIn();
// Another currency is in the label, the limits and the echo of every amount; what is typed stays as it is.
function showCurrency() {
  if (currencyShown === currencyIn()) return;
  currencyShown = currencyIn();
  for (const [n, refresh] of fields) {
    if (!isMoney(INPUTS[n].unit)) continue;
    document.querySelector(`label[for="input-${n}"]`).textContent = labelText(INPUTS[n]);
    byId(`input-${n}-help`).textContent = helpText(INPUTS[n]);
    refresh(true);
  }
}
const mark = (box, n) => box.classList.toggle("changed", !same(entries[n], INPUTS[n].saved));

// The fields of a closed group are created when it is opened: a page with 700 of them would be slow to start.
function group(title, numbers, derived = []) {
  const details = element("details", {}, element("summary", { textContent: `${title} (${numbers.length})` }));
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(...numbers.map(field));
    if (derived.length) {
      const list = element("dl", { className: "derived" });
      for (const [label, position] of derived) {
        const value = element("dd", { "data-at": position, "data-label": label });
        list.append(element("div", {}, element("dt", { textContent: label }), value));
      }
      details.append(element("h4", { textContent: T`Derived by the model` }), list);
      showDerived();
    }
  };
  for (const n of numbers) fillers.set(n, fill);
  details.addEventListener("toggle", fill);
  return details;
}
function showDerived() {
  for (const place of document.querySelectorAll("[data-at]")) {
    figure(place, cellText(Number(place.dataset.at)) || "-", Number(place.dataset.at), place.dataset.label);
    tabbed(place.closest("dl"));
  }
}
function showFields() {
  byId("start").append(...DATA.start.map(field));
  byId("groups").append(...DATA.groups.map(({ title, inputs }) => group(title, inputs)));
  const sheets = [...new Set(DATA.cards.map(card => card.sheet))];
  byId("cards").append(...sheets.map(sheet => element("details", {}, element("summary", { textContent: sheet }),
    ...DATA.cards.filter(card => card.sheet === sheet).map(card => group(card.title, card.inputs, card.derived)))));
}
