// What an input moves: the results at about twenty values of it, all else as it stands, drawn and as a table.

const SWEPT = 20; // steps between the ends
const FAR = 10; // a range that is so many times the value says nothing near it: then half to twice the value
const FIRST = ["arrays_used", "arrays_required", "ratio_largest", "cost_per_desktop", "npv", "login_latency_ms", "boot_minutes"];
let sweeping = 0, swept = null; // a later sweep ends an earlier one; the one that is drawn

// The ends of a sweep: the permitted range, or half to twice the value within it; null where neither is known.
function endsOf(input, value) {
  const { minimum, maximum } = input, low = minimum ?? -Infinity, high = maximum ?? Infinity;
  const near = typeof value === "number" && value > 0 && !(high - low <= FAR * value);
  if (near) return [Math.max(low, value / 2), Math.min(high, value * 2)];
  if (input.unit === "ratio" && low <= 0 && high > 1) return [Math.max(low, 0), 1];
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null;
}
function valuesOf(input, value) {
  const ends = endsOf(input, value);
  if (!ends) return [];
  const [low, high] = ends, at = n => Number((low + (high - low) * n / SWEPT).toPrecision(6));
  const counted = input.integer || (high - low >= 2 * SWEPT && Number.isInteger(value ?? low));
  const found = Array.from({ length: SWEPT + 1 }, (_, n) => Math.min(high, Math.max(low, counted ? Math.round(at(n)) : at(n))));
  if (typeof value === "number") found.push(value);
  return [...new Set(found)].sort((left, right) => left - right);
}
// A generator, so that the page stays responsive: for each value {value, results}, computed beside the design shown.
function* sweep(n, values) {
  const scratch = V.slice(), schedule = movedBy(1 << DATA.bits[n]), found = [];
  for (const value of values) {
    const shownCells = V;
    V = scratch;
    try {
      V[INPUTS[n].at] = value;
      run(schedule);
      found.push({ value, results: Object.fromEntries(Object.keys(RESULTS).map(key => [key, result(key)])) });
    } finally {
      V = shownCells;
    }
    yield;
  }
  return found;
}
const sweepable = n => n >= 0 && !INPUTS[n].choices.length && !INPUTS[n].text && !["date", "clock"].includes(INPUTS[n].unit);
// The results that a sweep moves and that can be drawn, those of the headline first.
function movedIn(found) {
  const numbers = key => found.map(({ results }) => results[key]).filter(value => typeof value === "number" && value >= 0);
  const moves = key => new Set(numbers(key)).size > 1;
  const rest = Object.keys(RESULTS).filter(key => !FIRST.includes(key)).sort((left, right) => RESULTS[left].at - RESULTS[right].at);
  return [...FIRST.filter(key => RESULTS[key]), ...rest].filter(moves);
}
function startSweep(n) {
  const mine = ++sweeping, section = byId("moves");
  section.hidden = !sweepable(n);
  if (section.hidden) return;
  const values = valuesOf(INPUTS[n], entries[n]);
  byId("moves-drawn").replaceChildren();
  byId("moves-of").hidden = true;
  say(byId("moves-told"), values.length > 1 ? T`Computing\u2026` : T`Type a value first: its range has no end to compute to.`);
  if (values.length < 2) return;
  const task = sweep(n, values);
  const work = () => {
    if (mine !== sweeping) return;
    const end = performance.now() + SLICE_MS;
    let step = task.next();
    while (!step.done && performance.now() < end) step = task.next();
    if (step.done) showSweep(n, step.value);
    else setTimeout(work, 0);
  };
  setTimeout(work, 0);
}
const stopSweep = () => { sweeping++; };
function showSweep(n, found) {
  const moved = movedIn(found), input = INPUTS[n], [from, to] = [found[0], found[found.length - 1]].map(({ value }) => typedText(input, value));
  const others = Object.keys(RESULTS).filter(key => found.some(({ results }) => !same(results[key], found[0].results[key])));
  swept = { n, found };
  say(byId("moves-told"), moved.length ? T`From ${from} to ${to}, all other inputs unchanged.`
    : others.length ? T`From ${from} to ${to} it moves no number, but ${few(others.map(key => RESULTS[key].label))}.`
      : T`It moves nothing here: from ${from} to ${to} every result stays as it is.`);
  byId("moves-of").hidden = !moved.length;
  byId("moves-result").replaceChildren(...moved.map(key =>
    element("option", { value: key, textContent: labelled(RESULTS[key].label, RESULTS[key].unit) })));
  if (moved.length) drawSweep();
}
function drawSweep() {
  const { n, found } = swept, input = INPUTS[n], key = byId("moves-result").value, { label, unit, at } = RESULTS[key];
  const points = found.map(({ value, results }) => ({ value, held: results[key] }))
    .map(({ value, held }) => ({ value, held: typeof held === "number" && held >= 0 ? held : null }));
  const known = points.filter(({ held }) => held !== null), first = points[0].value, last = points[points.length - 1].value;
  const most = known.reduce((sum, { held }) => Math.max(sum, held), 0), yEnd = most > 1 ? niceEnd(most) : 4 * niceStep((most || 1) / 4);
  const x = value => LEFT + (WIDE - LEFT - 12) * (value - first) / (last - first);
  const y = value => HIGH - BELOW - (HIGH - BELOW - ABOVE) * value / yEnd;
  const percent = value => input.percent ? inPercent(Number(value.toPrecision(6))) : isYear(input) ? String(value) : shown(value);
  const title = T`${labelled(label, unit)} against ${labelled(input.label, input.percent ? "" : input.unit)}`;
  const picture = chart(T`${title}; the figures are in the table`);
  axes(picture, { xUnit: "", yEnd, yUnit: "", marks: ticks(first, last, input.integer).map(value => [x(value), percent(value)]) });
  const upright = (value, className) => drawing("line", { class: className, x1: x(value), x2: x(value), y1: ABOVE, y2: HIGH - BELOW });
  for (const end of [input.minimum, input.maximum]) {
    if (end !== null && end >= first && end <= last) picture.append(upright(end, "limit"));
  }
  const inside = typeof entries[n] === "number" && entries[n] >= first && entries[n] <= last;
  if (inside) picture.append(upright(entries[n], "base"));
  const place = ({ value, held }) => `${x(value).toFixed(1)},${y(held).toFixed(1)}`;
  picture.append(drawing("polyline", { class: "series", points: known.map(place).join(" ") }),
    ...known.map(({ value, held }) => drawing("circle", { class: "dot", cx: x(value).toFixed(1), cy: y(held).toFixed(1), r: 3.5 })));
  const limits = limitsText(input), marked = [inside ? T`Dashed: the present value, ${typedText(input, entries[n])}.` : "",
    !limits ? "" : [input.minimum, input.maximum].some(end => end >= first && end <= last && end !== null)
      ? T`Permitted: ${limits}, grey lines.` : T`Permitted: ${limits}.`];
  const rows = found.map(({ value, results }) => [typedText(input, value) + (value === entries[n] ? T` (now)` : ""),
    cellText(at, results[key]) || "-", String(results.binding_constraint ?? "-")]);
  const told = element("table", {});
  table(told, [input.label, labelled(label, unit), T`limited by`], rows, { current: found.findIndex(({ value }) => value === entries[n]) });
  byId("moves-drawn").replaceChildren(element("p", { className: "title", textContent: title }), picture, element("p", { className: "small", textContent: marked.filter(Boolean).join(" ") }),
    element("details", {}, element("summary", { textContent: T`As a table` }), told));
}
