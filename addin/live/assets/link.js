// A link carries the changed inputs behind its #, without prices: mark, length, check, content. A cut link is noticed.

const MARK = "vdi1", LONGEST_LINK = 60000;
const LINK = new RegExp(`#?${MARK}\\.(\\d{1,6})\\.([0-9a-z]{1,7})\\.([\\w-]*)`);

// FNV-1a, 32 bits (Fowler, Noll, Vo): it finds what was lost on the way, it is no signature.
function checkOf(text) {
  let sum = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) sum = Math.imul(sum ^ text.charCodeAt(n), 0x01000193);
  return (sum >>> 0).toString(36);
}
function linkText() {
  const list = leaving().filter(n => !INPUTS[n].money);
  const bytes = new TextEncoder().encode(JSON.stringify({ ...SENDER, inputs: inputsOf(list) }));
  const content = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#${MARK}.${content.length}.${checkOf(content)}.${content}`;
}
const SENDER = { digest: DATA.digest, version: DATA.version, design: DATA.design };

// The content of a link, pasted or from the address. Throws a text that says what is wrong.
function readLink(text) {
  if (text.length > 2 * LONGEST_LINK) {
    throw T`has ${whole.format(text.length)} characters; no link of this page is that long.`;
  }
  const bare = text.replace(/\s+/g, ""), found = LINK.exec(bare);
  if (!found) {
    throw bare.includes(`${MARK}.`) ? T`is cut. Copy it again, to its end.`
      : T`is not a link of this page. Paste one that Copy link made; it has #${MARK}. in it.`;
  }
  const [, length, check, content] = found;
  if (content.length < length) {
    throw T`is cut: ${content.length} of ${length} characters arrived. Copy it again, to its end.`;
  }
  const kept = content.slice(0, length);
  try {
    if (checkOf(kept) !== check) throw 0;
    const bytes = Uint8Array.from(atob(kept.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
    const read = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!plainObject(read) || !plainObject(read.inputs)) throw 0;
    return { ...read, twice: [] };
  } catch {
    throw T`was altered on its way and cannot be read. Copy it again.`;
  }
}
