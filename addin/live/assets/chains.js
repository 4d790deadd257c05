// The chain behind a number, cell by cell, as `explain` gives it (addin/sizing/answers.py): label, value, unit, formula,
// source, and the cells that the formula reads. What the page has of them beside its program is unpacked when it is asked.

const DYNAMIC = "="; // before the column of a label that is computed or typed (addin/live/explained.py)
const LAST_COLUMN = 16384, LAST_ROW = 1048576;
const inputAt = new Map(INPUTS.map(({ at }, n) => [at, n]));
let known = null;

// A cell as one number, and back.
const idOf = (sheet, row, column) => (sheet * (LAST_ROW + 1) + row) * (LAST_COLUMN + 1) + column;
function cellOf(id) {
  const column = id % (LAST_COLUMN + 1), rest = (id - column) / (LAST_COLUMN + 1), row = rest % (LAST_ROW + 1);
  return { sheet: (rest - row) / (LAST_ROW + 1), row, column };
}
const summed = rows => rows.map(row => {
  let sum = 0;
  return row.map(step => sum += step);
});
function chains() {
  if (known) return known;
  const read = JSON.parse(inflated(CHAINS));
  const told = [...DATA.kinds.map(({ label }) => label), ...Object.values(DATA.results).map(([label]) => label)];
  const texts = [...new Set(["", ...told]), ...read.texts], entries = summed(read.entries), spans = summed(read.spans);
  const beside = new Map(), fixed = new Map();
  spans[0].forEach((sheet, n) => {
    for (let more = 0; more < spans[3][n]; more++) beside.set(idOf(sheet, spans[1][n], spans[2][n] + more), spans[4][n]);
  });
  read.fixed.forEach(([sheet, row, column, height, width, apart], n) => {
    const run = { first: { sheet, row, column }, text: read.formulas[PLACES.length / 3 + n] };
    for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) fixed.set(idOf(sheet, row + i * apart, column + j), run);
  });
  const runs = new Int32Array(V.length); // the run of each computed cell, from 1
  for (let n = 0; n < EVERYTHING.length; n += 3) {
    const run = EVERYTHING[n], [first, step, width] = PLACES.slice(3 * run, 3 * run + 3);
    for (let copy = EVERYTHING[n + 1], end = copy + EVERYTHING[n + 2]; copy < end; copy++) {
      runs[first + Math.floor(copy / width) * step + copy % width] = run + 1;
    }
  }
  known = {
    ...read, texts, entries, beside, fixed, runs, formats: new Map(read.formats),
    values: new Map(read.values.map(([sheet, row, column, value]) => [idOf(sheet, row, column), FAULTS[value] ?? value])),
  };
  return known;
}
// Where a cell lies among those that are computed; -1 for any other.
function positionOf({ sheet, row, column }) {
  const [, , start, top, left, bottom, right] = chains().sheets[sheet];
  if (start === undefined || row < top || row > bottom || column < left || column > right) return -1;
  return start + (row - top) * (right - left + 1) + column - left;
}
function idAt(position) {
  const { sheets } = chains();
  for (let sheet = 0; sheet < sheets.length; sheet++) {
    const [, , start, top, left, bottom, right] = sheets[sheet], wide = right - left + 1, off = position - start;
    if (off >= 0 && off < wide * (bottom - top + 1)) return idOf(sheet, top + Math.floor(off / wide), left + off % wide);
  }
  throw new Error(`No sheet has position ${position}.`);
}
function letters(column) {
  let text = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) text = String.fromCharCode(65 + (rest - 1) % 26) + text;
  return text;
}
const columnOf = text => [...text].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
const a1 = id => {
  const { sheet, row, column } = cellOf(id);
  return `${chains().sheets[sheet][1]}!${letters(column)}${row}`;
};
function valueOf(id) {
  const { values } = chains(), position = positionOf(cellOf(id));
  return values.has(id) || position < 0 ? values.get(id) ?? null : V[position];
}
const inputOf = id => inputAt.get(positionOf(cellOf(id))) ?? -1;
// What the sheet says of a cell; of one of no chain, such as a blank one, nothing.
function besideOf(id) {
  const { beside, entries, texts } = chains(), entry = beside.get(id);
  if (entry === undefined) return { label: "", unit: "", basis: "", format: "", source: "" };
  const [name, heading, unit, basis, , source] = entries.map(column => texts[column[entry]]);
  const label = name.startsWith(DYNAMIC) ? labelBeside(id, name) : name;
  return { label: [label, heading].filter(Boolean).join(", "), unit, basis, format: entries[4][entry], source };
}
// The printed figures that texts name, in words.
const FACT = /\b[A-Z][A-Z0-9]{1,3}-\d{3,}\b/g;
const factsIn = texts => [...new Set(texts.flatMap(text => text.match(FACT) ?? []))]
  .filter(id => chains().facts[id]).map(id => `${id}: ${chains().facts[id]}`);
function labelBeside(id, name) {
  const [column, ...title] = name.slice(DYNAMIC.length).split(" ");
  const text = valueOf(idOf(cellOf(id).sheet, cellOf(id).row, Number(column)));
  return typeof text === "string" && text ? text : title.join(" ");
}

// The formula of a cell in parts: texts as they stand, and {text, areas, read} for what it refers to. Null without one.
const PART = new RegExp(["\"(?:[^\"]|\"\")*\"", // a text
  "(?:'((?:[^']|'')+)'!|([\\p{L}_][\\p{L}\\p{N}_.]*)!)?(\\$?)([A-Z]{1,3})(\\$?)(\\d+)(?::(\\$?)([A-Z]{1,3})(\\$?)(\\d+))?(?![\\w(.])",
  "[\\p{L}_][\\p{L}\\p{N}_.]*(?![\\p{L}\\p{N}_.(!])"].join("|"), "gu");
const LOOKS_AT_PLACE = /(?:ROWS?|COLUMNS?)\($/i; // what these read is where a cell is, not what it holds
function formulaOf(id) {
  const { runs, fixed, formulas, sheets, names } = chains(), cell = cellOf(id), position = positionOf(cell);
  if (inputAt.has(position)) return null;
  let run = fixed.get(id);
  if (!run && position >= 0 && runs[position]) {
    const n = runs[position] - 1;
    run = { first: cellOf(idAt(PLACES[3 * n])), text: formulas[n] };
  }
  if (!run) return null;
  const down = cell.row - run.first.row, along = cell.column - run.first.column, parts = [];
  const end = (column, fixedColumn, row, fixedRow) => ({
    column: columnOf(column) + (fixedColumn ? 0 : along), row: Number(row) + (fixedRow ? 0 : down),
  });
  const written = ({ column, row }, fixedColumn, fixedRow) => `${fixedColumn}${letters(column)}${fixedRow}${row}`;
  let from = 0;
  for (const found of run.text.matchAll(PART)) {
    const [text, quoted, plain, c1, column, r1, row, c2, column2, r2, row2] = found;
    const part = { text, areas: null, read: !LOOKS_AT_PLACE.test(run.text.slice(0, found.index)) };
    if (column) {
      const first = end(column, c1, row, r1), last = column2 ? end(column2, c2, row2, r2) : first;
      const title = quoted?.replaceAll("''", "'") ?? plain;
      const sheet = title === undefined ? cell.sheet : sheets.findIndex(([each]) => each.toLowerCase() === title.toLowerCase());
      part.areas = [[sheet, first.row, first.column, last.row, last.column]];
      part.text = (title === undefined ? "" : text.slice(0, text.lastIndexOf("!") + 1)) + written(first, c1, r1)
        + (column2 ? `:${written(last, c2, r2)}` : "");
    } else if (names[text]) {
      part.areas = names[text];
      part.read = true;
    } else continue;
    parts.push(run.text.slice(from, found.index), part);
    from = found.index + text.length;
  }
  return [...parts, run.text.slice(from)];
}
const formulaText = parts => parts.map(part => part.text ?? part).join("");
function* idsIn([sheet, top, left, bottom, right]) {
  for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) yield idOf(sheet, row, column);
}
// The cells that a formula reads, each once, without blank ones, those of the checks last.
function sourcesOf(parts) {
  const { beside, checks } = chains(), found = new Set();
  for (const part of parts) {
    if (part.read) for (const area of part.areas) for (const id of idsIn(area)) found.add(id);
  }
  const held = [...found].filter(id => beside.has(id) && (inputOf(id) < 0 || valueOf(id) !== null));
  const checked = id => cellOf(id).sheet === checks;
  return [...held.filter(id => !checked(id)), ...held.filter(checked)];
}
// The cells that INDEX takes out of a range, where row and column are numbers, cells or the place of a label.
const TAKES = /^,(\d+|\u0001|MATCH\(\u0001,\u0001,0\))(?:,(\d+|\u0001))?\)/i;
const folded = value => typeof value === "string" ? value.toLowerCase() : value;
function placeOf(sought, area) {
  const key = folded(valueOf([...idsIn(sought)][0]));
  return key === null ? 0 : [...idsIn(area)].findIndex(id => folded(valueOf(id)) === key) + 1; // 0: in none of its rows
}
function takenBy(parts) {
  const taken = new Set();
  parts.forEach((part, n) => {
    if (!part.areas || !/INDEX\($/i.test(parts[n - 1])) return;
    const rest = parts.slice(n + 1), cells = rest.filter(each => each.areas);
    const found = TAKES.exec(rest.map(each => each.areas ? "\u0001" : each).join(""));
    if (!found) return;
    const next = () => cells.shift().areas[0];
    const given = found.slice(1).map(text => /^MATCH/i.test(text ?? "") ? placeOf(next(), next())
      : text === "\u0001" ? valueOf([...idsIn(next())][0]) : Number(text ?? NaN));
    const [sheet, top, left, bottom, right] = part.areas[0];
    const [row, column] = found[2] === undefined && top === bottom ? [1, given[0]] : [given[0], found[2] === undefined ? 1 : given[1]];
    const at = { row: top + Math.trunc(row) - 1, column: left + Math.trunc(column) - 1 };
    if (at.row >= top && at.row <= bottom && at.column >= left && at.column <= right) taken.add(idOf(sheet, at.row, at.column));
  });
  return taken;
}
