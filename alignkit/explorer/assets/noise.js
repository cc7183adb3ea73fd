"use strict";
// The noise of D: values for draws that have none yet, and a row for each draw.

const MOST_NOISES = 60; // rows; further draws keep their noise

function randomUnit() {
  state.seed = (state.seed * 1103515245 + 12345) % 2147483648;
  return (state.seed + 0.5) / 2147483648;
}

function freshNoise(made) {
  const { distribution, values } = made;
  const { support, parameters } = distribution;
  if (support.indices) {
    const total = values[0].map(float).reduce((a, b) => a + b, 0);
    let left = randomUnit() * total;
    const index = values[0].findIndex((weight) => (left -= float(weight)) < 0);
    return rational(index < 0 ? values[0].findIndex((weight) => sign(weight) > 0) : index);
  }
  if (support.interval) {
    const part = rational(Math.floor(randomUnit() * 64), 64);
    const inside = added(values[0], times(part, less(values[1], values[0])));
    if (support.lattice === null) return inside;
    const step = values[support.lattice];
    return times(step, rational(Math.round(finite(float(inside) / float(step)))));
  }
  const scale = parameters[0] === "rate" ? 1 / (float(values[0]) * Math.LN2) : float(values[0]);
  const size = -Math.log(randomUnit()) * scale;
  const signed = support.oneSided || randomUnit() < 0.5 ? size : -size;
  if (support.lattice === null) return rational(Math.round(finite(signed) * 4), 4);
  const lattice = values[support.lattice];
  return times(lattice, rational(Math.round(finite(signed / float(lattice)))));
}

function noiseFor(made) {
  const known = state.noise.get(made.where);
  if (known !== undefined && inSupport(made, known)) return known;
  const fresh = freshNoise(made);
  state.noise.set(made.where, fresh);
  return fresh;
}

const noiseRows = new Map();

function forgetRows() {
  for (const made of noiseRows.values()) made.remove();
  noiseRows.clear();
}

function noiseRange({ distribution, values }) {
  const { support } = distribution;
  if (support.indices) return { low: ZERO, high: rational(values[0].length - 1), unit: ONE };
  const unit = support.lattice === null ? QUARTER : exactly(values[support.lattice]);
  if (support.interval) return { low: values[0], high: values[1], unit };
  const far = farthest(unit);
  return { low: support.oneSided ? ZERO : negated(far), high: far, unit };
}

// The row of a draw; `made` of the row is the draw in the latest run.
function noiseRow(made) {
  const { where } = made;
  const latest = () => (noiseRows.has(where) ? noiseRows.get(where).made : made);
  return inputRow(where, {
    value: () => latest().value,
    options: () => noiseRange(latest()),
    take(number) {
      if (!inSupport(latest(), number)) return "the noise cannot have this value";
      state.noise.set(where, number);
      return "";
    },
  });
}

function buildNoise(both) {
  const drawn = both.run.drawn.slice(0, MOST_NOISES);
  const wanted = new Set(drawn.map((made) => made.where));
  for (const [where, made] of noiseRows) {
    if (!wanted.has(where)) {
      made.remove();
      noiseRows.delete(where);
    }
  }
  const list = $("noise");
  drawn.forEach((made, i) => {
    if (!noiseRows.has(made.where)) noiseRows.set(made.where, noiseRow(made));
    const known = noiseRows.get(made.where);
    known.made = made;
    known.refresh();
    if (list.children[i] !== known) list.insertBefore(known, list.children[i] || null);
  });
  const left = both.run.drawn.length - drawn.length;
  say("noise-left-out", left > 0 ? `${left} more draws have no slider here.` : "");
  showProblems();
}
