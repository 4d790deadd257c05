// The normal distribution, as in scalar/functions_distributions.py. JavaScript has no erfc.

// erfc by the rational approximations of W. J. Cody, "Rational Chebyshev approximations for the error function",
// Mathematics of Computation 23 (1969): three intervals, relative error below 1e-16.
const NEAR_TOP = [3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02, 3.20937758913846947e03,
  1.85777706184603153e-1];
const NEAR_BOTTOM = [2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03];
const MIDDLE_TOP = [5.64188496988670089e-1, 8.88314979438837594e00, 6.61191906371416295e01, 2.98635138197400131e02,
  8.81952221241769090e02, 1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
  2.15311535474403846e-8];
const MIDDLE_BOTTOM = [1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02, 1.62138957456669019e03,
  3.29079923573345963e03, 4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03];
const FAR_TOP = [3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1, 1.60837851487422766e-2,
  6.58749161529837803e-4, 1.63153871373020978e-2];
const FAR_BOTTOM = [2.56852019228982242e00, 1.87295284992346047e00, 5.27905102951428412e-1, 6.05183413124413191e-2,
  2.33520497626869185e-3];

function quotient(x, top, bottom) {
  let above = top[top.length - 1] * x, below = x;
  for (let n = 0; n < bottom.length - 1; n++) {
    above = (above + top[n]) * x;
    below = (below + bottom[n]) * x;
  }
  return (above + top[bottom.length - 1]) / (below + bottom[bottom.length - 1]);
}
// exp(-y*y) without the error of the square: y is split at a sixteenth.
function gauss(y) {
  const near = Math.trunc(y * 16) / 16;
  return Math.exp(-near * near) * Math.exp(-(y - near) * (y + near));
}
function erfc(x) {
  const y = Math.abs(x);
  if (y <= 0.46875) return 1 - x * quotient(y * y, NEAR_TOP, NEAR_BOTTOM);
  let result = 0;
  if (y <= 4) result = gauss(y) * quotient(y, MIDDLE_TOP, MIDDLE_BOTTOM);
  else if (y < 27) {
    const square = 1 / (y * y), rest = square * quotient(square, FAR_TOP, FAR_BOTTOM);
    result = gauss(y) * (1 / Math.sqrt(Math.PI) - rest) / y;
  }
  return x < 0 ? 2 - result : result;
}
const standardNormal = (z, cumulative) => cumulative ? 0.5 * erfc(-z / Math.SQRT2)
  : Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
define("NORM.S.DIST", "nb", standardNormal);
define("NORM.DIST", "nnnb", (x, mean, deviation, cumulative) => {
  if (!(deviation > 0)) return NUM;
  const height = standardNormal((x - mean) / deviation, cumulative);
  return cumulative ? height : height / deviation;
});
