// The display of values and the reading of entries.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const four = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
const exactly = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 15 });
const WORDLESS = ["", "-", "text", "count", "flag"];

const unitText = unit => WORDLESS.includes(unit) || unit === "ratio" ? "" : unit;
// A value whose cell has no number format of its own.
function shown(value) {
  if (value === null) return "";
  if (typeof value !== "number") return String(value);
  return Math.abs(value) >= 1000 || Number.isInteger(value) ? whole.format(value) : four.format(value);
}
// A number as its cell shows it: the first section that applies gives its digits or its words.
const MEETS = { "<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne };
function inSections(sections, value) {
  const met = sections.find(([operator, bound]) => !operator || MEETS[operator](value, bound));
  if (!met) return shown(value);
  const [, , signed, digits, words] = met;
  return (digits && F.TEXT(signed ? value : -value, digits)) + words;
}
// A typed value with all its digits, as its cell shows it: a share in percent, a serial number of a day as a date.
const DAY_0 = Date.UTC(1899, 11, 30), DAY = 86400000;
const isDay = (input, value) => input.unit === "date" && typeof value === "number" && value >= 0 && value < 1e6;
const dateText = value => new Date(DAY_0 + value * DAY).toISOString().slice(0, 10);
const inPercent = value => `${Number((100 * value).toPrecision(15))}%`;
const isClock = (input, value) => input.unit === "clock" && typeof value === "number" && value >= 0 && value < 1;
const two = number => String(number).padStart(2, "0");
function clockText(value) {
  const seconds = Math.round(value * 86400), rest = seconds % 60;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest ? `:${two(rest)}` : ""}`;
}
const isYear = input => input.unit === "year";
function typedText(input, value) {
  if (typeof value !== "number") return value ?? "blank";
  if (input.percent) return `${exactly.format(100 * value)}%`;
  if (isDay(input, value)) return dateText(value);
  if (isClock(input, value)) return clockText(value);
  return isYear(input) ? String(value) : exactly.format(value) + (unitText(input.unit) && ` ${input.unit}`);
}
// The notation of the shell and of a file of changes; a field shows a share in percent, as its cell does.
const plainText = (input, value) => value === null ? "" : isDay(input, value) ? dateText(value)
  : isClock(input, value) ? clockText(value) : String(value);
const fieldText = (input, value) => input.percent && typeof value === "number" ? inPercent(value) : plainText(input, value);

// A label with its unit, unless the label says it.
const labelled = (label, unit) => unitText(unit) && unit !== "%" && !label.toLowerCase().includes(unit.toLowerCase())
  ? `${label}, ${unit}` : label;

// A number as the shell reads it: a decimal point, no thousands separator, 15% for a ratio.
// Returns {value}, null for a blank, or {fault}: the error and the expected form.
const TYPED = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
function readEntry(input, text) {
  const bare = text.trim();
  if (bare === "") return { value: null };
  if (input.text) {
    return input.longest === null || bare.length <= input.longest ? { value: bare }
      : { fault: `This has ${whole.format(bare.length)} characters, at most ${input.longest} are taken. Shorten it.` };
  }
  if (input.unit === "date") {
    const day = /^\d{4}-\d{2}-\d{2}$/.test(bare) ? (Date.parse(bare) - DAY_0) / DAY : NaN;
    return isDay(input, day) && dateText(day) === bare ? within(input, day)
      : { fault: `"${bare}" is no date here. Write a date such as 2026-11-22.` };
  }
  if (input.unit === "clock") {
    const read = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(bare);
    return read && read[1] < 24 ? { value: (read[1] * 3600 + read[2] * 60 + Number(read[3] ?? 0)) / 86400 }
      : { fault: `"${bare}" is no time of day here. Write it as 07:00, from 00:00 to 23:59.` };
  }
  const share = input.unit === "ratio" && bare.endsWith("%"), digits = share ? bare.slice(0, -1).trim() : bare;
  if (!TYPED.test(digits)) {
    const comma = /^[-+]?[\d.,\s]+$/.test(digits);
    return { fault: `"${bare}" is no number here. ` + (comma
      ? "Write a point before decimals and no thousands separator, such as 1500 or 1.5."
      : `Write a number${input.unit === "ratio" ? ", such as 0.15 or 15%" : unitText(input.unit) && ` in ${input.unit}`}.`) };
  }
  const value = share ? Number((Number(digits) / 100).toPrecision(15)) : Number(digits);
  return within(input, value, input.percent && !share && value <= 100 * input.maximum ? ` Did you mean ${digits}%?` : "");
}
// A number within the limits of its cell, or the fault.
function within(input, value, meant = "") {
  const { minimum, maximum } = input, whole = !input.integer || Number.isInteger(value);
  const inside = (minimum === null || value >= minimum) && (maximum === null || value <= maximum);
  return inside && whole && Number.isFinite(value) ? { value }
    : { fault: `${isDay(input, value) ? dateText(value) : exactly.format(value)} is outside ${limitsText(input)}.${meant}` };
}
function limitsText(input) {
  const { minimum, maximum } = input, day = input.unit === "date" || input.unit === "clock", worded = input.percent || isYear(input) || day;
  const unitName = worded ? "" : unitText(input.unit) && ` ${input.unit}`;
  const end = value => worded ? typedText(input, value) : exactly.format(value);
  if (minimum === null && maximum === null) return "";
  const kind = input.integer ? "the whole numbers " : "";
  if (maximum === null) return `${kind}at least ${end(minimum)}${unitName}`;
  return kind + (minimum === null ? `at most ${end(maximum)}${unitName}` : `${end(minimum)} to ${end(maximum)}${unitName}`);
}
// The value read, in words, so that 1.500 is not taken for fifteen hundred.
function readBack(input, value) {
  if (value === null) return "blank";
  if (typeof value !== "number") return "";
  return `read as ${typedText(input, value)}`;
}

// Elements. Text is set as text: a name that looks like markup is shown, never executed.
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const byId = id => document.getElementById(id);
