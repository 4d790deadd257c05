// The design on the page: typed values, saved values, results of the formulas.

const UNSAID = {
  label: "", unit: "", help: "", minimum: null, maximum: null, choices: [],
  text: false, integer: false, longest: null, percent: false, money: false,
};
const INPUTS = DATA.inputs.map(([key, at, saved, kind]) => ({ ...UNSAID, ...DATA.kinds[kind], key, at, saved }));
const RESULTS = Object.fromEntries(Object.entries(DATA.results).map(([key, [label, unit, at]]) => [key, { label, unit, at }]));
const entries = INPUTS.map(input => input.saved); // the current entries
const SAVED = entries.slice(); // of the workbook, as all entries are at first
const wrong = new Map(); // input number -> {text, fault} of what is typed there and cannot be read

// The currency of all amounts of a design: what is typed, or that of the workbook where the entry is blank.
const currencyInput = INPUTS.findIndex(({ key }) => key === "currency");
const currencyIn = (values = entries) => values[currencyInput] ?? DATA.currency;

const valueAt = position => V[position];
const result = key => valueAt(RESULTS[key].at);
const same = (left, right) => left === right || (left === null && right === "") || (left === "" && right === null);
const changed = () => INPUTS.map((_, n) => n).filter(n => !same(entries[n], INPUTS[n].saved));

// Compute what the inputs changed since the last time move, and all of it at first. Returns the number of cells.
let begun = false;
function compute() {
  let groups = 0;
  INPUTS.forEach((input, n) => {
    if (V[input.at] === entries[n]) return;
    V[input.at] = entries[n];
    groups |= 1 << DATA.bits[n];
  });
  const schedule = begun ? movedBy(groups) : EVERYTHING;
  begun = true;
  run(schedule);
  return cellsIn(schedule);
}
const schedules = new Map(); // groups of inputs, as bits -> what they move
function movedBy(groups) {
  if (!schedules.has(groups)) {
    schedules.set(groups, EVERYTHING.filter((_, n) => DATA.moved[Math.floor(n / 3)] & groups));
  }
  return schedules.get(groups);
}
const cellsIn = schedule => schedule.reduce((sum, number, n) => n % 3 === 2 ? sum + number : sum, 0);
// The saved design, computed here, against the results in the workbook.
function differences() {
  return Object.keys(RESULTS).filter((key, n) => {
    const wanted = DATA.expected[n], got = result(key), value = got instanceof Fault ? got.text : got;
    if (typeof wanted !== "number" || typeof value !== "number") return value !== wanted;
    return Math.abs(value - wanted) > 1e-9 * Math.abs(wanted);
  });
}
// Values as their cells show them; also another number, such as a percentile, in the format of a cell.
const sectionsAt = new Map(DATA.formats.flatMap(({ sections, cells }) => cells.map(position => [position, sections])));
function cellText(position, value = valueAt(position)) {
  const sections = sectionsAt.get(position);
  return sections && typeof value === "number" ? inSections(sections, value) : shown(value);
}
function resultText(key, value = result(key)) {
  const { at, unit } = RESULTS[key], text = cellText(at, value);
  return typeof value === "number" && value >= 0 && unitText(unit) ? `${text} ${unitText(unit)}` : text;
}
