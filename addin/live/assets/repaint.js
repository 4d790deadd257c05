// Repainting: an element is touched only where what it shows has changed, so that a key typed costs what it changes.

const drawnFrom = new WeakMap(); // element -> what it was drawn from, as text

function repaint(host, source, draw) {
  const text = JSON.stringify(source);
  if (drawnFrom.get(host) === text) return;
  draw();
  drawnFrom.set(host, text);
}
function say(host, text) {
  if (host.textContent !== text) host.textContent = text;
}
// A table: cells with another text are written anew; all of it where headings or the number of rows differ.
// `places` are the positions of the cells shown, which then open;
// `headed` makes what stands in the first cell of a row of its text; `marked` are the rows that stand out.
const tables = new WeakMap(); // table -> {shape, rows, lines} as it stands
function table(host, heads, rows, { numbers = [], current = -1, headed = text => text, marked = [], places = [] } = {}) {
  const shape = JSON.stringify([heads, numbers, rows.length, places]);
  let kept = tables.get(host);
  if (kept?.shape !== shape) {
    const head = element("tr", {}, ...heads.map((text, n) => text === "" ? element("td")
      : element("th", { scope: "col", className: numbers.includes(n) ? "number" : "", textContent: text })));
    const lines = rows.map(row => element("tr", {}, ...row.map((_, n) => n === 0 ? element("th", { scope: "row" })
      : element("td", { className: numbers.includes(n) ? "number" : "", "data-head": heads[n] }))));
    host.replaceChildren(element("thead", {}, head), element("tbody", {}, ...lines));
    kept = { shape, lines, rows: rows.map(() => []) };
    tables.set(host, kept);
  }
  rows.forEach((row, r) => row.forEach((text, n) => {
    if (kept.rows[r][n] === text && kept.rows[r][0] === row[0]) return;
    if (n === 0) kept.lines[r].cells[0].replaceChildren(headed(text));
    else figure(kept.lines[r].cells[n], text, places[r]?.[n], [row[0], heads[n]].filter(Boolean).join(", "));
  }));
  kept.rows = rows;
  tabbed(host);
  kept.lines.forEach((line, r) => {
    if (marked.includes(r) !== line.classList.contains("differs")) line.classList.toggle("differs");
    if ((r === current) === line.hasAttribute("aria-current")) return;
    if (r === current) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
  });
}
