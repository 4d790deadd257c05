// The head that stays in view: the answer in a line, what limits it, the cost, and the change to the saved design.

let savedResults = {}; // results of the saved design
const COUNT = "arrays_required", COST = "cost_per_desktop"; // the count is that of the answer in words
const HEADLINE = [COUNT, COST];
function rememberSaved() {
  savedResults = Object.fromEntries(HEADLINE.filter(key => RESULTS[key]).map(key => [key, result(key)]));
}
// The step from one value to another as a cell would show it, such as "+1"; empty where either is no number.
function stepText(at, before, now) {
  if (typeof now !== "number" || typeof before !== "number" || now < 0 || before < 0) return "";
  const difference = now - before, digits = cellText(at, Math.abs(difference));
  return difference > 0 ? `+${digits}` : difference < 0 ? `\u2212${digits}` : "";
}
// No amount is taken from one in another currency.
const moveOf = key => RESULTS[key] && !(isMoney(RESULTS[key].unit) && currencyIn() !== currencyIn(SAVED)) ? stepText(RESULTS[key].at, savedResults[key], result(key)) : "";

function showHead() {
  const [master] = DATA.checks.map(valueAt), rest = [];
  let told = "";
  if (!(master > 0)) {
    const limit = result("binding_constraint");
    if (changed().length) told = moveOf(COUNT) || (typeof savedResults[COUNT] === "number" ? T`as saved` : "");
    if (typeof limit === "string" && limit) rest.push(T`limited by ${limit}`);
    const fits = !RESULTS.fits || result("fits") !== 0; // what fewer arrays than are needed cost is no cost of this
    if (fits && typeof result(COST) === "number") {
      const cost = moveOf(COST);
      rest.push(`${resultText(COST)}${cost && ` (${cost})`}`);
    }
  }
  say(byId("bar-answer"), byId("status").textContent);
  say(byId("bar-step"), told && `, ${told}`);
  say(byId("bar-rest"), rest.length ? `; ${rest.join("; ")}` : "");
}
// What cannot be read: the answer stays, grey, as that of the entries before; each fault says how to mend it.
const MOST_NAMED = 3;
function showFaults() {
  const list = [...wrong.entries()];
  document.body.classList.toggle("faulty", list.length > 0);
  byId("stale").hidden = !list.length;
  for (const id of ["draw", "pin", "split"]) byId(id).disabled = list.length > 0;
  repaint(byId("faults"), [list, currencyIn()], () => {
    const named = list.slice(0, MOST_NAMED).map(([n, { text, fault }]) =>
      element("p", {}, T`Not recalculated. Correct ${INPUTS[n].label}: ${fault} `, ...repairButtons(n, text), goTo(n)));
    const left = list.length - MOST_NAMED;
    const rest = left === 1 ? T`1 more entry cannot be read; it is marked red.`
      : T`${left} more entries cannot be read; they are marked red.`;
    byId("faults").replaceChildren(...named, ...left > 0 ? [element("p", { textContent: rest })] : []);
  });
  byId("faults").hidden = !list.length;
}
function repairButtons(n, text) {
  return repairs(INPUTS[n], text).map(({ value, label }) => {
    const button = element("button", { type: "button", className: "small-button", textContent: label });
    button.addEventListener("click", () => {
      enter(n, value);
      reach(n);
    });
    return button;
  });
}
function goTo(n) {
  const textContent = T`Go to ${INPUTS[n].label}`;
  const button = element("button", { type: "button", className: "small-button", textContent });
  button.addEventListener("click", () => reach(n));
  return button;
}
// Open the groups around a field and put the cursor there.
function reach(n) {
  fillers.get(n)?.();
  const box = byId(`input-${n}`);
  for (let host = box?.closest("details"); host; host = host.parentElement.closest("details")) host.open = true;
  box?.focus();
}
