// Uncertain inputs: trials drawn from the distributions of Risk inputs (trials.js), beside the page in a worker.

const TRIALS = 10000;
const SLICE_MS = 20; // a busy machine or garbage collection may double it: below 50 it goes unnoticed
const SILENT_MS = 5000; // a worker that has not begun by then never will
const PAGE_BEGINS = "\n//= page\n"; // a line of this script: what a worker does not get
const RISK = DATA.risk, SHARES = [0.05, 0.5, 0.95], SCRIPT = globalThis.document?.currentScript;
let turn = 0; // a later run, or a change, ends an earlier one
let worker = null, workerCode = "";

// The arrays for containers and the machines' disks, in words; nothing without any.
function beside() {
  const text = RESULTS.disk_told ? String(result("disk_told")) : "", arrays = RESULTS.container_arrays ? result("container_arrays") : 0;
  return [...arrays > 0 ? [T`${arrays} for containers`] : [], .../^\d/.test(text) ? [text.split(", limited")[0]] : []];
}
// A number of arrays, or of nodes where the design is built of them.
function countText(number) {
  const nodes = RESULTS.unit_word && result("unit_word") === "node", one = number === 1;
  const word = nodes ? one ? T`node` : T`nodes` : one ? T`array` : T`arrays`;
  return typeof number === "number" ? `${shown(number)} ${word}` : shown(number);
}
// What trials need to know of the page, as plain data.
function planned() {
  const at = Object.fromEntries(INPUTS.map(input => [input.key, input.at]));
  return {
    count: TRIALS, seed: 1, risk: RISK, places: RISK.inputs.map(({ key }) => at[key]), yearly: at.growth_per_year_ratio,
    at: Object.fromEntries(Object.entries(RESULTS).map(([key, result]) => [key, result.at])),
    saved: new Set(INPUTS.filter((input, n) => same(entries[n], input.saved)).map(input => input.at)),
    values: INPUTS.map((input, n) => [input.at, entries[n]]), marks: { ...MARKS },
  };
}
function startDrawing() {
  endWorker();
  const mine = ++turn, plan = planned(), started = performance.now(), current = () => mine === turn;
  const hear = said => {
    if (!current()) return;
    if (typeof said === "number") return say(byId("drawn"), T`${whole.format(said)} of ${whole.format(TRIALS)} trials`);
    endWorker();
    byId("draw").disabled = false;
    showTrials(said, performance.now() - started);
  };
  byId("draw").disabled = true;
  hear(0);
  const here = () => inSlices(plan, hear, current);
  try {
    inWorker(plan, hear, here);
  } catch {
    here();
  }
}
// In a worker, whose code is the part of this script before the page. Where the browser's rules forbid it, or it says
// nothing, `otherwise` is called.
function inWorker(plan, hear, otherwise) {
  workerCode ||= URL.createObjectURL(new Blob(
    [SCRIPT.textContent.split(PAGE_BEGINS)[0], "\nonmessage = answerPlan;\n"], { type: "text/javascript" }));
  const mine = worker = new Worker(workerCode);
  const failed = () => {
    if (worker !== mine) return;
    endWorker();
    otherwise();
  };
  const silent = setTimeout(failed, SILENT_MS);
  worker.onmessage = ({ data }) => {
    clearTimeout(silent);
    hear(data);
  };
  worker.onerror = event => {
    event.preventDefault();
    failed();
  };
  worker.postMessage(plan);
}
function endWorker() {
  worker?.terminate();
  worker = null;
}
// In slices here, between which the page stays responsive.
function inSlices(plan, hear, current) {
  let task;
  const step = () => {
    if (!current()) return;
    task ??= simulation(plan);
    const end = performance.now() + SLICE_MS, done = task.slice(() => performance.now() < end);
    hear(done);
    setTimeout(done < TRIALS ? step : () => hear(task.report()), 0);
  };
  setTimeout(step, 0);
}
function stopDrawing() {
  turn++;
  endWorker();
  byId("draw").disabled = wrong.size > 0;
  byId("drawn").textContent = "";
  byId("trials").replaceChildren();
}
function showTrials({ count, drawn: moved, holds, judged, found }, took) {
  byId("drawn").textContent = T`${whole.format(count)} trials of ${moved} uncertain inputs in ${tenths(took / 1000)} s.`;
  const host = byId("trials"), used = result(RISK.used), others = beside();
  const bought = [...used > 0 || !others.length ? [countText(used)] : [], ...others].join(T` and `);
  const open = RISK.zeros.filter(each => result(each) > 0), unchecked = open.includes("unchecked_count");
  const share = holds < 0.01 ? "<1%" : holds > 0.99 ? ">99%" : `${whole.format(100 * holds)}%`; // the spreads support no more digits
  const told = holds === null ? T`Whether the design suffices is unknown: no trial gave a number.`
    : unchecked ? T`Whether the design of ${bought} suffices is unknown. Not checked: ${resultText("constraints_unchecked")}.`
    : T`The design of ${bought} suffices in ${share} of ${whole.format(judged)} trials, if the spreads on Risk inputs are right.`;
  host.replaceChildren(element("p", { className: "holds", textContent: told }));
  for (const key of unchecked ? [] : open) {
    host.append(element("p", { textContent: T`${RESULTS[key].label}: ${resultText(key)}. A design suffices only where there is none.` }));
  }
  RISK.results.forEach((key, i) => {
    const { label, unit } = RESULTS[key], numbers = found[i], counted = numbers.every(Number.isInteger);
    const figure = element("figure", {}, element("figcaption", { textContent: labelled(label, unit) }));
    host.append(figure);
    if (!numbers.length) {
      figure.append(element("p", { textContent: T`No number in any trial: ${resultText(key) || T`blank`}.` }));
      return;
    }
    const [low, middle, high] = SHARES.map(share => percentile(numbers, share)), base = result(key);
    columns(figure, binned(numbers, counted), { xUnit: unitText(unit), base, counted, label: T`Histogram of ${label}` });
    const left = count - numbers.length, rest = left ? T` No number in ${whole.format(left)} trials.` : "";
    figure.append(element("p", { textContent:
      T`P5 ${resultText(key, low)}, P50 ${resultText(key, middle)}, P95 ${resultText(key, high)}. Without spread ${resultText(key)}.${rest}` }));
  });
}
function binned(sorted, integers) {
  const last = sorted[sorted.length - 1], first = sorted[0], counted = integers && last - first < 24;
  const width = counted ? 1 : (last - first) / 24 || 1, start = counted ? first - 0.5 : first;
  const bins = Array.from({ length: counted ? last - first + 1 : 24 }, (_, n) => ({ from: start + n * width, to: start + (n + 1) * width, share: 0 }));
  for (const number of sorted) bins[Math.min(bins.length - 1, Math.floor((number - start) / width))].share += 1 / sorted.length;
  return bins;
}
