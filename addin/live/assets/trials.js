// Trials of the uncertain inputs. This is after the program and before the page, so that a worker can run it too.

const TOLD_MS = 100; // a worker says as often how far it is

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
// Values from -1 to 1 stretched to low, likely and high, at most `cap` if there is one; nothing where one is certain.
function between(values, [low, likely, high, cap]) {
  const [least, most] = [low, high].map(end => Math.max(1, cap > 0 ? Math.min(end, cap) : end));
  if (!(least < most && least <= likely && likely <= most)) return undefined;
  return values.map(place => likely + place * (place < 0 ? likely - least : most - likely));
}
// A simulation that continues while `more` returns true; V has the design. `plan` is plain data: how many trials from
// which seed, `risk` as the page has it, the positions of its inputs (`places`), of growth per year and of the results
// (`at`), and of inputs as saved (`saved`): those changed on the page are fixed, as by `--set`.
function simulation({ count, seed, risk, places, yearly, at, saved }) {
  const uniform = generator(seed), result = key => V[at[key]];
  const free = places.map(place => saved.has(place));
  const fix = keys => risk.inputs.forEach(({ key }, i) => { if (keys.includes(key)) free[i] = false; });
  const cells = V.slice(), shown = V;
  V = cells;
  const used = result(risk.used);
  // what the design has of everything: a trial that needs more does not hold
  const limits = [["arrays_required", used], ...risk.zeros.map(key => [key, 0]), ...risk.most.map(key => [key, result(key)])];
  const most = typeof used === "number" ? limits.filter(([, value]) => typeof value === "number") : [];
  for (const [position, value] of risk.fixed) if (saved.has(position)) V[position] = value;
  if (V[yearly]) fix(["growth_ratio"]); // growth is drawn once
  run(EVERYTHING);
  const joint = result("joint_rows") > 0; // the load of a desktop is drawn once
  const whole = joint && result("steady_measured_ratio") === 1; // of some user groups: both are drawn
  const scales = ["demand_scale_ratio", ...risk.inputs.filter(({ classes }) => classes).map(({ key }) => key)];
  fix([...joint ? [] : ["measured_row"], ...whole ? scales : []]);
  const spreads = risk.inputs.map(input => // by the class of the demand, or by the method: the design may have changed
    input.classes ? { ...input, values: input.classes[result("demand_class")] }
      : input.ends ? { ...input, values: between(input.values, input.ends.map(result)) } : input);
  spreads.forEach(({ values, ends }, i) => { if (!values || ends && V[places[i]] !== null) free[i] = false; }); // certain
  V = shown;
  const found = risk.results.map(() => []);
  let done = 0, holding = 0, judged = 0;
  function trial() {
    const probabilities = shares(uniform, places.length, risk.factor);
    places.forEach((place, i) => { if (free[i]) V[place] = drawn(spreads[i], probabilities[i]); });
    run(risk.steps);
    risk.results.forEach((key, i) => {
      const value = result(key);
      if (typeof value === "number" && value >= 0) found[i].push(value);
    });
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
    // `found` has the numbers of each result, in order; a trial without a number is not among them
    report: () => ({
      count: done, drawn: free.filter(Boolean).length, holds: judged ? holding / judged : null, judged,
      found: found.map(numbers => Float64Array.from(numbers).sort()),
    }),
  };
}
// What a worker does with a plan and the values of its inputs: it says how many trials are done, and at last the report.
function answerPlan({ data: plan }) {
  postMessage(0);
  setMarks(plan.marks);
  for (const [position, value] of plan.values) V[position] = value;
  run(EVERYTHING);
  const task = simulation(plan);
  for (let done = 0; done < plan.count;) {
    const end = performance.now() + TOLD_MS;
    done = task.slice(() => performance.now() < end);
    postMessage(done);
  }
  postMessage(task.report());
}
