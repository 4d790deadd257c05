// The results of the formulas, drawn again after every change.

function table(host, heads, rows, { numbers = [], current } = {}) {
  const head = element("tr", {}, ...heads.map((text, n) => text === "" ? element("td")
    : element("th", { scope: "col", className: numbers.includes(n) ? "number" : "", textContent: text })));
  const body = rows.map((row, r) => {
    const cells = row.map((text, n) => n === 0
      ? element("th", { scope: "row" }, text)
      : element("td", { className: numbers.includes(n) ? "number" : "", "data-head": heads[n], textContent: text }));
    const line = element("tr", {}, ...cells);
    if (r === current) line.setAttribute("aria-current", "true");
    return line;
  });
  host.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
}
function showAnswer() {
  const [master, banner] = DATA.checks.map(valueAt);
  byId("status").textContent = master > 0 ? String(banner) : resultText("status");
  byId("banner").textContent = String(banner ?? "");
  byId("bar").textContent = byId("status").textContent;
  byId("design").textContent = DATA.start.map(n => `${INPUTS[n].label}: ${typedText(INPUTS[n], entries[n])}`).join("; ");
  const { heads, lines: rows } = DATA.blocks.answer;
  table(byId("answer"), ["", ...heads], rows.filter(({ values }) => values.length).map(({ label, values }) =>
    [cellText(label), ...values.map(position => cellText(position))]));
  byId("answer-notes").textContent = rows.filter(({ values }) => !values.length).map(({ label }) => cellText(label)).join(". ");
  byId("notes").replaceChildren(...DATA.blocks.notes.lines.flatMap(({ label, values }) => [
    element("dt", { textContent: sentence(cellText(label)) }), element("dd", { textContent: cellText(values[0]) || "-" })]));
}
const sentence = text => text.charAt(0) + text.slice(1).toLowerCase();

function showLimits() {
  const used = result("arrays_used") ?? result("arrays_required"), binding = result("binding_constraint");
  const rows = DATA.limits.map(key => {
    const value = result(key), name = RESULTS[key].label, text = cellText(RESULTS[key].at);
    if (typeof value !== "number" || value < 0) return { name, value: null, text, open: value !== -2 };
    if (value === 0) return { name, value: null, text: "none", open: false };
    const failed = key === "ratio_failover" && value === result("ratio_largest") && `${binding}`.includes(", ");
    return { name: failed ? binding : name, value, text, kind: failed || name === binding ? "binds" : "" };
  });
  bars(byId("limits"), rows, { mark: typeof used === "number" ? used : undefined, label: "Arrays that each limit needs" });
  byId("limits-told").textContent = `Arrays that each limit needs, unrounded. The dark line is the design: ${shown(used)}. ` +
    `Limited by ${shown(binding)}, next by ${resultText("next_constraint")}. Not checked: ${resultText("constraints_unchecked")}.`;
}
function showRanked() {
  const { heads, lines: rows } = DATA.blocks.ranked, own = entries[arrayInput];
  const filled = rows.filter(({ label }) => cellText(label) !== "");
  table(byId("ranked"), ["Array", ...heads], filled.map(({ label, values }) =>
    [pickButton(cellText(label)), ...values.map(position => cellText(position))]),
  { current: filled.findIndex(({ label }) => cellText(label) === own) });
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
    return { name: RESULTS[key].label, value: number, text: resultText(key), kind: state ? "after" : "" };
  }).filter(Boolean));
  bars(byId("storms"), rows, { label: "Minutes that each storm takes" });
  const [minute, ...found] = DATA.blocks.logins.lines;
  const across = numbersAt(minute.values);
  const series = found.map(({ label, values }) => ({ name: cellText(label), values: numbersAt(values) }));
  const draw = (id, test, yUnit) => {
    const wanted = series.filter(({ name, values }) => test.test(name) && values);
    byId(id).hidden = !across || !wanted.length;
    if (across && wanted.length) lines(byId(id), across, wanted, { xUnit: "min", yUnit, label: `${yUnit} over the minutes of the logins` });
  };
  draw("logins-iops", /^IOPS/, "IOPS");
  draw("logins-desktops", /desktops$/i, "desktops");
  draw("logins-latency", /^Latency/, "latency, ms");
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
  { numbers: kept(heads).map((_, n) => n + 1) });
  const money = ["npv", "cost_per_desktop_month", "cost_per_desktop", "cost_total"].filter(key => RESULTS[key]);
  byId("money").replaceChildren(...money.map(key => element("div", {},
    element("dt", { textContent: RESULTS[key].label }), element("dd", { textContent: resultText(key) }))));
  showYearCharts();
  byId("no-prices").hidden = DATA.prices;
}
// The charts of the sheet, as far as there are figures: a stack that lacks a part would look like the sum.
function showYearCharts() {
  const host = byId("year-charts");
  host.replaceChildren();
  for (const { title, unit, stacked, across, series } of DATA.charts) {
    const every = series.map(({ name, values }) => ({ name: cellText(name), values: values.map(valueAt), texts: values.map(place => cellText(place)) }));
    const years = across.map((_, n) => n).filter(n => every.some(({ values }) => typeof values[n] === "number"));
    const known = ({ values }) => years.every(n => typeof values[n] === "number");
    const drawn = every.map(({ name, values, texts }) => ({ name, values: years.map(n => values[n]), texts: years.map(n => texts[n]) }))
      .filter(({ values }) => values.some(value => value > 0));
    if (every.every(known) && drawn.length) grouped(host, title, years.map(n => across[n]), drawn, { yUnit: unit, stacked });
  }
}
function showChanges() {
  const list = changed();
  const count = list.length === 1 ? "1 input differs" : `${list.length || "No"} inputs differ`;
  byId("differs").textContent = `${count} from the saved design, as built ${DATA.built}, formulas ${DATA.digest}.`;
  byId("changes").replaceChildren(...list.map(n => {
    const input = INPUTS[n], name = input.key.includes(".") ? `${input.key.split(".")[0]}: ${input.label}` : input.label;
    const before = typedText(input, input.saved), now = typedText(input, entries[n]);
    return element("li", { textContent: `${name}: ${before} \u2192 ${now}` });
  }));
  const quoted = text => text.replace(/["\\$`]/g, "\\$&");
  const given = n => plainText(INPUTS[n], entries[n]).replace(/^\d{1,3}\.\d{3}$/, "$&0"); // the shell would query 1.125
  byId("as-text").value = list.map(n => `--set "${quoted(INPUTS[n].key)}=${quoted(given(n))}"`).join(" ");
  const inputs = Object.fromEntries([...new Set([...DATA.given, ...list])].map(n => [INPUTS[n].key, isDay(INPUTS[n], entries[n]) || isClock(INPUTS[n], entries[n]) ? plainText(INPUTS[n], entries[n]) : entries[n]]));
  byId("as-json").value = JSON.stringify({ "workbook digest": DATA.digest, inputs }, null, 1);
  byId("export").hidden = !list.length && !DATA.given.length;
}
function showFaults() {
  const names = [...wrong.keys()].map(n => INPUTS[n].label);
  document.body.classList.toggle("faulty", names.length > 0);
  byId("faults").hidden = !names.length;
  byId("faults").textContent = names.length ? `No answer: ${names.join(", ")} cannot be read. Correct what is marked red.` : "";
  if (names.length) byId("bar").textContent = "No answer: correct what is marked red";
}
let spent = 0;
function show() {
  showFaults();
  showChanges();
  if (wrong.size) return;
  const started = performance.now();
  compute();
  spent = performance.now() - started;
  for (const part of [showAnswer, showLimits, showRanked, showStorms, showYears, showDerived]) part();
  byId("spent").textContent = `${whole.format(CELLS)} cells computed in ${spent.toFixed(1)} ms.`;
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
