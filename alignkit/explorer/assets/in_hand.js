"use strict";
// The density of the draw in hand, the same density moved by the shift, and the ratio that the shift costs.

const SAMPLES = 240; // points of a curve
const MOST_STEMS = 80; // on a lattice; above, a curve
const [DENSITY_TOP, DENSITY_BASE] = [18, 138];

// The draw whose slider was used last; else the first that is moved.
function drawInHand({ run, shifts, costs }) {
  const known = costs.length ? run.drawn.filter(({ distribution }) => distribution.name in LOG_DENSITIES) : [];
  const named = known.find(({ where }) => where === state.hand);
  return named || known.find(({ where }) => sign(shifts.get(where)) !== 0) || known[0] || null;
}

// Whose slider an element is part of.
function draws(part) {
  const slider = part.closest("[role=slider]");
  if (slider && slider.latest) return slider.latest.made.where;
  const row = [...noiseRows].find(([, made]) => made.contains(part));
  return row ? row[0] : null;
}

document.addEventListener("focusin", ({ target }) => {
  const where = draws(target);
  if (where === null || where === state.hand) return;
  state.hand = where;
  if (state.both) showInHand(state.both);
});

function roughly(x) {
  const short = Number(x.toPrecision(3));
  return short === x ? String(x) : `about ${short}`;
}

function inHandWords({ where, value, distribution, values }, shift, moved, cost, logDensity) {
  const { title, parameters, support, base, downward } = distribution;
  const given = parameters.map((name, i) => `${name} ${shown(values[i])}`);
  const noise = `${where} is ${title} noise with ${given.join(", ")}`;
  if (sign(shift) === 0) return `${noise}. It is not moved, which costs nothing.`;
  const what = support.lattice === null ? "density" : "probability";
  const there = logDensity(float(moved));
  const places = `${noise}, and is moved from ${shown(value)} to ${shown(moved)}`;
  if (there === -Infinity) return `${places}, where its ${what} is 0.`;
  const ratio = roughly(Math.exp(logDensity(float(value)) - there));
  const here = `${places}. Its ${what} at ${shown(value)} is ${ratio} times that at ${shown(moved)}`;
  if (downward && sign(shift) < 0) return `${here}. For noise that is moved down, this ratio has no bound.`;
  const most = `${base || "e"}^(${shown(cost)}), ${roughly((base || Math.E) ** float(cost))}`;
  return `${here}. Wherever both are possible, this ratio is at most ${most}, since the shift costs ${shown(cost)}.`;
}

function showInHand(both) {
  const made = drawInHand(both);
  $("in-hand").hidden = made === null;
  if (made === null) return;
  const { where, distribution, values, value } = made;
  const { support } = distribution;
  const [shift, moved] = [both.shifts.get(where), both.noise_.get(where)];
  const logDensity = logDensityOf(made);
  const { cost } = both.costs.find((each) => each.made.where === where);
  say("in-hand-words", inHandWords(made, shift, moved, cost, logDensity));
  const spread = 4 * spreadOf(made);
  const bounds = support.interval ? values.slice(0, 2).map(float) : [support.oneSided ? 0 : -spread, spread];
  const scale = scaleOf("density", [...bounds, ...bounds.map((end) => end + float(shift)), float(value), float(moved)]);
  const [low, high] = scale;
  const wide = Math.max(300, Math.min(640, $("density").clientWidth || 640));
  const [left, right] = [12, wide - 12];
  const unit = support.lattice === null ? (high - low) / SAMPLES : float(values[support.lattice]);
  const first = Math.ceil(low / unit);
  const count = Math.floor(high / unit) - first + 1;
  const each = Math.max(1, Math.ceil(count / (2 * SAMPLES)));
  const places = Array.from({ length: Math.ceil(count / each) }, (_, i) => (first + i * each) * unit);
  if (support.lattice === null) {
    // What has an edge is drawn with it.
    const edges = [0, ...bounds].flatMap((x) => [x, x + float(shift)]).filter((x) => x > low && x < high);
    places.push(...edges, ...edges.map((x) => x - (high - low) / 1e6));
    places.sort((a, b) => a - b);
  }
  const curves = [0, float(shift)].map((by) => places.map((x) => [x, Math.exp(logDensity(x - by))]));
  const peak = Math.max(...curves.flat().map(([, height]) => height), Math.exp(logDensity(float(value))));
  const at = (x) => left + Math.max(0, Math.min(1, (x - low) / (high - low))) * (right - left);
  const up = (height) => DENSITY_BASE - (height / peak) * (DENSITY_BASE - DENSITY_TOP);
  const stems = support.lattice !== null && count <= MOST_STEMS;
  const path = (points, aside) => {
    const stem = ([x, height]) => `M ${at(x) + aside} ${DENSITY_BASE} V ${up(height)}`;
    const point = ([x, height]) => `L ${at(x)} ${up(height)}`;
    return points.map(stems ? stem : point).join(" ").replace(/^L/, "M");
  };
  const [from, to] = [at(float(value)), at(float(moved))];
  const [here, there] = [value, moved].map((x) => up(Math.exp(logDensity(float(x)))));
  const still = [
    stroke("axis", left, right, DENSITY_BASE, DENSITY_BASE),
    drawing("path", { class: "density", d: path(curves[0], -2) }),
  ];
  if (sign(shift) !== 0) {
    still.push(
      drawing("path", { class: "density moved", d: path(curves[1], 2) }),
      stroke("arrow", from, to, here, here),
      stroke("ratio", to, to, here, there),
      drawing("circle", { class: "moved-dot", r: 5, cx: to, cy: here }),
      dot({ class: "dot under", r: 5, cx: to, cy: there }),
    );
  }
  const slider = {
    key: where,
    made,
    name: `${where}, under its density`,
    text: `${shown(value)}, moved to ${shown(moved)}`,
    x: from,
    y: here,
    shape: dot(),
    noisePerUnit: (high - low) / (right - left),
    scale,
  };
  const size = { viewBox: `0 0 ${wide} ${DENSITY_BASE + 24}`, width: wide };
  const shapes = [...still, ...ticks(low, high, at, DENSITY_BASE + 18)];
  showPicture("density", { ...size, "aria-label": `the density of ${where}` }, shapes, [slider]);
}

// About how far noise lies from 0.
function spreadOf({ distribution: { parameters }, values }) {
  if (parameters[0] === "rate") return 1 / (float(values[0]) * Math.LN2);
  return Math.max(0, ...values.map(float).filter((_, i) => parameters[i] === "scale" || parameters[i] === "period"));
}
