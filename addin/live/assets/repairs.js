// What a refused entry may have meant. Each guess is a button beside the field; none is taken unasked.

const UNITS = [ // kinds of units, each with the size of its own
  { ms: 0.001, s: 1, sec: 1, seconds: 1, min: 60, minutes: 60, h: 3600, hours: 3600 },
  { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 },
];
const AMOUNT = /^([-+]?\d[\d.,'\u2019\s]*|[-+]?[.,]\d+)(\D*)$/;

// The values that a refused text may stand for: [{value, label}], at most three.
function repairs(input, text) {
  const bare = text.trim().replace(/\s+/g, " "), found = new Map();
  const texts = input.unit === "date" ? days(bare) : input.unit === "clock" ? clocks(bare)
    : input.text ? [] : amounts(input, bare);
  for (const each of texts) {
    const { value, fault } = readEntry(input, each, false);
    if (fault || value === null || (isCounted(input) && !Number.isInteger(value))) continue;
    found.set(value, { value, label: T`Use ${typedText(input, value)}` });
  }
  return [...found.values()].slice(0, 3);
}
function amounts(input, bare) {
  const read = AMOUNT.exec(bare);
  if (!read) return [];
  const numbers = digitsOf(read[1].trim()), suffix = read[2].trim().toLowerCase();
  if (!suffix) return input.percent ? [...numbers, ...numbers.map(each => `${each}%`)] : numbers;
  if (suffix === "%" && input.unit === "ratio") return numbers.map(each => `${each}%`);
  const size = suffix === "k" ? 1000 : sizeOf(suffix, input);
  return size === undefined ? [] : numbers.map(each => String(Number((Number(each) * size).toPrecision(15))));
}
// Thousands separated by comma, point, apostrophe or space; a comma before decimals.
function digitsOf(text) {
  const bare = text.replace(/[\s'\u2019]/g, ""), found = [];
  if (TYPED.test(bare)) found.push(plainly(bare));
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) found.push(bare.replace(/,/g, ""));
  if (/^[-+]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(bare)) found.push(bare.replace(/\./g, "").replace(",", "."));
  if (/^[-+]?\d*,\d+$/.test(bare)) found.push(plainly(bare.replace(",", ".")));
  return found;
}
const plainly = digits => String(Number(digits)); // 1.5 for 1.500, which would be queried
// How many of the input's unit one of another unit is; undefined where they do not measure the same.
function sizeOf(suffix, input) {
  const own = unitText(input.unit).toLowerCase(), words = [own, own.split("/")[0], input.label.toLowerCase()];
  if (words.includes(suffix)) return 1;
  const kind = UNITS.find(each => Object.hasOwn(each, suffix) && Object.hasOwn(each, own));
  return kind && kind[suffix] / kind[own];
}
function clocks(bare) {
  const read = /^(\d{1,2})(?:[.:h ]+([0-5]?\d))? ?(am|pm|h)?$/i.exec(bare);
  if (!read) return [];
  const half = (read[3] ?? "").toLowerCase(), hour = Number(read[1]);
  if ((half === "am" || half === "pm") && (hour < 1 || hour > 12)) return [];
  return [`${two(half === "pm" ? hour % 12 + 12 : half === "am" ? hour % 12 : hour)}:${two(read[2] ?? 0)}`];
}
function days(bare) {
  const first = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(bare);
  if (first) return [`${first[1]}-${two(first[2])}-${two(first[3])}`];
  const last = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4})$/.exec(bare);
  if (!last) return [];
  const [, one, mark, other, year] = last, found = [`${year}-${two(other)}-${two(one)}`];
  return mark === "." ? found : [...found, `${year}-${two(one)}-${two(other)}`];
}
