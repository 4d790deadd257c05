// Charts as SVG, sized by attributes and classes: the page's policy allows no style in them.

function bars(host, rows, { mark, label }) {
  repaint(host, [rows, mark, label], () => {
    drawBars(host, rows, mark);
    host.setAttribute("aria-label", label);
  });
}
function drawBars(host, rows, mark) {
  const most = Math.max(...rows.map(row => row.value ?? 0), mark ?? 0) || 1;
  host.replaceChildren(...rows.map(row => {
    const picture = strip();
    if (row.value !== null) {
      picture.append(drawing("rect", { y: 1, height: 8, width: 100 * Math.max(0, row.value) / most, class: row.kind ?? "" }));
    }
    if (mark !== undefined) picture.append(drawing("line", { x1: 100 * mark / most, x2: 100 * mark / most, y1: 0, y2: 10 }));
    const number = element("span", { className: "number" });
    figure(number, row.text, row.at, row.name);
    return element("li", { className: row.open ? "open" : "" },
      element("span", { className: "name", textContent: row.name }), picture, number);
  }));
  tabbed(host);
}
const strip = (...parts) =>
  drawing("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
const WIDE = 640, HIGH = 190, LEFT = 88, BELOW = 30, ABOVE = 10;
function niceStep(least) {
  const size = 10 ** Math.floor(Math.log10(least || 1));
  return [1, 2, 2.5, 5, 10].map(step => step * size).find(step => step >= least * 0.9999) ?? least;
}
function niceEnd(most) {
  const step = niceStep(most / 4);
  return Math.max(1, Math.ceil(most / step - 1e-9)) * step;
}
// A frame with round levels from 0 to yEnd; `marks` are the labels below, [position, text].
function axes(picture, { xUnit, yEnd, yUnit, marks }) {
  for (const value of ticks(0, yEnd)) {
    const y = HIGH - BELOW - (HIGH - BELOW - ABOVE) * value / yEnd;
    picture.append(drawing("line", { class: "grid", x1: LEFT, x2: WIDE - 12, y1: y, y2: y }));
    picture.append(drawing("text", { x: LEFT - 6, y: y + 4, class: "left" }, level(value)));
  }
  for (const [x, text] of marks) picture.append(drawing("text", { x, y: HIGH - 10, class: x > WIDE - 40 ? "left" : "middle" }, text));
  picture.append(drawing("text", { x: WIDE - 12, y: HIGH + 4, class: "left" }, xUnit));
  picture.append(drawing("text", { x: LEFT, y: ABOVE - 8, class: "axis" }, yUnit));
}
// Round numbers between two ends, about four of them; whole ones for counts.
function ticks(start, end, counted) {
  const nice = niceStep((end - start) / 5 || 1), step = counted ? Math.max(1, Math.round(nice)) : nice, found = [];
  for (let n = Math.ceil(start / step - 1e-9); n * step <= end * (1 + 1e-9); n++) found.push(Number((n * step).toPrecision(12)));
  return found;
}
const millions = numbers({ notation: "compact", maximumSignificantDigits: 4 });
const level = value => value >= 1e6 ? millions.format(value) : shown(value);
const chart = label => drawing("svg", { viewBox: `0 -16 ${WIDE} ${HIGH + 28}`, role: "img", "aria-label": label, class: "chart" });

// Lines over one axis: [{name, values}], all of the same length as `across`.
function lines(host, across, series, words) {
  repaint(host, [across, series, words], () => drawLines(host, across, series, words));
}
function drawLines(host, across, series, { xUnit, yUnit, label }) {
  const xEnd = across[across.length - 1] || 1, yEnd = niceEnd(Math.max(...series.flatMap(({ values }) => values), 0));
  const picture = chart(label), x = value => LEFT + (WIDE - LEFT - 12) * value / xEnd;
  axes(picture, { xUnit, yEnd, yUnit, marks: ticks(0, xEnd).map(value => [x(value), shown(value)]) });
  const y = value => HIGH - BELOW - (HIGH - BELOW - ABOVE) * value / yEnd;
  series.forEach(({ values }, n) => picture.append(drawing("polyline", {
    class: `series series-${n}`, points: values.map((value, i) => `${x(across[i]).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
  })));
  host.replaceChildren(picture);
  if (series.length > 1) host.append(legend(series, "key"));
}
const legend = (series, kind) => element("p", { className: "legend" },
  ...series.map(({ name }, n) => element("span", { className: `${kind} ${kind}-${n}`, textContent: name })));

// Columns over names, one series upon the other or side by side: [{name, values, texts}].
function grouped(host, title, across, series, { yUnit, stacked }) {
  const sums = across.map((_, i) => series.reduce((sum, { values }) => sum + values[i], 0));
  const yEnd = niceEnd(Math.max(...stacked ? sums : series.flatMap(({ values }) => values)));
  const wide = (WIDE - LEFT - 12) / across.length, bar = wide * 0.7 / (stacked ? 1 : series.length);
  const told = across.map((name, i) => `${name}: ${series.map(each => `${each.name} ${each.texts[i]}`).join(", ")}`);
  const picture = chart(`${title}, ${yUnit}. ${told.join("; ")}`), high = value => (HIGH - BELOW - ABOVE) * Math.max(0, value) / yEnd;
  axes(picture, { xUnit: "", yEnd, yUnit, marks: across.map((name, i) => [LEFT + wide * (i + 0.5), name]) });
  across.forEach((name, i) => {
    let y = HIGH - BELOW;
    series.forEach((each, n) => {
      const value = each.values[i], x = LEFT + wide * (i + 0.15) + (stacked ? 0 : n * bar);
      picture.append(drawing("rect", { class: `part-${n}`, x, width: bar, y: y - high(value), height: high(value) },
        drawing("title", {}, `${name}, ${each.name}: ${each.texts[i]}`)));
      if (stacked) y -= high(value);
    });
  });
  host.append(element("figure", {}, element("figcaption", { textContent: title }), picture, legend(series, "part")));
}
// Columns over a range of numbers: [{from, to, share}].
function columns(host, bins, { xUnit, label, base, counted }) {
  const picture = chart(label), start = bins[0].from, end = bins[bins.length - 1].to, span = end - start || 1;
  const most = Math.max(...bins.map(bin => bin.share)), yEnd = niceEnd(100 * most);
  const x = value => LEFT + (WIDE - LEFT - 12) * (value - start) / span;
  axes(picture, { xUnit, yEnd, yUnit: T`% of trials`, marks: ticks(start, end, counted).map(value => [x(value), shown(value)]) });
  for (const bin of bins) {
    const high = (HIGH - BELOW - ABOVE) * 100 * bin.share / yEnd;
    picture.append(drawing("rect", { x: x(bin.from) + 0.5, width: Math.max(1, x(bin.to) - x(bin.from) - 1),
      y: HIGH - BELOW - high, height: high }));
  }
  if (base >= start && base <= end) {
    picture.append(drawing("line", { class: "base", x1: x(base), x2: x(base), y1: ABOVE, y2: HIGH - BELOW }));
  }
  host.append(picture);
}
