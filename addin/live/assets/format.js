// The display of values and the reading of entries.

// A text of the page in the reader's language: its English, with {1} for each value, is the key of a translation.
function T(parts, ...values) {
  const key = parts.reduce((text, part, n) => `${text}{${n}}${part}`);
  return (DATA.texts[key] ?? key).replace(/\{(\d+)\}/g, (_, n) => values[n - 1]);
}
// The reader's signs before decimals and between thousands, which the runtime sets in texts (MARKS).
const LOCALE = DATA.language === "en" ? globalThis.navigator?.language || "en" : DATA.language;
function marksOf(locale) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(-12345.5);
  const sign = kind => parts.find(({ type }) => type === kind)?.value;
  return [",", "."].includes(sign("decimal")) ? { ".": sign("decimal"), ",": sign("group") ?? "\u00a0" } : { ".": ".", ",": "," };
}
// The figures in a text of the workbook, which has them in English notation: 1,500 and 0.5, no version and no date.
const IN_ENGLISH = /(?<![\w.,:\/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w:\/]|[.,]\d)/g;
const numbersIn = text => text.replace(IN_ENGLISH, marked);
function numbers(options) {
  const english = new Intl.NumberFormat("en-US", options);
  return { format: value => marked(english.format(value)) };
}
const whole = numbers({ maximumFractionDigits: 0 });
const four = numbers({ maximumSignificantDigits: 4 });
const exactly = numbers({ maximumSignificantDigits: 15 });
const tenths = value => marked(value.toFixed(1));
const WORDLESS = ["", "-", "text", "count", "flag"];

// A unit as it is shown; of money it begins with a sign (addin/live/contents.py) in the place of the currency typed.
const MONEY = "\u00a4", isMoney = unit => unit.startsWith(MONEY);
const unitText = (unit, currency = currencyIn()) => WORDLESS.includes(unit) || unit === "ratio" ? ""
  : isMoney(unit) ? currency + unit.slice(MONEY.length) : unit;
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
const dayText = value => LOCALE.startsWith("en") ? dateText(value)
  : new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" }).format(DAY_0 + value * DAY);
const inPercent = value => marked(`${Number((100 * value).toPrecision(15))}%`);
const isClock = (input, value) => input.unit === "clock" && typeof value === "number" && value >= 0 && value < 1;
const two = number => String(number).padStart(2, "0");
function clockText(value) {
  const seconds = Math.round(value * 86400), rest = seconds % 60;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest ? `:${two(rest)}` : ""}`;
}
const isYear = input => input.unit === "year";
function typedText(input, value, currency = currencyIn()) {
  if (typeof value !== "number") return value ?? T`blank`;
  if (input.percent) return `${exactly.format(100 * value)}%`;
  if (isDay(input, value)) return dayText(value);
  if (isClock(input, value)) return clockText(value);
  const unit = unitText(input.unit, currency);
  return isYear(input) ? String(value) : exactly.format(value) + (unit && ` ${unit}`);
}
// The notation of the shell and of a file of changes; a field shows a share in percent, as its cell does.
const plainText = (input, value) => value === null ? "" : isDay(input, value) ? dateText(value)
  : isClock(input, value) ? clockText(value) : String(value);
const fieldText = (input, value) => typeof value !== "number" || isDay(input, value) || isClock(input, value) ? plainText(input, value)
  : input.percent ? inPercent(value) : marked(isOpen(input, String(value)) ? `${value}0` : String(value));

// A label with its unit, unless the label says it.
function labelled(label, unit) {
  const text = unitText(unit);
  return text && text !== "%" && !label.toLowerCase().includes(text.toLowerCase()) ? `${label}, ${text}` : label;
}

// A number as the shell reads it, 15% for a ratio, no sign between thousands; `typed` has the reader's decimal sign.
// Returns {value}, null for a blank, or {fault}: the error and the expected form.
const TYPED = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
function readEntry(input, text, typed = true) {
  const bare = text.trim();
  if (bare === "") return { value: null };
  if (input.text) {
    return input.longest === null || bare.length <= input.longest ? { value: bare }
      : { fault: T`This has ${whole.format(bare.length)} characters, at most ${input.longest} are taken. Shorten it.` };
  }
  if (input.unit === "date") {
    const day = /^\d{4}-\d{2}-\d{2}$/.test(bare) ? (Date.parse(bare) - DAY_0) / DAY : NaN;
    return isDay(input, day) && dateText(day) === bare ? within(input, day)
      : { fault: T`"${bare}" is no date here. Write a date such as 2026-11-22.` };
  }
  if (input.unit === "clock") {
    const read = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(bare);
    return read && read[1] < 24 ? { value: (read[1] * 3600 + read[2] * 60 + Number(read[3] ?? 0)) / 86400 }
      : { fault: T`"${bare}" is no time of day here. Write it as 07:00, from 00:00 to 23:59.` };
  }
  const share = input.unit === "ratio" && bare.endsWith("%"), given = share ? bare.slice(0, -1).trim() : bare;
  const digits = typed ? given.replace(/[.,]/g, sign => sign === MARKS["."] ? "." : ",") : given;
  if (!TYPED.test(digits)) return { fault: T`"${bare}" is not a number here.` + ` ${expectedNumber(input, digits)}` };
  if (!share && isOpen(input, digits)) return { fault: openText(digits) };
  const value = share ? Number((Number(digits) / 100).toPrecision(15)) : Number(digits);
  return within(input, value, input.percent && !share && value <= 100 * input.maximum ? T` Did you mean ${marked(digits)}%?` : "");
}
// 1.200 is either 1.2, or 1200 as half of Europe writes it, where numbers are counted or large: as the shell asks
// (addin/workbook/item.py).
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/, LARGE = 1e6;
const COUNTED = ["desktops", "arrays", "count"];
const isCounted = input => input.integer || COUNTED.includes(input.unit);
const isOpen = (input, digits) => THOUSANDS.test(digits) && (isCounted(input) || (input.maximum ?? 0) >= LARGE);
function openText(digits) {
  const small = marked(String(Number(digits))), large = digits.replace(".", "");
  return T`${small} or ${large}? Type ${large}, or ${marked(digits)}0 for ${small}.`;
}
function expectedNumber(input, digits) {
  const comma = /^[-+]?[\d.,\s]+$/.test(digits), examples = [marked("1.5"), marked("0.15")];
  if (comma && MARKS["."] === ",") return T`Write a comma before decimals and nothing between thousands, such as 1500 or ${examples[0]}.`;
  if (comma) return T`Write a point before decimals and no thousands separator, such as 1500 or ${examples[0]}.`;
  if (input.unit === "ratio") return T`Write a number, such as ${examples[1]} or 15%.`;
  return unitText(input.unit) ? T`Write a number in ${unitText(input.unit)}.` : T`Write a number.`;
}
// A number within the limits of its cell, or the fault.
function within(input, value, meant = "") {
  const { minimum, maximum } = input, whole = !input.integer || Number.isInteger(value);
  const inside = (minimum === null || value >= minimum) && (maximum === null || value <= maximum);
  return inside && whole && Number.isFinite(value) ? { value }
    : { fault: T`${isDay(input, value) ? dateText(value) : exactly.format(value)} is outside ${limitsText(input)}.` + meant };
}
function limitsText(input) {
  const { minimum, maximum } = input, day = input.unit === "date" || input.unit === "clock", worded = input.percent || isYear(input) || day;
  const unitName = worded ? "" : unitText(input.unit) && ` ${unitText(input.unit)}`;
  const end = value => worded ? typedText(input, value) : exactly.format(value);
  if (minimum === null && maximum === null) return "";
  const kind = input.integer ? T`the whole numbers ` : "";
  if (maximum === null) return kind + T`at least ${end(minimum)}` + unitName;
  return kind + (minimum === null ? T`at most ${end(maximum)}` : T`${end(minimum)} to ${end(maximum)}`) + unitName;
}
// The value read, in words, so that 1.500 is not taken for fifteen hundred.
function readBack(input, value) {
  if (value === null) return T`blank`;
  if (typeof value !== "number") return "";
  return T`read as ${typedText(input, value)}`;
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
