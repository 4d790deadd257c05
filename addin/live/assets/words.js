// A step of a chain in words: its name, its value as the cell shows it, its formula with labels in place of cells.

// The name of a cell: a field of a card of the user's own has the card's too.
function nameOfCell(id) {
  const n = inputOf(id);
  return n >= 0 && INPUTS[n].key.includes(".") ? nameOf(INPUTS[n]) : besideOf(id).label || (n >= 0 ? INPUTS[n].label : a1(id));
}
function valueText(id) {
  const value = valueOf(id), n = inputOf(id);
  if (value === null) return T`blank`;
  if (n >= 0) return String(typedText(INPUTS[n], value));
  if (typeof value !== "number") return String(value === true ? "TRUE" : value === false ? "FALSE" : value) || T`empty`;
  const { unit, format } = besideOf(id), sections = chains().formats.get(format), as = { unit };
  if (!sections && (isDay(as, value) || isClock(as, value) || isYear(as))) return typedText(as, value);
  const text = sections ? inSections(sections, value).trim() : shown(value);
  return unitText(unit) && /\d$/.test(text) ? `${text} ${unitText(unit)}` : text;
}
// All digits of a number of which its cell shows fewer; empty for any other value.
function exactText(id) {
  const value = valueOf(id), text = valueText(id);
  if (typeof value !== "number" || !/\d/.test(text) || isDay(besideOf(id), value) || isClock(besideOf(id), value)) return "";
  const digits = exactly.format(value);
  return digits === text || text.startsWith(`${digits} `) || text === `${exactly.format(100 * value)}%` ? "" : digits;
}
// What a formula refers to: the label of a cell, or the first and the last of several.
function referenceText(part) {
  const { beside } = chains(), ids = part.areas.flatMap(area => [...idsIn(area)]);
  const names = ids.filter(id => beside.has(id)).map(nameOfCell);
  if (ids.length === 1) return `\u201c${names[0] ?? a1(ids[0])}\u201d`;
  if (!names.length) return part.text;
  const last = names[names.length - 1], count = T` (${whole.format(ids.length)} cells)`;
  return (names[0] === last ? `\u201c${last}\u201d` : `\u201c${names[0]}\u201d to \u201c${last}\u201d`) + count;
}
const WRITTEN = /"(?:[^"]|"")*"|<=|>=|<>|[-+*/^&=<>,()]|[^"\-+*/^&=<>,()]+/g;
const SIGNS = { "*": "\u00d7", "/": "\u00f7", "-": "\u2212", "<=": "\u2264", ">=": "\u2265", "<>": "\u2260" };
// A formula in words, in pieces: texts, and {reference} for what it refers to.
function inPieces(parts) {
  const pieces = [];
  let ended = false; // whether a value has just ended: a minus behind it subtracts
  parts.forEach((part, n) => {
    if (part.areas) {
      pieces.push({ reference: referenceText(part) });
      ended = true;
      return;
    }
    let text = "";
    for (const [bit] of (n ? part : part.slice(1)).matchAll(WRITTEN)) {
      const sign = SIGNS[bit] ?? bit, value = /^["\w\p{L})]/u.test(bit);
      if (bit === ",") text += ", ";
      else if (value || bit === "(" || bit === "^") text += bit;
      else text += ended ? ` ${sign} ` : sign;
      ended = value;
    }
    pieces.push(text);
  });
  return pieces;
}
const wordsOf = parts => inPieces(parts).map(piece => piece.reference ?? piece).join("");
