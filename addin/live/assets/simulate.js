// Uncertain inputs: trials drawn from the distributions of Risk inputs, in slices so that the page stays responsive.

const TRIALS = 10000;
const SLICE_MS = 20; // a busy machine or garbage collection may double it: below 50 it goes unnoticed
const RISK = DATA.risk, SHARES = [0.05, 0.5, 0.95];
let turn = 0; // a later run, or a change, ends an earlier one

// sfc32 by Chris Doty-Humphrey (PractRand, public domain): small, fast, passes the usual tests of random numbers.
function generator(seed) {
  let a = 0x9e3779b9, b = 0x243f6a88, c = 0xb7e15162, d = seed ^ 0xdeadbeef;
  const next = () => {
    const sum = (a + b | 0) + d | 0;
    d = d + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + sum | 0;
    return ((sum >>> 0) + 0.5) / 4294967296;
  };
  for (let n = 0; n < 20; n++) next();
  return next;
}
const normal = uniform => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());

// Probabilities with the rank correlations of Risk inputs: correlated normals, each turned back into a probability.
function shares(uniform, count, factor) {
  if (!factor) return Array.from({ length: count }, uniform);
  const scores = Array.from({ length: count }, () => normal(uniform));
  return factor.map(row => standardNormal(row.reduce((sum, weight, n) => sum + weight * scores[n], 0), true));
}
function drawn({ whole: steps, values }, share) {
  if (steps) return values[Math.min(values.length - 1, Math.floor(share * values.length))];
  const place = share * (values.length - 1), below = Math.min(values.length - 2, Math.floor(place));
  return values[below] + (place - below) * (values[below + 1] - values[below]);
}
// A simulation that continues while `more` returns true. Inputs changed on the page are fixed, as by `--set`.
function simulation(count, seed) {
  const uniform = generator(seed), places = RISK.inputs.map(({ key }) => INPUTS.findIndex(input => input.key === key));
  const free = places.map(n => same(entries[n], INPUTS[n].saved));
  const cells = V.slice(), shown = V;
  const held = new Map(INPUTS.map((input, n) => [input.at, same(entries[n], input.saved)]));
  V = cells;
  const used = result(RISK.used);
  // what the design has of everything: a trial that needs more does not hold
  const limits = [["arrays_required", used], ...RISK.zeros.map(key => [key, 0]), ...RISK.most.map(key => [key, result(key)])];
  const most = typeof used === "number" ? limits.filter(([, value]) => typeof value === "number") : [];
  const others = beside();
  for (const [position, value] of RISK.fixed) if (held.get(position)) V[position] = value;
  const yearly = INPUTS.find(({ key }) => key === "growth_per_year_ratio"); // growth is drawn once
  if (yearly && V[yearly.at]) RISK.inputs.forEach(({ key }, i) => { if (key === "growth_ratio") free[i] = false; });
  run(EVERYTHING);
  const joint = RESULTS.joint_rows && result("joint_rows") > 0; // the load of a desktop is drawn once
  const whole = joint && result("steady_measured_ratio") === 1; // of some user groups: both are drawn
  const scales = ["demand_scale_ratio", ...RISK.inputs.filter(({ classes }) => classes).map(({ key }) => key)];
  const left = [...joint ? [] : ["measured_row"], ...whole ? scales : []];
  RISK.inputs.forEach(({ key }, i) => { if (left.includes(key)) free[i] = false; });
  const classes = RISK.inputs.map(input => input.classes); // of the demand: the profile may have changed
  const spreads = RISK.inputs.map((input, i) => !classes[i] ? input : {...input, values: classes[i][result("demand_class")]});
  spreads.forEach(({ values }, i) => { if (!values) free[i] = false; }); // a spread typed as 0
  V = shown;
  const found = RISK.results.map(() => []);
  let done = 0, holding = 0, judged = 0;
  function trial() {
    const probabilities = shares(uniform, places.length, RISK.factor);
    places.forEach((n, i) => { if (free[i]) V[INPUTS[n].at] = drawn(spreads[i], probabilities[i]); });
    run(RISK.steps);
    RISK.results.forEach((key, i) => found[i].push(result(key)));
    const verdict = most.map(([key]) => result(key));
    if (most.length && verdict.every(value => typeof value === "number")) {
      judged++;
      holding += verdict.every((value, i) => value <= most[i][1] * (1 + 1e-9));
    }
    done++;
  }
  return {
    slice(more) {
      V = cells;
      try {
        while (done < count && more()) trial();
      } finally {
        V = shown;
      }
      return done;
    },
    report: () => ({ count: done, drawn: free.filter(Boolean).length, used, others, holds: judged ? holding / judged : null, judged, found }),
  };
}
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
function percentiles(values) {
  const sorted = Float64Array.from(values).sort();
  return SHARES.map(share => percentile(sorted, share));
}
function startDrawing() {
  const mine = ++turn, task = simulation(TRIALS, 1), started = performance.now();
  byId("draw").disabled = true;
  const step = () => {
    if (mine !== turn) return;
    const end = performance.now() + SLICE_MS, done = task.slice(() => performance.now() < end);
    byId("drawn").textContent = T`${whole.format(done)} of ${whole.format(TRIALS)} trials`;
    if (done < TRIALS) setTimeout(step, 0);
    else {
      byId("draw").disabled = false;
      setTimeout(() => mine === turn && showTrials(task.report(), performance.now() - started), 0);
    }
  };
  setTimeout(step, 0);
}
function stopDrawing() {
  turn++;
  byId("draw").disabled = wrong.size > 0;
  byId("drawn").textContent = "";
  byId("trials").replaceChildren();
}
function showTrials({ count, drawn: moved, used, others, holds, judged, found }, took) {
  byId("drawn").textContent = T`${whole.format(count)} trials of ${moved} uncertain inputs in ${tenths(took / 1000)} s.`;
  const host = byId("trials");
  const bought = [...used > 0 || !others.length ? [countText(used)] : [], ...others].join(T` and `);
  const error = 196 * Math.sqrt(Math.max(holds * (1 - holds), 1 / judged) / judged);
  const told = holds === null ? T`Whether the design holds is unknown: no trial gave a number.`
    : T`The design of ${bought} holds in ${tenths(100 * holds)}% of ${whole.format(judged)} trials (\u00b1 ${tenths(error)}%, 95% interval).`;
  host.replaceChildren(element("p", { className: "holds", textContent: told }));
  for (const key of RISK.zeros.filter(each => result(each) > 0)) {
    host.append(element("p", { textContent: T`${RESULTS[key].label}: ${resultText(key)}. A design holds only where there is none.` }));
  }
  RISK.results.forEach((key, i) => {
    const { label, unit } = RESULTS[key], numbers = found[i].filter(value => typeof value === "number" && value >= 0);
    const figure = element("figure", {}, element("figcaption", { textContent: labelled(label, unit) }));
    host.append(figure);
    if (!numbers.length) {
      figure.append(element("p", { textContent: T`No number in any trial: ${resultText(key) || T`blank`}.` }));
      return;
    }
    const [low, middle, high] = percentiles(numbers), base = result(key);
    columns(figure, binned(numbers), { xUnit: unitText(unit), base, counted: numbers.every(Number.isInteger), label: T`Histogram of ${label}` });
    const left = count - numbers.length, rest = left ? T` No number in ${whole.format(left)} trials.` : "";
    figure.append(element("p", { textContent:
      T`P5 ${resultText(key, low)}, P50 ${resultText(key, middle)}, P95 ${resultText(key, high)}. Without spread ${resultText(key)}.${rest}` }));
  });
}
function binned(numbers) {
  const sorted = Float64Array.from(numbers).sort(), last = sorted[sorted.length - 1], first = sorted[0];
  const counted = numbers.every(Number.isInteger) && last - first < 24;
  const width = counted ? 1 : (last - first) / 24 || 1, start = counted ? first - 0.5 : first;
  const bins = Array.from({ length: counted ? last - first + 1 : 24 }, (_, n) => ({ from: start + n * width, to: start + (n + 1) * width, share: 0 }));
  for (const number of sorted) bins[Math.min(bins.length - 1, Math.floor((number - start) / width))].share += 1 / sorted.length;
  return bins;
}
