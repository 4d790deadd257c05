// The results of the formulas, looked at again after every change.

function showAnswer() {
  const [master, banner] = DATA.checks.map(valueAt);
  say(byId("status"), master > 0 ? String(banner) : resultText("status"));
  say(byId("banner"), String(banner ?? ""));
  say(byId("design"), DATA.start.map(n => `${INPUTS[n].label}: ${typedText(INPUTS[n], entries[n])}`).join("; "));
  const { heads, lines: rows } = DATA.blocks.answer;
  const filled = rows.filter(({ values }) => values.length);
  table(byId("answer"), ["", ...heads], filled.map(({ label, values }) =>
    [cellText(label), ...values.map(position => cellText(position))]), { places: placesOf(filled) });
  say(byId("answer-notes"), rows.filter(({ values }) => !values.length).map(({ label }) => cellText(label)).join(". "));
  pairs(byId("notes"), DATA.blocks.notes.lines.map(({ label, values }) =>
    [sentence(cellText(label)), cellText(values[0]) || "-", values[0]]));
}
const placesOf = rows => rows.map(({ values }) => [undefined, ...values]);
// A list of names and values with their positions, each with its text as it is now.
function pairs(host, list) {
  if (host.childElementCount !== 2 * list.length) host.replaceChildren(...list.flatMap(() => [element("dt"), element("dd")]));
  list.forEach(([name, text, position], n) => {
    say(host.children[2 * n], name);
    figure(host.children[2 * n + 1], text, position, name);
  });
  tabbed(host);
}
const sentence = text => text.charAt(0) + text.slice(1).toLowerCase();

function showLimits() {
  const used = result("arrays_used") ?? result("arrays_required"), binding = result("binding_constraint");
  const rows = DATA.limits.map(key => {
    const { at, label: name } = RESULTS[key], value = result(key), text = cellText(at);
    if (typeof value !== "number" || value < 0) return { name, value: null, text, open: value !== -2, at };
    if (value === 0) return { name, value: null, text: T`none`, open: false, at };
    const failed = key === "ratio_failover" && value === result("ratio_largest") && `${binding}`.includes(", ");
    return { name: failed ? binding : name, value, text, at, kind: failed || name === binding ? "binds" : "" };
  });
  bars(byId("limits"), rows, { mark: typeof used === "number" ? used : undefined, label: T`Arrays that each limit needs` });
  say(byId("limits-told"), T`Arrays that each limit needs, unrounded. The dark line is the design: ${shown(used)}. Limited by ${shown(binding)}, next by ${resultText("next_constraint")}. Not checked: ${resultText("constraints_unchecked")}.`);
}
function showRanked() {
  const { heads, lines: rows } = DATA.blocks.ranked, own = entries[arrayInput];
  const filled = rows.filter(({ label }) => cellText(label) !== "");
  table(byId("ranked"), [T`Array`, ...heads], filled.map(({ label, values }) =>
    [cellText(label), ...values.map(position => cellText(position))]),
  { current: filled.findIndex(({ label }) => cellText(label) === own), headed: pickButton, places: placesOf(filled) });
}
const arrayInput = INPUTS.findIndex(({ key }) => key === "array");
function pickButton(name) {
  if (!INPUTS[arrayInput].choices.includes(name)) return name; // a what-if of the same array differs in other inputs
  const button = element("button", { type: "button", className: "link", textContent: name });
  button.addEventListener("click", () => enter(arrayInput, name));
  return button;
}
function showStorms() {
  const rows = DATA.phases.flatMap(phase => ["", "failover_"].map(state => {
    const key = `${state}${phase}_minutes`;
    if (!RESULTS[key]) return null;
    const value = result(key), number = typeof value === "number" && value >= 0 ? value : null;
    return { name: RESULTS[key].label, value: number, text: resultText(key), kind: state ? "after" : "", at: RESULTS[key].at };
  }).filter(Boolean));
  bars(byId("storms"), rows, { label: T`Minutes that each storm takes` });
  const [minute, ...found] = DATA.blocks.logins.lines;
  const across = numbersAt(minute.values);
  const series = found.map(({ label, values }) => ({ name: cellText(label), values: numbersAt(values) }));
  const draw = (id, test, yUnit) => {
    const wanted = series.filter(({ name, values }) => test.test(name) && values);
    byId(id).hidden = !across || !wanted.length;
    if (across && wanted.length) lines(byId(id), across, wanted, { xUnit: "min", yUnit, label: T`${yUnit} over the minutes of the logins` });
  };
  draw("logins-iops", /^IOPS/, "IOPS");
  draw("logins-desktops", /desktops$/i, T`desktops`);
  draw("logins-latency", /^Latency/, T`latency, ms`);
}
function numbersAt(positions) {
  const values = positions.map(valueAt);
  return values.every(value => typeof value === "number" && value >= 0) ? values : null;
}
function showYears() {
  const { heads, lines: rows } = DATA.blocks.years;
  const used = heads.map((_, n) => n === 0 || rows.some(({ values }) => cellText(values[n]) !== ""));
  const kept = values => values.filter((_, n) => used[n]);
  table(byId("years"), ["", ...kept(heads)], rows.map(({ label, unit, values }) =>
    [labelled(cellText(label), unit), ...kept(values).map(position => cellText(position))]),
  { numbers: kept(heads).map((_, n) => n + 1), places: rows.map(({ values }) => [undefined, ...kept(values)]) });
  const money = ["npv", "cost_per_desktop_month", "cost_per_desktop", "cost_total"].filter(key => RESULTS[key]);
  repaint(byId("money"), money.map(key => resultText(key)), () => {
    byId("money").replaceChildren(...money.map(key => {
      const { label, at } = RESULTS[key], place = element("dd");
      figure(place, resultText(key), at, label);
      return element("div", {}, element("dt", { textContent: label }), place);
    }));
    tabbed(byId("money"));
  });
  showYearCharts();
  byId("no-prices").hidden = DATA.prices;
}
// The charts of the sheet, as far as there are figures: a stack that lacks a part would look like the sum.
function showYearCharts() {
  const found = [];
  for (const { title, unit, stacked, across, series } of DATA.charts) {
    const every = series.map(({ name, values }) => ({ name: cellText(name), values: values.map(valueAt), texts: values.map(place => cellText(place)) }));
    const years = across.map((_, n) => n).filter(n => every.some(({ values }) => typeof values[n] === "number"));
    const known = ({ values }) => years.every(n => typeof values[n] === "number");
    const drawn = every.map(({ name, values, texts }) => ({ name, values: years.map(n => values[n]), texts: years.map(n => texts[n]) }))
      .filter(({ values }) => values.some(value => value > 0));
    if (every.every(known) && drawn.length) found.push([title, years.map(n => across[n]), drawn, { yUnit: unitText(unit), stacked }]);
  }
  const host = byId("year-charts");
  repaint(host, found, () => {
    host.replaceChildren();
    for (const each of found) grouped(host, ...each);
  });
}
function show() {
  showCurrency();
  showFaults();
  showChanges();
  if (wrong.size) return;
  const started = performance.now();
  const cells = compute();
  const spent = performance.now() - started;
  for (const part of [showAnswer, showHead, showLimits, showRanked, showStorms, showYears, showDerived, showSides]) part();
  byId("spent").textContent = T`${whole.format(cells)} cells computed in ${tenths(spent)} ms.`;
}
let waiting = false;
function later() {
  stopDrawing();
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    show();
  });
}
