// How an emitted program runs. FORMULAS holds one function for each distinct formula, for the copy in row i and column j
// of a rectangle; PLACES tells of each rectangle first cell, way to the next row, and width. A schedule lists formula,
// first copy (row by row) and number of copies, in an order that can be computed.

let t; // what IF, CHOOSE and IFERROR look at before they take a branch

function run(schedule) {
  for (let n = 0; n < schedule.length; n += 3) {
    const number = schedule[n], formula = FORMULAS[number];
    const first = PLACES[3 * number], step = PLACES[3 * number + 1], width = PLACES[3 * number + 2];
    let j = schedule[n + 1] % width, i = (schedule[n + 1] - j) / width;
    for (let left = schedule[n + 2]; left > 0; left--) {
      V[first + i * step + j] = formula(j, i);
      if (++j === width) { j = 0; i++; }
    }
  }
}
// The cells with the values that never change: `constants` lists first cell and values, one row after the other.
function cellsOf(size, constants) {
  const cells = new Array(size).fill(null);
  for (const [first, ...values] of constants) {
    values.forEach((value, n) => { cells[first + n] = value; });
  }
  return cells;
}
