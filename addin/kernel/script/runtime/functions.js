// The functions, as in addin/kernel/scalar/functions_*.py. The letters say how arguments are taken (signatures.py):
// n a number, t a text, b a truth value, s any value but an error, e any value, a and m cells as they stand.

const F = Object.create(null);
const AS_IS = value => value;
const TAKEN = { n: toNumber, t: toText, b: toTruth, s: AS_IS, e: AS_IS, a: AS_IS, m: AS_IS };
const PASSES_ERRORS = "eam";

// Arguments are taken from the left, the first error is the result.
function define(name, letters, compute) {
  const [fixed, repeated = ""] = letters.split(":");
  if (![...fixed, ...repeated].some(letter => !PASSES_ERRORS.includes(letter))) {
    F[name] = compute;
    return;
  }
  const checked = result => typeof result === "number" && !Number.isFinite(result) ? NUM : result;
  if (letters === "n") {
    F[name] = value => {
      const number = toNumber(value);
      return number instanceof Fault ? number : checked(compute(number));
    };
    return;
  }
  const letter = n => n < fixed.length ? fixed[n] : repeated[(n - fixed.length) % repeated.length];
  F[name] = (...args) => {
    for (let n = 0; n < args.length; n++) {
      const kind = letter(n), value = TAKEN[kind](args[n]);
      if (value instanceof Fault && !PASSES_ERRORS.includes(kind)) return value;
      args[n] = value;
    }
    return checked(compute(...args));
  };
}
// Inside SUMPRODUCT a function of single values is computed for each element of its arrays.
function lifted(name, letters, ...args) {
  const arrays = args.flatMap((arg, n) => arg instanceof Area && !"am".includes(letters[n]) ? [n] : []);
  if (!arrays.length) return F[name](...args);
  return spread((...elements) => {
    const given = args.slice();
    arrays.forEach((n, i) => { given[n] = elements[i]; });
    return single(F[name](...given));
  }, ...arrays.map(n => args[n]));
}
// A function of the numbers in its arguments.
const ofNumbers = compute => (...args) => {
  const numbers = numbersOf(args);
  return numbers instanceof Fault ? numbers : compute(numbers);
};
// The same without a list of them: `step` takes what there is so far, a number, and how many came before.
const folded = (step, end) => (...args) => {
  let result = 0, count = 0;
  for (const arg of args) {
    if (typeof arg === "number") result = step(result, arg, count++);
    else if (arg instanceof Area) {
      for (let i = 0; i < arg.height; i++) for (let j = 0; j < arg.width; j++) {
        const value = arg.at(i, j);
        if (typeof value === "number") result = step(result, value, count++);
        else if (value instanceof Fault) return value;
      }
    } else if (arg !== undefined) {
      const number = toNumber(arg);
      if (number instanceof Fault) return number;
      result = step(result, number, count++);
    }
  }
  return end(result);
};
const total = numbers => {
  let sum = 0;
  for (const number of numbers) sum += number;
  return finite(sum);
};
const mean = numbers => numbers.length ? total(numbers) / numbers.length : DIV0;
const ascending = (left, right) => left - right;

// --- math
define("ABS", "n", Math.abs);
define("EXP", "n", Math.exp);
define("INT", "n", Math.floor);
define("LN", "n", number => number <= 0 ? NUM : Math.log(number));
define("SIGN", "n", number => (number > 0) - (number < 0));
define("SQRT", "n", number => number < 0 ? NUM : Math.sqrt(number));
define("POWER", "nn", power);
define("ROUND", "nn", (number, places) => roundedTo(number, Math.trunc(places), HALF_AWAY));
define("ROUNDUP", "nn", (number, places) => roundedTo(number, Math.trunc(places), UP));
define("ROUNDDOWN", "nn", (number, places) => roundedTo(number, Math.trunc(places), DOWN));
define("TRUNC", "nn", (number, places = 0) => roundedTo(number, Math.trunc(places), DOWN));
define("MOD", "nn", (number, divisor) => {
  if (divisor === 0) return DIV0;
  const rest = number % divisor;
  return rest !== 0 && rest < 0 !== divisor < 0 ? rest + divisor : rest;
});
define("CEILING", "nn", (number, step) => number === 0 || step === 0 ? 0
  : number > 0 && step < 0 ? NUM : Math.ceil(view(number / step)) * step);
const multipleOf = rounded => (number, step = 1, mode = 0) => {
  const size = Math.abs(step);
  if (size === 0) return 0;
  return mode !== 0 && number < 0 ? 0 - rounded(view(-number / size)) * size : rounded(view(number / size)) * size;
};
define("CEILING.MATH", "nnn", multipleOf(Math.ceil));
define("FLOOR.MATH", "nnn", multipleOf(Math.floor));
define("FLOOR", "nn", (number, step) => number === 0 ? 0 : step === 0 ? DIV0
  : number > 0 && step < 0 ? NUM : Math.floor(view(number / step)) * step);

// --- ranges
define("SUM", ":a", folded((sum, number) => sum + number, finite));
define("SUMSQ", ":a", folded((sum, number) => sum + number * number, finite));
define("MAX", ":a", folded((most, number, count) => count && most >= number ? most : number, AS_IS));
define("MIN", ":a", folded((least, number, count) => count && least <= number ? least : number, AS_IS));
define("PRODUCT", ":a", ofNumbers(numbers => numbers.length ? finite(numbers.reduce((a, b) => a * b)) : 0));
define("AVERAGE", ":a", ofNumbers(mean));
define("MEDIAN", ":a", ofNumbers(numbers => percentile(numbers.sort(ascending), 0.5)));
define("LARGE", "an", (values, k) => nth(values, k, (left, right) => right - left));
define("SMALL", "an", (values, k) => nth(values, k, ascending));
function percentile(sorted, share) {
  if (!sorted.length) return NUM;
  const position = share * (sorted.length - 1), below = Math.floor(position), part = position - below;
  return part === 0 ? sorted[below] : sorted[below] + part * (sorted[below + 1] - sorted[below]);
}
function nth(values, k, order) {
  const numbers = numbersOf([values]), position = Math.ceil(k);
  if (numbers instanceof Fault) return numbers;
  return position >= 1 && position <= numbers.length ? numbers.sort(order)[position - 1] : NUM;
}
define("RANK", "nan", (number, values, upwards = 0) => {
  const numbers = numbersOf([values]);
  if (numbers instanceof Fault) return numbers;
  if (!numbers.includes(number)) return NOT_AVAILABLE;
  return 1 + numbers.filter(other => upwards ? other < number : other > number).length;
});
define("COUNT", ":a", (...args) => {
  let count = 0;
  for (const arg of args) {
    if (typeof arg === "number") count++;
    else if (arg instanceof Area) {
      for (let i = 0; i < arg.height; i++) for (let j = 0; j < arg.width; j++) count += typeof arg.at(i, j) === "number";
    } else if (arg !== undefined && !(arg instanceof Fault)) {
      count += typeof arg !== "string" || numberIn(arg) !== null;
    }
  }
  return count;
});
define("COUNTA", ":a", (...args) => args.reduce(
  (count, arg) => count + (arg instanceof Area ? arg.flat().filter(value => value !== null).length : 1), 0));
define("COUNTIF", "ae", (tested, wanted) => {
  const area = asArea(tested), test = criterion(wanted);
  let count = 0;
  for (let n = 0; n < area.size; n++) count += test(area.nth(n));
  return count;
});
define("COUNTIFS", ":ae", (first, ...rest) => {
  const values = chosen(first, first, ...rest);
  return values instanceof Fault ? values : values.length;
});
define("SUMIF", "aea", (tested, wanted, values = tested) => summed(chosen(values, tested, wanted), total));
define("SUMIFS", "a:ae", (values, ...pairs) => summed(chosen(values, ...pairs), total));
define("AVERAGEIF", "aea", (tested, wanted, values = tested) => summed(chosen(values, tested, wanted), mean));
function summed(values, combine) {
  if (values instanceof Fault) return values;
  const numbers = numbersOf([computed(1, values.length, values)]);
  return numbers instanceof Fault ? numbers : combine(numbers);
}
// The values whose position meets every (range, criterion).
function chosen(values, ...pairs) {
  const area = asArea(values), tests = [];
  for (let n = 0; n < pairs.length; n += 2) {
    const tested = asArea(pairs[n]), wanted = pairs[n + 1];
    if (tested.height !== area.height || tested.width !== area.width) return VALUE;
    tests.push([tested, criterion(wanted instanceof Area ? VALUE : wanted)]);
  }
  const found = [];
  for (let n = 0; n < area.size; n++) if (tests.every(([cells, test]) => test(cells.nth(n)))) found.push(area.nth(n));
  return found;
}
define("SUMPRODUCT", ":m", (...args) => {
  const areas = args.map(asArea), [first] = areas;
  if (areas.some(area => area.height !== first.height || area.width !== first.width)) return VALUE;
  const columns = areas.map(area => area.flat());
  const fault = columns.flat().find(value => value instanceof Fault);
  if (fault) return fault;
  return total(columns[0].map((_, i) => columns.reduce(
    (product, column) => product * (typeof column[i] === "number" ? column[i] : 0), 1)));
});

// --- logic
define("AND", ":a", (...args) => truths(args, values => values.every(Boolean)));
define("OR", ":a", (...args) => truths(args, values => values.some(Boolean)));
define("XOR", ":a", (...args) => truths(args, values => values.filter(Boolean).length % 2 === 1));
define("NOT", "b", truth => !truth);
// Text and blanks in cells are passed over, as are "" and "0" as arguments.
function truths(args, combine) {
  const found = [];
  let readable = true;
  for (const arg of args) {
    const own = !(arg instanceof Area);
    for (const value of own ? [arg] : arg.flat()) {
      if (value instanceof Fault) return value;
      const text = typeof value === "string";
      if (typeof value === "boolean" || typeof value === "number" || (own && (value === null || (text && isTruth(value))))) {
        found.push(toTruth(value));
      } else if (own && text) readable = readable && (value === "" || numberIn(value) !== null);
    }
  }
  return found.length && readable ? combine(found) : VALUE;
}
// Where IF and CHOOSE go on, and which of n choices a number takes.
const pick = (value, count) => {
  const number = toNumber(value);
  if (number instanceof Fault) return number;
  const position = Math.trunc(number);
  return position >= 1 && position <= count ? position : VALUE;
};

// --- lookups
define("INDEX", "ann", (values, row, column) => {
  const area = asArea(values), { height, width } = area;
  if (Math.trunc(row) < 0) return VALUE;
  if (column === undefined) {
    if (Math.min(height, width) > 1) return REF;
    [row, column] = height === 1 ? [1, row] : [row, width === 1 ? 1 : 0];
  }
  const i = Math.trunc(row), j = Math.trunc(column);
  if (i < 0 || j < 0) return VALUE;
  if (i > height || j > width) return REF;
  return area.part(Math.max(0, i - 1), Math.max(0, j - 1), i ? 1 : height, j ? 1 : width);
});
// The same where one value is expected, and one cell is nearly always taken.
function indexed(here, column, area, row, other) {
  if (area instanceof Area && typeof row === "number" && (other === undefined || typeof other === "number")) {
    const flat = area.height === 1 && other === undefined;
    const i = flat ? 1 : Math.trunc(row), j = flat ? Math.trunc(row) : Math.trunc(other ?? 1);
    if (i > 0 && j > 0 && i <= area.height && j <= area.width && (other !== undefined || flat || area.width === 1)) {
      return area.at(i - 1, j - 1);
    }
  }
  return one(other === undefined ? F.INDEX(area, row) : F.INDEX(area, row, other), here, column);
}
define("MATCH", "san", (wanted, values, kind = 1) => {
  const area = asArea(values);
  if (area.height !== 1 && area.width !== 1) return NOT_AVAILABLE;
  if (kind === 0) {
    const position = matchExact(wanted ?? 0, area);
    return position < 0 ? NOT_AVAILABLE : position + 1;
  }
  const search = kind > 0 ? matchAscending : matchDescending;
  const position = search(wanted ?? 0, area.flat());
  return position < 0 ? NOT_AVAILABLE : position + 1;
});
function matchExact(wanted, area) {
  const matches = typeof wanted === "string" ? textMatcher(wanted) : null;
  for (let n = 0; n < area.size; n++) {
    const value = area.nth(n);
    if (matches ? typeof value === "string" && matches(value) : value === wanted) return n;
  }
  return -1;
}
function matchAscending(wanted, values) {
  const positions = [...values.keys()].filter(n => values[n] !== null && typeof values[n] === typeof wanted);
  let low = 0, high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rawOrder(values[positions[middle]], wanted) <= 0) low = middle + 1;
    else high = middle;
  }
  return low ? positions[low - 1] : -1;
}
function matchDescending(wanted, values) {
  let result = -1;
  for (let n = 0; n < values.length; n++) {
    if (values[n] === null || typeof values[n] !== typeof wanted) continue;
    const order = rawOrder(values[n], wanted);
    if (order < 0) break;
    result = n;
    if (order === 0) break;
  }
  return result;
}

// --- text and information
const length = number => number < 0 ? -1 : Math.trunc(number);
define("LEFT", "tn", (text, count = 1) => length(count) < 0 ? VALUE : text.slice(0, length(count)));
define("RIGHT", "tn", (text, count = 1) => length(count) < 0 ? VALUE : text.slice(Math.max(0, text.length - length(count))));
define("MID", "tnn", (text, start, count) => start < 1 || length(count) < 0 ? VALUE
  : text.slice(Math.trunc(start) - 1, Math.trunc(start) - 1 + length(count)));
define("LEN", "t", text => text.length);
define("UPPER", "t", text => text.toUpperCase());
define("EXACT", "tt", (left, right) => left === right);
define("REPT", "tn", (text, times) => length(times) < 0 || text.length * length(times) > LONGEST_TEXT ? VALUE
  : text.repeat(length(times)));
define("SUBSTITUTE", "tttn", (text, old, now, instance) => {
  if (instance !== undefined && instance < 1) return VALUE;
  if (!old) return text;
  const pieces = text.split(old);
  if (text.length + (pieces.length - 1) * (now.length - old.length) > LONGEST_TEXT) return VALUE;
  if (instance === undefined) return pieces.join(now);
  const position = Math.trunc(instance);
  if (position >= pieces.length) return text;
  return pieces.slice(0, position).join(old) + now + pieces.slice(position).join(old);
});
// A number in full, as whole and fraction: 15 digits, zeros behind them.
function plain15(size, places) {
  const [mantissa, power] = size.toExponential(14).split("e"), digits = mantissa.replace(".", ""), exponent = Number(power);
  const whole = exponent < 0 ? "0" : digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = exponent < 0 ? "0".repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
  return [whole, fraction.padEnd(places, "0").slice(0, places)];
}
const grouped = digits => digits.replace(/\B(?=(\d{3})+$)/g, ",");
define("FIXED", "nnb", (number, decimals = 2, plain = false) => {
  const places = Math.trunc(decimals);
  if (places > 127) return VALUE;
  const rounded = roundedTo(number, places, HALF_AWAY);
  const [whole, fraction] = plain15(Math.abs(rounded), Math.max(0, places));
  return marked((rounded < 0 ? "-" : "") + (plain ? whole : grouped(whole)) + (fraction ? `.${fraction}` : ""));
});
const FORM = /^(#,##)?0(\.0+#*)?(%)?$/; // the emitter refuses every other format
define("TEXT", "st", (value, form) => {
  const number = value === null ? 0 : typeof value === "string" ? numberIn(value) : value;
  if (typeof number !== "number") return toText(value);
  if (form === "0" && Number.isInteger(number) && Math.abs(number) < 1e15) return String(number === 0 ? 0 : number);
  const [, thousands, point, share] = FORM.exec(form), places = point ? point.length - 1 : 0;
  const digits = scaledDigits(number, share ? 2 : 0, places).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places), spare = /#*$/.exec(point ?? "")[0].length; // zeros not shown
  const fraction = places ? `.${digits.slice(-places)}`.replace(new RegExp(`0{0,${spare}}$`), "") : "";
  const sign = number < 0 && /[1-9]/.test(digits) ? "-" : "";
  return marked(sign + (thousands ? grouped(whole) : whole) + fraction + (share ?? ""));
});
define("ISBLANK", "e", value => value === null);
define("ISERROR", "e", value => value instanceof Fault);
define("ISNA", "e", value => value === NOT_AVAILABLE);
define("ISNUMBER", "e", value => typeof value === "number");
define("ISTEXT", "e", value => typeof value === "string");
define("NA", "", () => NOT_AVAILABLE);
