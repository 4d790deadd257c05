// What is typed is kept in this browser, under the formulas' digest and a hash of the saved design, so that two
// customers' pages never meet: Chrome has one store for all files. Every window has its own place. Prices if ticked.

const SHELF = `vdi-storage-sizing/${DATA.digest}/${DATA.design}/`, MOST_STOPS = 20;
let place = SHELF + Math.random().toString(36).slice(2, 10);
let refused = ""; // why the browser keeps nothing
let forgotten = false; // another window has cleared what this one kept; kept again at the next change
const store = (() => {
  try {
    window.localStorage.getItem(SHELF);
    return window.localStorage;
  } catch {
    return null;
  }
})();

const ticked = () => byId("keep-prices").checked;
const differing = () => [...new Set([...changed(), ...wrong.keys()])];
const isKept = n => ticked() || !INPUTS[n].money;
// What would be lost if the page were left now: all of it, or prices alone.
function lost() {
  const list = differing();
  return refused ? list : list.filter(n => !isKept(n));
}
function keep() {
  forgotten = false;
  write();
  showKeeping();
}
function write() {
  const list = differing(), kept = list.filter(isKept);
  const texts = Object.fromEntries(kept.filter(n => wrong.has(n)).map(n => [INPUTS[n].key, wrong.get(n).text]));
  refused = "";
  try {
    if (!store) throw 0;
    const pin = pinned && inputsOf(changedIn(pinned.values).filter(isKept), pinned.values);
    const inputs = inputsOf(changed().filter(isKept));
    if (!kept.length && !pin) store.removeItem(place);
    else store.setItem(place, JSON.stringify({ when: Date.now(), prices: ticked(), inputs, texts, pin }));
  } catch {
    refused = store ? T`this browser's store is full or closed` : T`this browser keeps nothing for this page`;
  }
}
function showKeeping() {
  const list = differing(), away = lost(), stays = list.length - away.length;
  say(byId("keeping"), refused && list.length ? T`Not kept: ${refused}. Save your changes before you leave.`
    : !list.length ? T`What you type is kept in this browser.`
      : [...counted(stays, T`input is kept in this browser.`, T`inputs are kept in this browser.`),
        ...counted(away.length, T`price is not: tick below, or Save.`, T`prices are not: tick below, or Save.`),
      ].join(" "));
  byId("keeping").classList.toggle("fault", Boolean(refused && list.length));
  const keeps = stored().length > 0;
  byId("forget").hidden = !keeps;
  history.scrollRestoration = keeps ? "manual" : "auto"; // a reload would go back to where one was, below the offer
}
// The designs kept under this page's name, the newest first; one that cannot be read, or was kept at no time, is left
// where it is.
function stored() {
  const found = [];
  try {
    for (let n = 0; n < (store?.length ?? 0); n++) {
      const key = store.key(n);
      if (key.startsWith(SHELF)) found.push({ key, ...stopIn(store.getItem(key)) });
    }
  } catch { /* a store that is closed holds nothing to offer */ }
  return found.sort((left, right) => right.when - left.when);
}
function stopIn(text) {
  try {
    const { when, prices, inputs, texts, pin } = JSON.parse(text);
    if (typeof when !== "number" || !(new Date(when) > 0)) throw 0;
    const { states, misfits } = fitting(inputs, true);
    for (const [key, typed] of Object.entries(texts)) {
      const n = numberOf.get(key), { fault } = n === undefined ? {} : readEntry(INPUTS[n], String(typed));
      if (fault) states.set(n, { value: states.get(n)?.value ?? INPUTS[n].saved, bad: { text: String(typed), fault } });
    }
    const first = plainObject(pin) ? fitting(pin, true).states : null;
    return { when, prices: prices === true, states, misfits, first };
  } catch {
    return { when: 0, states: new Map(), misfits: [] };
  }
}
const WHEN = new Intl.DateTimeFormat(LOCALE,
  { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
function stopWords({ states, first }) {
  const values = SAVED.map((value, n) => states.has(n) ? states.get(n).value : value);
  return few([...[...states].map(([n, { bad }]) =>
    bad ? T`${nameOf(INPUTS[n])}: "${echoed(bad.text)}", cannot be read` : inWords(n, values)),
  ...first ? [T`a design pinned as A`] : []]);
}

function offer() {
  const stops = stored().filter(({ key, states, first }) => key !== place && (states.size || first));
  byId("stopped").hidden = !stops.length;
  byId("stops").replaceChildren(...stops.slice(0, 5).map(stop => {
    const when = WHEN.format(stop.when);
    const words = { textContent: T`Continue`, "aria-label": T`Continue from ${when}` };
    const button = element("button", { type: "button", ...words });
    button.addEventListener("click", () => resume(stop));
    return element("li", {}, button,
      element("span", {}, element("strong", { textContent: when }), ` ${stopWords(stop)}.`));
  }));
  if (stops.length) window.scrollTo(0, 0);
  for (const { key } of stops.slice(MOST_STOPS)) store.removeItem(key);
  showKeeping();
}
function resume({ key, prices, states, misfits, first }) {
  if (prices) byId("keep-prices").checked = true;
  if (first) pinned = sideOf(INPUTS.map(({ saved }, n) => first.has(n) ? first.get(n).value : saved));
  alter(replaced(states, prices));
  keep();
  later();
  if (!refused) store?.removeItem(key);
  byId("stopped").hidden = true;
  note(T`Continued: ${counted(states.size, T`input`, T`inputs`)[0] ?? T`the pinned design`} set.${told(misfits)}`);
  byId("undo").focus();
}
function forget() {
  for (const { key } of stored()) {
    store.setItem(key, ""); // tells the window that keeps it to stop
    store.removeItem(key);
  }
  forgotten = true;
  byId("stopped").hidden = true;
  showKeeping();
  note(T`Nothing is kept in this browser now. What you see stays until you leave the page.`);
}
// Another window has continued from what this one keeps, or cleared it.
function onStore({ key, newValue }) {
  if (key !== place && key !== null) return;
  if (newValue === "") forgotten = true;
  else if (newValue === null && !forgotten) write();
  showKeeping();
}
function onLeaving(event) {
  if (lost().length || (forgotten && differing().length)) event.preventDefault();
}
