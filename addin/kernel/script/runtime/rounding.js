// Excel's view of a number, 15 significant digits, as in excel/rounding.py: ROUND and its kin and the comparisons look
// through it. Python writes a number with 15 digits by rounding ties to even, JavaScript by rounding them up.

// [the 15 digits, the power of ten of the first]
function digits15(number) {
  const size = Math.abs(number), longer = size.toExponential(15), mark = longer.indexOf("e");
  if (longer[mark - 1] === "5") {
    const exact = size.toExponential(60), kept = longer[0] + longer.slice(2, mark - 1);
    // A tie: nothing follows the 16th digit. An even 15th digit stays.
    if (/^50*$/.test(exact.slice(16, exact.indexOf("e"))) && "02468".includes(kept[14])) {
      return [kept, Number(longer.slice(mark + 1))];
    }
  }
  const text = size.toExponential(14), end = text.indexOf("e");
  return [text[0] + text.slice(2, end), Number(text.slice(end + 1))];
}
function view(number) {
  const [digits, power] = digits15(number);
  return Math.sign(number) * Number(`${digits}e${power - 14}`);
}

const CLOSE = 1e-14; // numbers further apart than this share of themselves cannot agree in 15 digits
function compareNumbers(left, right) {
  if (left === right) return 0;
  const near = Math.abs(left - right) <= CLOSE * Math.max(Math.abs(left), Math.abs(right));
  if (near && view(left) === view(right)) return 0;
  return left < right ? -1 : 1;
}

const DOWN = 0, UP = 1, HALF_AWAY = 2;
function roundedTo(number, places, how) {
  if (number === 0) return number;
  if (places === 0) {
    const size = Math.abs(number), whole = Math.trunc(size), part = size - whole, far = 2e-14 * size + 1e-300;
    if (part === 0 && size < 1e15) return number;
    // Far from every edge the 15 digits cannot matter, and most numbers are.
    if (size < 1e15 && part > far && part < 1 - far && (how !== HALF_AWAY || Math.abs(part - 0.5) > far)) {
      const result = how === DOWN || (how === HALF_AWAY && part < 0.5) ? whole : whole + 1;
      return number < 0 ? -result : result;
    }
  }
  const [digits, power] = digits15(number), kept = power + 1 + Math.max(-400, Math.min(400, places));
  const bare = digits.replace(/0+$/, "");
  if (kept >= bare.length) return view(number);
  const head = kept > 0 ? digits.slice(0, kept) : "0", rest = kept >= 0 ? digits.slice(kept) : `0${digits}`;
  const up = how === UP ? /[1-9]/.test(rest) : how === HALF_AWAY && rest[0] >= "5";
  const result = Number(`${BigInt(head) + (up ? 1n : 0n)}e${-Math.max(-400, Math.min(400, places))}`);
  return number < 0 ? -result : result;
}

// The value |number| * 10^scale in units of 10^-places, halves up, as a text of digits.
function scaledDigits(number, scale, places) {
  if (number === 0) return "0";
  const [digits, power] = digits15(number), shift = power - 14 + scale + places;
  if (shift >= 0) return String(BigInt(digits) * 10n ** BigInt(shift));
  const unit = 10n ** BigInt(-shift);
  return String((BigInt(digits) * 2n + unit) / (2n * unit));
}

// A number in the General format: at most 15 digits, an exponent only for very large and small ones.
function numberText(number) {
  if (number === 0) return "0";
  const [digits, power] = digits15(number), sign = number < 0 ? "-" : "", bare = digits.replace(/0+$/, "");
  if (!(power > -10 && power < 21)) {
    const mantissa = bare[0] + (bare.length > 1 ? `.${bare.slice(1)}` : "");
    return `${sign}${mantissa}E${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${bare}`;
  if (bare.length <= power + 1) return sign + (power < 15 ? bare.padEnd(power + 1, "0") : BigInt(view(Math.abs(number))));
  return `${sign}${bare.slice(0, power + 1)}.${bare.slice(power + 1)}`;
}
