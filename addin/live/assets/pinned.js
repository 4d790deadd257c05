// Two designs side by side: A is pinned, B is what stands in the fields. What differs is marked.

let pinned = null; // design A: its values and all cells that they give

// A design with its cells, computed beside the one that is shown.
function sideOf(values) {
  const shownCells = V;
  V = V.slice();
  try {
    INPUTS.forEach((input, n) => { V[input.at] = values[n]; });
    run(EVERYTHING);
    return { values, cells: V };
  } finally {
    V = shownCells;
  }
}
const changedIn = values => INPUTS.map((_, n) => n).filter(n => !same(values[n], INPUTS[n].saved));
const betweenSides = () => pinned ? INPUTS.map((_, n) => n).filter(n => !same(pinned.values[n], entries[n])) : [];

function pinHere() {
  pinned = sideOf(entries.slice());
  note(T`Pinned as A. Change the inputs to compare another design with it.`);
  keep();
  later();
}
function unpin() {
  pinned = null;
  keep();
  later();
}
function toPinned() {
  alter(new Map(betweenSides().concat([...wrong.keys()]).map(n => [n, { value: pinned.values[n] }])));
}
// Amounts of two currencies are shown each with its own, and none is taken from the other.
const otherCurrency = () => currencyIn(pinned.values) !== currencyIn();
const inOwn = ([text, value, values]) => typeof value === "number" ? `${text} ${currencyIn(values)}` : text;
// The cells of the answer, and the net present cost where there is one: [label, position, whether it is an amount].
function sideRows() {
  const { heads, lines: rows } = DATA.blocks.answer;
  const found = rows.filter(({ values }) => values.length).flatMap(({ label, values }) =>
    values.map((position, n) => [`${cellText(label)}${n ? `, ${heads[n]}` : ""}`, position, pinned && cellText(label, pinned.cells[label]) !== cellText(label)]));
  const { npv } = RESULTS;
  return npv ? [...found, [labelled(npv.label, npv.unit), npv.at, true]] : found;
}
// The step between two numbers as they are shown; T`differs` for words.
function sideStep(left, right) {
  if (left === right) return "";
  const plain = [left, right].map(unmarked), read = text => /^-?[\d,]+(\.\d+)?$/.test(text) ? Number(text.replaceAll(",", "")) : NaN;
  const numbers = plain.map(read);
  if (!numbers.every(Number.isFinite)) return T`differs`;
  const digits = Math.max(...plain.map(text => text.split(".")[1]?.length ?? 0));
  const difference = numbers[1] - numbers[0], format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const text = marked(Math.abs(difference).toLocaleString("en-US", format));
  return (difference < 0 ? "\u2212" : "+") + text;
}
function showSides() {
  const between = betweenSides();
  say(byId("sides-told"), !pinned ? T`Pin the design that you see as A, then change it: both are shown.`
    : between.length ? T`A is pinned. B, in the fields, differs in ${counted(between.length, T`input`, T`inputs`)[0]}.`
      : T`A is pinned, and nothing differs yet. Change an input.`);
  say(byId("pin"), pinned ? T`Pin this design in place of A` : T`Pin this design as A`);
  byId("unpin").hidden = !pinned;
  for (const id of ["to-pinned", "split"]) byId(id).hidden = !between.length;
  const lines = between.map(n => inWords(n, entries, pinned.values));
  repaint(byId("sides-inputs"), lines, () => {
    listed(byId("sides-inputs"), lines);
    stopSplitting();
  });
  if (!pinned) {
    byId("sides").replaceChildren();
    tables.delete(byId("sides"));
    stopSplitting();
    return;
  }
  const rows = sideRows().map(([label, position, inMoney]) => {
    const left = cellText(position, pinned.cells[position]), right = cellText(position);
    if (inMoney && otherCurrency()) {
      return [label, ...[[left, pinned.cells[position], pinned.values], [right, valueAt(position), entries]].map(inOwn), T`differs`, position];
    }
    return [label, left, right, sideStep(left, right), position];
  }).filter(([, left, right]) => left || right);
  const marked = rows.map((_, r) => r).filter(r => rows[r][3]);
  const places = rows.map(row => [undefined, undefined, row.pop()]);
  table(byId("sides"), ["", "A", "B", T`change`], rows, { marked, places });
}
