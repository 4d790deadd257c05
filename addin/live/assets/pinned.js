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
// The cells of the answer, and the net present cost where there is one: [label, position].
function sideRows() {
  const { heads, lines: rows } = DATA.blocks.answer;
  const found = rows.filter(({ values }) => values.length).flatMap(({ label, values }) =>
    values.map((position, n) => [`${cellText(label)}${n ? `, ${heads[n]}` : ""}`, position]));
  return RESULTS.npv ? [...found, [labelled(RESULTS.npv.label, RESULTS.npv.unit), RESULTS.npv.at]] : found;
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
  const lines = between.map(n => inWords(n, entries[n], pinned.values[n]));
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
  const rows = sideRows().map(([label, position]) => {
    const left = cellText(position, pinned.cells[position]), right = cellText(position);
    return [label, left, right, sideStep(left, right), position];
  }).filter(([, left, right]) => left || right);
  const marked = rows.map((_, r) => r).filter(r => rows[r][3]);
  const places = rows.map(row => [undefined, undefined, row.pop()]);
  table(byId("sides"), ["", "A", "B", T`change`], rows, { marked, places });
}
