// Packed texts: DEFLATE (RFC 1951) in base91 (addin/live/packed.py). Browsers have a stream for the first, but the page
// would wait for that to begin.

const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577];
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]; // section 3.2.7
const MOST_BITS = 15; // of a code
const DAMAGED = "The packed data of this page is damaged. Get the page again.";

// A code by the lengths of its words (section 3.2.2): how many words have each length, and the symbols in their order.
function codeOf(lengths) {
  const counts = new Array(MOST_BITS + 1).fill(0), starts = [0, 0];
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  for (let n = 1; n < MOST_BITS; n++) starts.push(starts[n] + counts[n]);
  const symbols = [];
  lengths.forEach((length, symbol) => { if (length) symbols[starts[length]++] = symbol; });
  return { counts, symbols };
}
const FIXED = [
  codeOf(Array.from({ length: 288 }, (_, n) => n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8)), codeOf(new Array(30).fill(5)),
];

// 13 bits from two digits each, the lowest first; at the end 6 from one.
const VALUES = [];
for (let code = 32, value = 0; code < 127; code++) if (![34, 47, 60, 92].includes(code)) VALUES[code] = value++;
function bytesOf(text) {
  const bytes = new Uint8Array(Math.floor(13 * text.length / 2) >> 3);
  for (let at = 0, n = 0, held = 0, holds = 0; at < text.length; at += 2) {
    const number = VALUES[text.charCodeAt(at)] + 91 * (at + 1 < text.length ? VALUES[text.charCodeAt(at + 1)] : 0);
    if (!(number < 8192)) throw new Error(DAMAGED);
    held |= number << holds;
    for (holds += 13; holds >= 8 && n < bytes.length; holds -= 8, held >>>= 8) bytes[n++] = held;
  }
  return bytes;
}
function inflated(packed) {
  const bytes = bytesOf(packed);
  let out = new Uint8Array(8 * bytes.length), size = 0, at = 0, held = 0, holds = 0;
  const bits = count => {
    while (holds < count) {
      if (at >= bytes.length) throw new Error(DAMAGED);
      held |= bytes[at++] << holds;
      holds += 8;
    }
    const read = held & (1 << count) - 1;
    held >>>= count;
    holds -= count;
    return read;
  };
  const symbol = ({ counts, symbols }) => {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length <= MOST_BITS; length++) {
      code |= bits(1);
      const count = counts[length];
      if (code - first < count) return symbols[index + code - first];
      index += count;
      first = first + count << 1;
      code <<= 1;
    }
    throw new Error(DAMAGED);
  };
  const room = more => {
    if (size + more <= out.length) return;
    const larger = new Uint8Array(2 * (size + more));
    larger.set(out);
    out = larger;
  };
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      held = holds = 0;
      const length = bytes[at] | bytes[at + 1] << 8;
      room(length);
      out.set(bytes.subarray(at + 4, at + 4 + length), size);
      size += length;
      at += 4 + length;
      continue;
    }
    const [letters, distances] = kind === 1 ? FIXED : codes();
    for (;;) {
      const letter = symbol(letters);
      if (letter === 256) break;
      if (letter < 256) {
        room(1);
        out[size++] = letter;
        continue;
      }
      const length = LENGTHS[letter - 257] + bits(LENGTH_BITS[letter - 257]), far = symbol(distances);
      const distance = DISTANCES[far] + bits(far < 4 ? 0 : (far >> 1) - 1);
      room(length);
      for (let n = 0; n < length; n++, size++) out[size] = out[size - distance];
    }
  }
  return new TextDecoder().decode(out.subarray(0, size));

  // The two codes of a block, whose lengths are written in a code of their own.
  function codes() {
    const many = bits(5) + 257, far = bits(5) + 1, own = new Array(19).fill(0), lengths = [];
    for (let n = 0, count = bits(4) + 4; n < count; n++) own[ORDER[n]] = bits(3);
    const written = codeOf(own);
    while (lengths.length < many + far) {
      const read = symbol(written);
      if (read < 16) lengths.push(read);
      else {
        const again = read === 16 ? lengths[lengths.length - 1] : 0;
        const count = read === 16 ? 3 + bits(2) : read === 17 ? 3 + bits(3) : 11 + bits(7);
        for (let n = 0; n < count; n++) lengths.push(again);
      }
    }
    return [codeOf(lengths.slice(0, many)), codeOf(lengths.slice(many))];
  }
}
