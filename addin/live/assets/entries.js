// Every change of an entry passes here, as a step that can be undone; the typing in one field is one step.

const MOST_STEPS = 500;
const steps = [], undone = []; // each a Map: input number -> [before, after]
let typing = -1; // the field whose last step still grows

// An entry: its value, and `bad` where what is typed cannot be read; the value is then the last that could.
const stateOf = n => ({ value: entries[n], bad: wrong.get(n) });
const alike = (left, right) => same(left.value, right.value) && left.bad?.text === right.bad?.text;

function put(n, { value, bad }, asTyped = false) {
  entries[n] = value ?? null;
  if (bad) wrong.set(n, bad);
  else wrong.delete(n);
  fields.get(n)?.(asTyped);
}
// Give inputs other states; `typed` is the field that the user types in, whose text stays as it is.
function alter(states, typed = -1) {
  const step = new Map();
  for (const [n, after] of states) {
    const before = stateOf(n);
    if (!alike(before, after)) step.set(n, [before, after]);
    put(n, after, n === typed);
  }
  if (!step.size) return;
  const last = steps[steps.length - 1];
  if (typed >= 0 && typed === typing && last) {
    const before = last.get(typed)[0], after = step.get(typed)[1];
    if (alike(before, after)) steps.pop();
    else last.set(typed, [before, after]);
    if (alike(before, after)) pause();
  } else {
    steps.push(step);
    if (steps.length > MOST_STEPS) steps.shift();
    typing = typed;
  }
  undone.length = 0;
  moved();
}
const pause = () => { typing = -1; };
const enter = (n, value) => alter(new Map([[n, { value }]]));

// The inputs that a whole design sets, with all others back at their saved values; prices stay where it has none.
function replaced(states, prices) {
  const whole = new Map([...changed(), ...wrong.keys()].filter(n => prices || !INPUTS[n].money)
    .map(n => [n, { value: INPUTS[n].saved }]));
  for (const [n, state] of states) whole.set(n, state);
  return whole;
}
function back() {
  return shift(steps, undone, 0);
}
function forth() {
  return shift(undone, steps, 1);
}
function shift(from, to, side) {
  const step = from.pop();
  if (!step) return;
  pause();
  for (const [n, pair] of step) put(n, pair[side]);
  to.push(step);
  moved();
  const now = n => wrong.has(n) ? `"${wrong.get(n).text}"` : typedText(INPUTS[n], entries[n]);
  const words = [...step.keys()].map(n => T`${INPUTS[n].label} is ${now(n)}`);
  note(side ? T`Done again: ${few(words)}.` : T`Taken back: ${few(words)}.`);
}
function moved() {
  byId("undo").disabled = !steps.length;
  byId("redo").disabled = !undone.length;
  note("");
  keep();
  later();
}
// Ctrl+Z and Ctrl+Y; while a text is edited they are the field's own.
function onUndoKeys(event) {
  const box = event.target;
  const own = box instanceof HTMLTextAreaElement || (box instanceof HTMLInputElement && box.type === "text");
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (own && !box.readOnly)) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) forth();
  else back();
}
