// How Excel orders and combines values, as in excel/comparison.py and scalar/operators.py.

function arithmetic(compute) {
  return (left, right) => {
    if (typeof left === "number" && typeof right === "number") return compute(left, right);
    const a = toNumber(left);
    if (a instanceof Fault) return a;
    const b = toNumber(right);
    return b instanceof Fault ? b : compute(a, b);
  };
}
const add = arithmetic((a, b) => finite(a + b)), sub = arithmetic((a, b) => finite(a - b));
const mul = arithmetic((a, b) => finite(a * b)), div = arithmetic((a, b) => b === 0 ? DIV0 : finite(a / b));
const pow = arithmetic(power);

// A negative base takes whole exponents and those of odd roots: (-8)^(1/3) is -2.
function power(base, exponent) {
  if (base === 0 && exponent <= 0) return exponent === 0 ? NUM : DIV0;
  if (base < 0 && exponent !== Math.floor(exponent)) {
    const root = 1 / exponent, near = halfToEven(root);
    if (Math.abs(root) >= 2 ** 53 || near % 2 === 0 || 1 / near !== exponent) return NUM;
    const result = power(-base, exponent);
    return typeof result === "number" ? -result : result;
  }
  const plain = base ** exponent, size = Math.abs(plain);
  const whole = Number.isInteger(exponent) && exponent > 1 && exponent <= 64;
  return whole && size > 1e-250 && size < 1e250 ? wholePower(base, exponent) : finite(plain);
}
// In twice the digits, rounded once: a browser's own may be off in the last one, which shows where two costs are equal.
function wholePower(base, exponent) {
  let high = base, low = 0;
  for (let n = 1; n < exponent; n++) {
    const product = high * base, rest = productError(high, base, product) + low * base;
    high = product + rest;
    low = rest - (high - product);
  }
  return high;
}
// T. J. Dekker, "A floating-point technique for extending the available precision", 1971: what a product leaves out.
function productError(a, b, product) {
  const [aHigh, aLow] = halves(a), [bHigh, bLow] = halves(b);
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
function halves(number) {
  const scaled = 134217729 * number, high = scaled - (scaled - number);
  return [high, number - high];
}
function halfToEven(number) {
  const below = Math.floor(number), part = number - below;
  return part < 0.5 || (part === 0.5 && below % 2 === 0) ? below : below + 1;
}
const signed = compute => value => {
  const number = toNumber(value);
  return number instanceof Fault ? number : compute(number);
};
const neg = signed(number => -number), percent = signed(number => number / 100);
function cat(left, right) {
  const a = toText(left);
  if (a instanceof Fault) return a;
  const b = toText(right);
  if (b instanceof Fault) return b;
  return a.length + b.length > LONGEST_TEXT ? VALUE : a + b;
}
// The last sum of a formula: 0 where it leaves a rest of two numbers that agree in 15 digits.
function last(combine, left, right) {
  const result = combine(left, right);
  if (typeof result !== "number") return result;
  const a = Math.abs(toNumber(left)), b = Math.abs(toNumber(right));
  return compareNumbers(a, b) === 0 && Math.abs(result) < a ? 0 : result;
}

const RANKS = { number: 0, string: 1, boolean: 2 };
const filled = (value, other) => value !== null ? value
  : typeof other === "string" ? "" : typeof other === "boolean" ? false : 0;
function rawOrder(left, right) {
  if (typeof left === "string") [left, right] = [fold(left), fold(right)];
  return left < right ? -1 : left > right ? 1 : 0;
}
function ordered(test) {
  return (left, right) => {
    if (typeof left === "number" && typeof right === "number") return test(compareNumbers(left, right));
    if (left instanceof Fault) return left;
    if (right instanceof Fault) return right;
    const a = filled(left, right), b = filled(right, left);
    if (typeof a !== typeof b) return test(RANKS[typeof a] < RANKS[typeof b] ? -1 : 1);
    return test(typeof a === "number" ? compareNumbers(a, b) : rawOrder(a, b));
  };
}
const eq = ordered(order => order === 0), ne = ordered(order => order !== 0);
const lt = ordered(order => order < 0), le = ordered(order => order <= 0);
const gt = ordered(order => order > 0), ge = ordered(order => order >= 0);

// Element by element, as inside SUMPRODUCT: a single row, column or value is repeated, what is missing is #N/A.
function spread(compute, ...args) {
  const areas = args.map(asArea);
  const height = Math.max(...areas.map(area => area.height)), width = Math.max(...areas.map(area => area.width));
  const element = (area, i, j) => {
    const row = area.height === 1 ? 0 : i, column = area.width === 1 ? 0 : j;
    return row < area.height && column < area.width ? area.at(row, column) : NOT_AVAILABLE;
  };
  const values = [];
  for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) {
    values.push(compute(...areas.map(area => element(area, i, j))));
  }
  return height === 1 && width === 1 ? values[0] : computed(height, width, values);
}

// * and ? stand for characters, ~ takes the next one literally.
function wildcard(pattern) {
  const parts = (pattern.match(/~[\s\S]?|[\s\S]/g) ?? []).map(piece =>
    piece === "*" ? "[\\s\\S]*" : piece === "?" ? "[\\s\\S]"
      : (piece[0] === "~" ? piece.slice(1) : piece).replace(/[.+^${}()|[\]\\/*?-]/g, "\\$&"));
  return parts.join("");
}
const textMatcher = remembered(pattern => {
  if (/[*?~]/.test(pattern)) {
    const expression = new RegExp(`^(?:${wildcard(pattern)})$`, "i");
    return text => expression.test(text);
  }
  const folded = fold(pattern);
  return text => text === pattern || (text.length === folded.length && fold(text) === folded);
});

// The test that COUNTIF makes of its criterion, such as 5, ">5", "<>x", "a*" or "".
const criteria = remembered(readCriterion);
const criterion = wanted => criteria(wanted ?? 0);
function readCriterion(wanted) {
  if (typeof wanted !== "string") return equals(wanted);
  const operator = /^(?:<>|<=|>=|=|<|>)/.exec(wanted)?.[0] ?? "", rest = wanted.slice(operator.length);
  if (operator === "" || operator === "=" || operator === "<>") {
    const test = rest !== "" ? equals(typed(rest))
      : operator === "" ? value => value === null || value === "" : value => value === null;
    return operator === "<>" ? value => !test(value) : test;
  }
  const bound = typed(rest);
  const test = { "<": order => order < 0, "<=": order => order <= 0, ">": order => order > 0, ">=": order => order >= 0 };
  return value => bound !== "" && !(bound instanceof Fault) && typeof value === typeof bound &&
    !(value instanceof Fault) && value !== null && test[operator](rawOrder(value, bound));
}
function typed(text) {
  const number = numberIn(text);
  if (number !== null) return number;
  return isTruth(text) ? fold(text) === "true" : FAULTS[text.toUpperCase()] ?? text;
}
function equals(wanted) {
  if (typeof wanted === "string") {
    const matches = textMatcher(wanted);
    return value => typeof value === "string" && matches(value);
  }
  if (typeof wanted === "number") return value => (typeof value === "string" ? numberIn(value) : value) === wanted;
  return value => value === wanted;
}
