// The change of a result from design A to B, split by input: its Shapley value, the effect averaged over every order in
// which the inputs could change (addin/diff/bridge.py). All corners are computed, each input as in A or as in B.

const MOST_BARS = 10, OTHERS = T`All others together`; // as `diff` has them
let splitting = 0; // a later run, or a change, ends an earlier one

// The headline results of A with some inputs as in B; each mix is computed once, whichever result asks for it.
function mixes(from, to) {
  const scratch = V.slice(), known = new Map(), places = DATA.bridges.map(({ key }) => RESULTS[key].at);
  return (moved, key) => {
    const name = moved.slice().sort((left, right) => left - right).join();
    if (!known.has(name)) {
      const shownCells = V, chosen = new Set(moved);
      V = scratch;
      try {
        INPUTS.forEach((input, n) => { V[input.at] = chosen.has(n) ? to[n] : from[n]; });
        run(EVERYTHING);
        known.set(name, places.map(valueAt));
      } finally {
        V = shownCells;
      }
    }
    return known.get(name)[DATA.bridges.findIndex(each => each.key === key)];
  };
}
// A generator, so that the page stays responsive: {key, old, now, bars: [{key, label, amount}]} or {key, refusal}.
function* bridge({ key, behind, codes }, from, to, mixed = mixes(from, to)) {
  const { at, label, unit } = RESULTS[key], reads = new Set(behind);
  const valueIn = players => mixed(players.flat(), key);
  const isNumber = value => typeof value === "number" && !codes.includes(value);
  const currencies = [from, to].map(currencyIn);
  if (isMoney(unit) && currencies[0] !== currencies[1]) {
    return { key, refusal: T`${label} is in ${currencies[0]} in design A and in ${currencies[1]} in design B: amounts of two currencies are not subtracted.` };
  }
  let players = from.map((_, n) => [n]).filter(([n]) => reads.has(n) && !same(from[n], to[n]));
  const old = valueIn([]), now = valueIn(players);
  for (const [side, value] of [["A", old], ["B", now]]) {
    if (!isNumber(value)) return { key, refusal: T`${label} is "${cellText(at, value) || T`blank`}" in design ${side}.` };
  }
  if (players.length > MOST_BARS) {
    const effects = new Map();
    for (const player of players) {
      yield;
      const moved = valueIn([player]);
      effects.set(player, isNumber(moved) ? Math.abs(moved - old) : Infinity);
    }
    players.sort((left, right) => (effects.get(right) > effects.get(left)) - (effects.get(right) < effects.get(left))
      || (INPUTS[left[0]].key < INPUTS[right[0]].key ? -1 : 1));
    players = [...players.slice(0, MOST_BARS), players.slice(MOST_BARS).flat()];
  }
  const corners = [];
  for (let mask = 0; mask < 2 ** players.length; mask++) {
    yield;
    const moved = players.filter((_, p) => mask >> p & 1), value = valueIn(moved);
    if (!isNumber(value)) {
      const names = moved.flat().map(n => INPUTS[n].label).join(", ");
      const found = cellText(at, value) || T`blank`;
      return { key, refusal: T`${label} is "${found}" with ${names} as in B and the rest as in A.` };
    }
    corners.push(value);
  }
  const bars = shapley(corners, players.length).map((amount, p) => {
    const [n, ...more] = players[p];
    const names = players[p].map(each => nameOf(INPUTS[each])).join(", ");
    return more.length ? { key: "", label: `${OTHERS}: ${names}`, amount, others: 1 }
      : { key: INPUTS[n].key, label: inWords(n, to, from), amount, others: 0 };
  });
  const size = ({ amount }) => Number(Math.abs(amount).toPrecision(9));
  bars.sort((left, right) => left.others - right.others || size(right) - size(left)
    || (left.key < right.key ? -1 : 1));
  return { key, old, now, bars };
}
// The Shapley values of players from the values of all corners; bit p of a corner's number is player p.
function shapley(corners, count) {
  const factorial = [1];
  for (let n = 1; n <= count; n++) factorial.push(factorial[n - 1] * n);
  const amounts = new Array(count).fill(0);
  corners.forEach((value, mask) => {
    let size = 0;
    for (let p = 0; p < count; p++) size += mask >> p & 1;
    for (let p = 0; p < count; p++) {
      if (mask >> p & 1) continue;
      const share = factorial[size] * factorial[count - size - 1] / factorial[count];
      amounts[p] += share * (corners[mask | 1 << p] - value);
    }
  });
  return amounts;
}
function startSplitting() {
  const mine = ++splitting, from = pinned.values, to = entries.slice();
  const moved = DATA.bridges.filter(({ key }) => !same(pinned.cells[RESULTS[key].at], result(key)));
  const mixed = mixes(from, to), found = [], waiting = moved.map(each => bridge(each, from, to, mixed));
  byId("bridges").replaceChildren();
  byId("split").disabled = true;
  const work = () => {
    if (mine !== splitting) return;
    const end = performance.now() + SLICE_MS;
    while (waiting.length && performance.now() < end) {
      const { done, value } = waiting[0].next();
      if (done) {
        found.push(value);
        waiting.shift();
      }
    }
    say(byId("split-told"), T`${found.length} of ${moved.length} results`);
    if (waiting.length) setTimeout(work, 0);
    else {
      byId("split").disabled = false;
      say(byId("split-told"), moved.length ? "" : T`Neither arrays nor costs moved.`);
      byId("bridges").replaceChildren(...found.map(bridgeDrawn));
    }
  };
  setTimeout(work, 0);
}
function stopSplitting() {
  splitting++;
  byId("split").disabled = wrong.size > 0;
  say(byId("split-told"), "");
  if (byId("bridges").childElementCount) byId("bridges").replaceChildren();
}
function bridgeDrawn({ key, old, now, bars: steps, refusal }) {
  const { label, unit, at } = RESULTS[key];
  const figure = element("figure", {}, element("figcaption", { textContent: labelled(label, unit) }));
  if (refusal) {
    figure.append(element("p", { textContent: T`Not split: ${refusal}` }));
    return figure;
  }
  let height = old;
  const rows = [{ name: "A", from: 0, to: old, text: cellText(at, old), kind: "whole" }];
  for (const { label: name, amount } of steps) {
    const text = `${amount < 0 ? "\u2212" : "+"}${shown(Number(Math.abs(amount).toPrecision(9)))}`;
    const kind = amount < 0 ? "less" : "";
    rows.push({ name, from: height, to: height + amount, text: amount === 0 ? "0" : text, kind });
    height += amount;
  }
  rows.push({ name: "B", from: 0, to: now, text: cellText(at, now), kind: "whole" });
  const ends = rows.flatMap(row => [row.from, row.to]), low = Math.min(...ends), span = Math.max(...ends) - low || 1;
  const words = T`Each bar is the input's effect averaged over every order in which the inputs could change.`;
  figure.append(element("ul", { className: "bars", "aria-label": T`${label} from A to B` }, ...rows.map(row => {
    const x = 100 * (Math.min(row.from, row.to) - low) / span, width = 100 * Math.abs(row.to - row.from) / span;
    return element("li", {}, element("span", { className: "name", textContent: row.name }),
      strip(drawing("rect", { x, y: 1, height: 8, width, class: row.kind })),
      element("span", { className: "number", textContent: row.text }));
  })), element("p", { textContent: words }));
  return figure;
}
