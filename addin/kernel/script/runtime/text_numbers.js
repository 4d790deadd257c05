// Text that reads as a number, the way VALUE and arithmetic read it, as in excel/text_numbers.py (US English): with the
// reader's signs (MARKS) in place of point and comma.

const NUMBER = new RegExp(String.raw`^(\()?([-+])?\s*\$?\s*(\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)` +
  String.raw`([eE][-+]?\d{1,3})?\s*(%)?(\))?$`);
const DATE = /^(?:(\d{4})[-/](\d{1,2})[-/](\d{1,2})|(\d{1,2})\/(\d{1,2})\/(\d{4}))(?:\s+(.+))?$/;
const TIME = /^(\d{1,4}):(\d{1,4})(?::(\d{1,4}))?(\.\d*)?(?:\s*([AaPp])[Mm])?$/;
const DAY_MS = 86400000;

// A function of one value that keeps its last answers, as many workbooks ask the same again and again.
const MOST_REMEMBERED = 4096, memories = [];
function remembered(compute) {
  const known = new Map();
  memories.push(known);
  return value => {
    let answer = known.get(value);
    if (answer === undefined) {
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(value, answer = compute(value));
    }
    return answer;
  };
}
const numberIn = remembered(readNumber);
// Write and read numbers in texts with other signs from now on; cells computed before have the old ones.
function setMarks(marks) {
  Object.assign(MARKS, marks);
  for (const known of memories) known.clear();
}
function readNumber(text) {
  const match = NUMBER.exec(unmarked(text.trim()));
  if (!match) return dateIn(text);
  const [, open, sign, digits, exponent, percent, close] = match;
  if (Boolean(open) !== Boolean(close) || (open && sign)) return null;
  let number = Number(digits.replaceAll(",", "") + (exponent ?? ""));
  if (percent) number /= 100;
  return open || sign === "-" ? -number : number;
}
function dateIn(text) {
  const match = DATE.exec(text);
  if (!match) return timeIn(text);
  const [year, month, day] = (match[1] ? match.slice(1, 4) : [match[6], match[4], match[5]]).map(Number);
  const days = serial(year, month, day);
  if (days === null || match[7] === undefined) return days;
  const clock = timeIn(match[7]);
  return clock === null ? null : days + clock;
}
function timeIn(text) {
  const match = TIME.exec(text);
  if (!match) return null;
  const fields = [Number(match[1]), Number(match[2])], part = match[4] ?? "", half = match[5];
  if (match[3] !== undefined) fields.push(Number(match[3]));
  else if (part.length > 1) fields.unshift(0); // 23:59.5 is minutes and seconds
  const three = fields.length > 2, last = fields[fields.length - 1];
  let [hours, minutes, seconds = 0] = fields;
  const within = hours <= 23 && minutes <= 59 && seconds <= 59;
  // hours or the last field may be too large, not both, and nothing between them
  if (!within && (last > 59) + (hours > 23) + (three && minutes > 59) * 2 > 1) return null;
  if (half && !(within && hours >= 1 && hours <= 12)) return null;
  if (half) hours = hours % 12 + ("pP".includes(half) ? 12 : 0);
  return (hours * 3600 + minutes * 60 + seconds + (three ? Number(`0${part}0`) : 0)) / 86400;
}
// Days as numbers: 1 is 1 January 1900, and 29 February 1900 exists (60).
function serial(year, month, day) {
  const leap = year === 1900 && month === 2 ? 29 : new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const last = month === 2 && year !== 1900 && new Date(Date.UTC(year, 2, 0)).getUTCDate() === 28 ? 28 : leap;
  if (month < 1 || month > 12 || day < 1 || day > last || year < 1900 || year > 9999) return null;
  let first = (Date.UTC(year, month - 1, 1) - Date.UTC(1899, 11, 30)) / DAY_MS;
  if (first < 60) first -= 1;
  return first + day - 1;
}
