// A number opened: its chain step by step in a dialog, each step down and back, to inputs and fixed figures.

const MOST_SOURCES = 30; // shown at first
let trail = []; // the steps from the number that was opened to the one that is shown: {id, name}
let opener = null; // the button that opened it, which has the cursor again at the end

// A figure that opens: a button in its place, with a name that says of what it is. `position` undefined is plain text.
function figure(host, text, position, name) {
  if (position === undefined || text === "") {
    say(host, text);
    return;
  }
  let button = host.firstElementChild;
  if (!button?.classList.contains("opens")) {
    button = element("button", { type: "button", className: "opens", tabIndex: -1 });
    host.replaceChildren(button);
  }
  const said = { "data-opens": String(position), "data-name": name, "aria-label": T`${text}, ${name}: explain` };
  for (const [key, value] of Object.entries(said)) if (button.getAttribute(key) !== value) button.setAttribute(key, value);
  say(button, text);
}
// One figure of a table or list takes the Tab key; arrow keys move among the others.
function tabbed(host) {
  if (!host.querySelector(".opens[tabindex='0']")) host.querySelector(".opens")?.setAttribute("tabindex", "0");
}
function onArrows(event) {
  const button = event.target, host = button.classList?.contains("opens") && button.closest("table, ul, dl");
  if (!host || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [...host.querySelectorAll(".opens")], at = all.indexOf(button), column = button.closest("td")?.cellIndex;
  const alike = column === undefined ? all : all.filter(each => each.closest("td").cellIndex === column);
  const beside = (list, step) => list[list.indexOf(button) + step];
  const next = {
    ArrowRight: all[at + 1], ArrowLeft: all[at - 1], ArrowDown: beside(alike, 1), ArrowUp: beside(alike, -1),
    Home: all[0], End: all[all.length - 1],
  };
  if (!(event.key in next)) return;
  event.preventDefault();
  if (!next[event.key]) return;
  button.tabIndex = -1;
  next[event.key].tabIndex = 0;
  next[event.key].focus();
}
function onOpens(event) {
  const button = event.target.closest?.(".opens");
  if (button) openChain(idAt(Number(button.dataset.opens)), button.dataset.name, button);
}
function openChain(id, name, button) {
  trail = [{ id, name }];
  opener = button;
  byId("chain").showModal();
  drawStep();
}
const openInput = (n, button) => openChain(idAt(INPUTS[n].at), nameOf(INPUTS[n]), button);
function down(id) {
  trail.push({ id, name: nameOfCell(id) });
  drawStep();
}
// Back to a step of the trail; the cursor stands where the way went down.
function up(level) {
  const from = trail[level + 1];
  trail = trail.slice(0, level + 1);
  drawStep();
  const all = byId("chain-sources").querySelectorAll("button");
  [...all].find(each => each.dataset.id === String(from?.id))?.focus();
}
// What a step is: an input, typed here or not, a figure that is computed, or one that stands in the workbook; and the
// heading of its column, or its cell, where several of the same name are listed.
function kindOf(id, several, taken) {
  const n = inputOf(id), fixed = formulaOf(id) ? "" : T`fixed figure`;
  const kind = n < 0 ? fixed : same(entries[n], INPUTS[n].saved) ? T`input` : T`input, changed here`;
  const { sheet, column } = cellOf(id);
  return [several ? chains().heads[sheet][column] ?? a1(id) : "", kind, taken.has(id) ? T`the one taken` : ""].filter(Boolean).join(", ");
}
function originOf(id, parts) {
  const n = inputOf(id), { basis, source } = besideOf(id), end = text => !text || /[.!?]$/.test(text) ? text : `${text}.`;
  if (n < 0) {
    return [parts ? "" : T`It is fixed in the workbook and the same for every design.`, end(basis), source && end(T`Source: ${source}`)];
  }
  const { saved } = INPUTS[n], limits = INPUTS[n].choices.length ? "" : limitsText(INPUTS[n]);
  return [same(entries[n], saved) ? T`An input, as in the saved workbook.` : T`An input, changed on this page. The saved workbook has ${typedText(INPUTS[n], saved, currencyIn(SAVED))}.`, end(INPUTS[n].help), limits && T`Permitted: ${limits}.`];
}
function drawStep() {
  const { id, name } = trail[trail.length - 1], parts = formulaOf(id), n = inputOf(id), exact = exactText(id);
  const path = trail.slice(0, -1).map((step, level) => {
    const button = element("button", { type: "button", className: "link", textContent: step.name });
    button.addEventListener("click", () => up(level));
    return element("li", {}, button);
  });
  byId("chain-path").replaceChildren(...path);
  byId("chain-back").disabled = trail.length < 2;
  byId("chain-stale").hidden = !wrong.size;
  say(byId("chain-title"), name);
  say(byId("chain-value"), valueText(id));
  say(byId("chain-exact"), exact && T`All digits: ${exact}`);
  byId("chain-words").replaceChildren(...parts ? ["= ", ...inPieces(parts).map(piece =>
    piece.reference ? element("b", { textContent: piece.reference }) : piece)] : []);
  say(byId("chain-cell"), T`In the workbook: ${a1(id)}${parts ? `, ${formulaText(parts)}` : ""}`);
  const told = originOf(id, parts).filter(Boolean);
  const facts = factsIn(told).map(textContent => element("li", { textContent }));
  byId("chain-origin").replaceChildren(...told.map(textContent => element("p", { textContent })),
    ...facts.length ? [element("ul", {}, ...facts)] : []);
  byId("to-field").hidden = n < 0;
  drawSources(parts ? sourcesOf(parts) : [], parts ? takenBy(parts) : new Set());
  startSweep(n);
  byId("chain").scrollTop = 0;
  byId("chain-title").focus();
}
function drawSources(sources, taken) {
  const host = byId("chain-sources"), more = byId("chain-more");
  const names = sources.map(nameOfCell), again = new Set(names.filter((name, n) => names.indexOf(name) !== n));
  byId("chain-from").hidden = !sources.length;
  const listFrom = (first, last) => sources.slice(first, last).map(id => {
    const button = element("button", { type: "button" },
      element("span", { className: "name", textContent: nameOfCell(id) }), " ",
      element("span", { className: "number", textContent: valueText(id) }), " ",
      element("span", { className: "kind", textContent: kindOf(id, again.has(nameOfCell(id)), taken) }));
    button.dataset.id = id;
    button.classList.toggle("taken", taken.has(id));
    button.addEventListener("click", () => down(id));
    return element("li", {}, button);
  });
  host.replaceChildren(...listFrom(0, MOST_SOURCES));
  more.hidden = sources.length <= MOST_SOURCES;
  say(more, more.hidden ? "" : T`Show the other ${whole.format(sources.length - MOST_SOURCES)}`);
  more.onclick = () => {
    const rest = listFrom(MOST_SOURCES);
    host.append(...rest);
    more.hidden = true;
    rest[0].firstElementChild.focus();
  };
}
const closeChain = () => byId("chain").close();
function onClosed() {
  if (byId("chain").open) return; // the event comes later than the closing, and another figure may be open by then
  stopSweep();
  opener?.focus();
  opener = null;
}
function toField() {
  opener = null;
  closeChain();
  reach(inputOf(trail[trail.length - 1].id));
}
