// The changes on the page, in the format that `python -m addin apply` takes; what of a file or a link fits this page.

const DIGEST_KEY = "workbook digest", LARGEST = 1000000; // bytes; as `apply` has it
const numberOf = new Map(INPUTS.map(({ key }, n) => [key, n]));
const few = (texts, most = 6) =>
  texts.slice(0, most).join("; ") + (texts.length > most ? T`; and ${texts.length - most} more` : "");
// A name from outside, on one line and cut.
const LONGEST_NAME = 60;
function echoed(text) {
  const letters = [...String(text).replace(/[\p{C}\s]+/gu, " ")];
  return letters.slice(0, LONGEST_NAME).join("") + (letters.length > LONGEST_NAME ? "\u2026" : "");
}

const worded = (input, value) => isDay(input, value) || isClock(input, value);
const inputsOf = (list, values = entries) => Object.fromEntries(list.map(n =>
  [INPUTS[n].key, worded(INPUTS[n], values[n]) ? plainText(INPUTS[n], values[n]) : values[n]]));
const leaving = () => [...new Set([...DATA.given, ...changed()])];
const nameOf = ({ key, label }) => key.includes(".") ? `${key.split(".")[0]}: ${label}` : label;
// An input in two designs, each amount in the currency of its own.
const inWords = (n, values = entries, before = SAVED) => `${nameOf(INPUTS[n])}: ${typedText(INPUTS[n], before[n], currencyIn(before))}`
  + ` \u2192 ${typedText(INPUTS[n], values[n], currencyIn(values))}`;

function showChanges() {
  const list = changed();
  const count = list.length === 1 ? T`1 input differs` : list.length ? T`${whole.format(list.length)} inputs differ` : T`No inputs differ`;
  say(byId("differs"), T`${count} from the saved design, as built ${DATA.built}, formulas ${DATA.digest}.`);
  const lines = list.map(n => inWords(n));
  repaint(byId("changes"), lines, () => listed(byId("changes"), lines));
  const quoted = text => text.replace(/["\\$`]/g, "\\$&");
  const given = n => plainText(INPUTS[n], entries[n]).replace(/^\d{1,3}\.\d{3}$/, "$&0"); // the shell would query 1.125
  byId("as-text").value = list.map(n => `--set "${quoted(INPUTS[n].key)}=${quoted(given(n))}"`).join(" ");
  byId("as-json").value = changesText();
  byId("export").hidden = !list.length && !DATA.given.length;
}
const listed = (host, texts) => host.replaceChildren(...texts.map(text => element("li", { textContent: text })));
const changesText = () => JSON.stringify({ [DIGEST_KEY]: DATA.digest, inputs: inputsOf(leaving()) }, null, 1);

// A value of a file as the entry that it makes: {value} or {fault}.
function readGiven(input, value) {
  if (value === null || value === "") {
    const required = input.choices.length && !input.key.includes(".") && input.saved !== null;
    return required ? { fault: T`a blank is not in its list.` } : { value: null };
  }
  if (typeof value !== "number" && typeof value !== "string") return { fault: T`expected a number or a text.` };
  if (input.choices.length) {
    const choice = input.choices.find(each => fold(each) === fold(String(value).trim()));
    return choice === undefined ? { fault: T`"${echoed(value)}" is not in its list.` } : { value: choice };
  }
  const asNumber = typeof value === "number" && !input.text && input.unit !== "date";
  return asNumber ? within(input, value) : readEntry(input, String(value), false);
}
// What inputs by key come to: the states of those that fit, and a line for each that does not.
function fitting(inputs, prices) {
  const states = new Map(), misfits = [];
  for (const [key, given] of Object.entries(inputs)) {
    const n = numberOf.get(key);
    if (n === undefined) misfits.push(T`"${echoed(key)}" is not an input of this page`);
    else if (INPUTS[n].money && !prices) misfits.push(T`${nameOf(INPUTS[n])} is a price, which no link sets`);
    else {
      const { value, fault } = readGiven(INPUTS[n], given);
      if (fault) misfits.push(`${nameOf(INPUTS[n])}: ${echoed(fault).replace(/\.$/, "")}`);
      else states.set(n, { value });
    }
  }
  return { states, misfits };
}
const EXPECTED = T`Expected a file that Save has written.`;
const TOO_LARGE = T`is larger than ${whole.format(LARGEST)} bytes. ${EXPECTED}`;
// The content of a file of changes. Throws a text that says what is wrong.
function readChanges(text) {
  if (text.length > LARGEST) throw TOO_LARGE;
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw T`is not JSON. ${EXPECTED}`;
  }
  if (!plainObject(content) || !plainObject(content.inputs)) throw T`contains no inputs. ${EXPECTED}`;
  return { digest: content[DIGEST_KEY], inputs: content.inputs, twice: keysTwice(text) };
}
const plainObject = value => typeof value === "object" && value !== null && !Array.isArray(value);
// Keys that a text of JSON has more than once: its reader would take the last one without a word.
function keysTwice(text) {
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)].map(([key]) => key);
  return [...new Set(keys.filter((key, n) => keys.indexOf(key) < n))].map(key => JSON.parse(key));
}
