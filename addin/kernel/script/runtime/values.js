"use strict";
// Excel's values and how one kind becomes another, as in addin/kernel/excel/values.py: a number, a text, a truth value,
// null (a blank cell) or a Fault. Errors are values: they travel through formulas and are never NaN.

class Fault {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}
const FAULTS = Object.fromEntries(
  ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"].map(text => [text, new Fault(text)]));
const DIV0 = FAULTS["#DIV/0!"], NOT_AVAILABLE = FAULTS["#N/A"], NUM = FAULTS["#NUM!"];
const REF = FAULTS["#REF!"], VALUE = FAULTS["#VALUE!"];
const LONGEST_TEXT = 32767;

// The cells of the workbook, one after the other: what every emitted formula reads and writes.
let V = [];

// Several cells: a rectangle of the workbook (`data` is null) or a computed array. `step` is the way to the next row;
// `row` and `column` say where a rectangle of cells stands on its sheet, 0 for a computed array.
class Area {
  constructor(data, start, step, height, width, row, column) {
    this.data = data; this.start = start; this.step = step;
    this.height = height; this.width = width; this.row = row; this.column = column;
  }
  get size() { return this.height * this.width; }
  at(i, j) { return (this.data ?? V)[this.start + i * this.step + j]; }
  nth(n) { return this.width === 1 ? this.at(n, 0) : this.at(Math.floor(n / this.width), n % this.width); }
  flat() {
    const values = [];
    for (let i = 0; i < this.height; i++) for (let j = 0; j < this.width; j++) values.push(this.at(i, j));
    return values;
  }
  part(i, j, height, width) {
    return new Area(this.data, this.start + i * this.step + j, this.step, height, width,
      this.row && this.row + i, this.column && this.column + j);
  }
}
const computed = (height, width, values) => new Area(values, 0, width, height, width, 0, 0);
const asArea = value => value instanceof Area ? value : computed(1, 1, [value]);

// The one value that a formula in (row, column) expects where cells were given: of a column the cell in its row, of a
// row the cell in its column; a computed array shows its first element.
function one(value, row, column) {
  if (!(value instanceof Area)) return value;
  if (value.row) {
    if (value.width === 1 && value.row <= row && row < value.row + value.height) return value.at(row - value.row, 0);
    if (value.height === 1 && value.column <= column && column < value.column + value.width) {
      return value.at(0, column - value.column);
    }
  }
  return single(value);
}
const single = value => !(value instanceof Area) ? value
  : !value.row || value.size === 1 ? value.at(0, 0) : VALUE;
// Of a condition several cells are #VALUE!, computed ones too.
const only = value => !(value instanceof Area) ? value : value.size === 1 ? value.at(0, 0) : VALUE;

const finite = number => Number.isFinite(number) ? number : NUM;
const fold = text => text.toLowerCase();
const isTruth = text => fold(text) === "true" || fold(text) === "false";

function toNumber(value) {
  if (typeof value === "number") return value;
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return numberIn(value) ?? VALUE;
  return value;
}
function toText(value) {
  if (typeof value === "string" || value instanceof Fault) return value;
  if (value === null) return "";
  return typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : marked(numberText(value));
}
// The signs before decimals and between thousands in a text, as Excel has them of its reader's country.
const MARKS = { ".": ".", ",": "," };
const marked = text => text.replace(/[.,]/g, sign => MARKS[sign]);
const unmarked = text => MARKS["."] === "." && MARKS[","] === "," ? text
  : [...text].map(sign => sign === MARKS[","] ? "," : sign === MARKS["."] ? "." : sign === "," || sign === "." ? "\0" : sign).join("");
function toTruth(value) {
  if (typeof value === "boolean" || value instanceof Fault) return value;
  if (value === null) return false;
  if (typeof value === "string") return isTruth(value) ? fold(value) === "true" : VALUE;
  return value !== 0;
}

// What SUM and its kin see of one cell: a number or an error, undefined for anything else.
const cell = value => typeof value === "number" || value instanceof Fault ? value : undefined;
// The numbers that they see: in cells only numbers count, a value written as an argument is coerced.
function numbersOf(args) {
  const numbers = [];
  for (const arg of args) {
    if (arg instanceof Area) {
      for (let i = 0; i < arg.height; i++) for (let j = 0; j < arg.width; j++) {
        const value = arg.at(i, j);
        if (typeof value === "number") numbers.push(value);
        else if (value instanceof Fault) return value;
      }
    } else if (arg !== undefined) {
      const number = toNumber(arg);
      if (number instanceof Fault) return number;
      numbers.push(number);
    }
  }
  return numbers;
}
