"use strict";
// The densities of noise, or on a lattice the probabilities, as logarithms in floats: far out they do not vanish.

const laplace = (x, scale) => -Math.abs(x) / scale;
const fallIn = (scale, lattice) => Math.exp(-lattice / scale);
const within = (x, low, high, value) => (x >= low && x <= high ? value : -Infinity);
const geometric = (x, scale, lattice) => within(x, 0, Infinity, -x / scale + Math.log1p(-fallIn(scale, lattice)));
const discreteLaplace = (x, scale, lattice) => {
  const r = fallIn(scale, lattice);
  return laplace(x, scale) + Math.log1p(-r) - Math.log1p(r);
};
const inBase2 = (of) => (x, rate, lattice) => of(x, 1 / (rate * Math.LN2), lattice);

const LOG_DENSITIES = {
  laplace: (x, scale) => laplace(x, scale) - Math.log(2 * scale),
  exponential: (x, scale) => within(x, 0, Infinity, -x / scale - Math.log(scale)),
  geometric,
  discrete_laplace: discreteLaplace,
  geometric_base2: inBase2(geometric),
  discrete_laplace_base2: inBase2(discreteLaplace),
  gumbel: (x, scale) => -x / scale - Math.exp(-x / scale) - Math.log(scale),
  logistic: (x, scale) => laplace(x, scale) - 2 * Math.log1p(Math.exp(laplace(x, scale))) - Math.log(scale),
  staircase(x, scale, gamma, period) {
    const fall = Math.exp(-period / scale);
    const height = -Math.expm1(-period / scale) / (2 * period * (gamma + (1 - gamma) * fall));
    return Math.log(height) - (Math.floor(Math.abs(x) / period + 1 - gamma) * period) / scale;
  },
  uniform: (x, low, high) => (x < high ? within(x, low, high, -Math.log(high - low)) : -Infinity),
  cut_laplace(x, low, high, scale) {
    const kept = 2 - Math.exp(low / scale) - Math.exp(-high / scale);
    return x < high ? within(x, low, high, laplace(x, scale) - Math.log(scale * kept)) : -Infinity;
  },
  cut_discrete_laplace(x, low, high, scale, lattice) {
    const [up, down] = [high + lattice, lattice - low].map((bound) => Math.exp(-bound / scale));
    const total = (1 + fallIn(scale, lattice) - up - down) / (1 - fallIn(scale, lattice));
    return within(x, low, high, laplace(x, scale) - Math.log(total));
  },
};

// The logarithm of the density of a draw as a function of x; null for noise of which the page knows none.
function logDensityOf({ distribution, values }) {
  const known = LOG_DENSITIES[distribution.name];
  if (!known) return null;
  const parameters = values.map(float);
  return (x) => known(x, ...parameters);
}
