"use strict";
// Both runs of an alignment: D on H, then D′ on φ(H); what the shifts cost, and which condition of the proof fails.

class Stopped extends Error {
  // D′ leaves the noise that D drew.
  constructor(problem, line) {
    super(problem);
    this.line = line;
  }
}

const written = (key, index) => key + index.map((i) => `[${i}]`).join("");

// Noise by the names of the draws: a number, or lists over the iterations, with null where nothing was drawn.
function byName(drawn) {
  const names = new Map();
  for (const { key, index, value } of drawn) {
    if (!index.length) {
      names.set(key, value);
      continue;
    }
    if (!names.has(key)) names.set(key, []);
    let list = names.get(key);
    for (const [depth, i] of index.entries()) {
      while (list.length <= i) list.push(null);
      if (depth === index.length - 1) list[i] = value;
      else list = list[i] = list[i] || [];
    }
  }
  return names;
}

class Drawing {
  constructor(mechanism, distributions) {
    this.keys = new Map(mechanism.draws.map((draw) => [[...draw.path, draw.site].join(), draw.key]));
    this.distributions = distributions;
    this.drawn = [];
    this.calls = new Map();
  }

  draw(run, node, values) {
    const key = this.keys.get([...run.path, node.site].join());
    const made = {
      key,
      index: run.iteration,
      where: written(key, run.iteration),
      distribution: this.distributions[node.distribution],
      values,
      line: node.l,
    };
    made.value = this.supply(made);
    this.drawn.push(made);
    return sourced(made.value, { name: made.where, made });
  }

  mechanismCall(run, node, values) {
    const first = this.drawn.length;
    const output = run.inlined(node, values);
    const place = [...run.path, node.site, "/", ...run.iteration].join();
    this.calls.set(place, { values, output, drawn: this.drawn.slice(first) });
    return output;
  }
}

class OnD extends Drawing {
  // Noise from `noiseFor`, a function of a draw.
  constructor(mechanism, distributions, noiseFor) {
    super(mechanism, distributions);
    this.noiseFor = noiseFor;
  }

  supply(made) {
    return this.noiseFor(made);
  }
}

class OnDPrime extends Drawing {
  constructor(exported, run, noise) {
    super(exported.mechanism, exported.distributions);
    this.expected = new Map(run.drawn.map((made) => [made.where, made]));
    this.noise = noise;
    this.exported = exported;
    this.run = run;
    this.lemmas = exported.alignment.lemmas;
    this.moved = new Map();
    this.outside = "";
  }

  supply(made) {
    const expected = this.expected.get(made.where);
    if (!expected) throw new Stopped(`D′ draws ${made.where}, but D does not`, made.line);
    if (expected.distribution !== made.distribution || !same(expected.values, made.values)) {
      const parts = [expected, made].map((x) => `${x.distribution.name}(${x.values.map(shown).join(", ")})`);
      throw new Stopped(`D draws ${made.where} from ${parts[0]} and D′ from ${parts[1]}`, made.line);
    }
    return this.noise.get(made.where);
  }

  mechanismCall(run, node, values) {
    const lemma = this.lemmas.find((candidate) => candidate.callee === node.callee);
    if (!lemma) return run.inlined(node, values);
    const path = [...run.path, node.site];
    const onD = this.run.calls.get([...path, "/", ...run.iteration].join());
    if (!onD) throw new Stopped(`D′ makes a call at line ${node.l}, but D does not`, node.l);
    for (const [where, shift] of this.shiftsOfCall(lemma, onD, values, path, run.iteration.length)) {
      this.moved.set(where, shift);
      this.noise.set(where, added(this.expected.get(where).value, shift));
    }
    const outer = this.lemmas;
    this.lemmas = lemma.alignment.lemmas;
    try {
      return run.inlined(node, values);
    } finally {
      this.lemmas = outer;
    }
  }

  // How the lemma moves the noise of a call.
  shiftsOfCall(lemma, onD, values, path, depth) {
    const { mechanism } = lemma;
    const arguments_ = (list) =>
      Object.fromEntries(mechanism.order.map((name, i) => [name, list[i]]).filter(([name]) => name !== mechanism.noise));
    const [one, other] = [arguments_(onD.values), arguments_(values)];
    if (Object.keys(one).every((name) => same(one[name], other[name]))) {
      return onD.drawn.map((made) => [made.where, ZERO]);
    }
    const inside = this.exported.mechanism.draws.filter((draw) => path.every((site, i) => draw.path[i] === site));
    const own = new Map(inside.map((draw, i) => [draw.key, mechanism.draws[i].key]));
    const renamed = onD.drawn.map((made) => {
      const [key, index] = [own.get(made.key), made.index.slice(depth)];
      return { ...made, key, index, where: written(key, index), outer: made.where };
    });
    const inner = { mechanism, alignment: lemma.alignment, functions: this.exported.functions };
    try {
      const limited = (limits) => {
        const broken = brokenLimit(limits);
        if (broken) this.outside = this.outside || `in the call of ${mechanism.name}, ${broken}`;
      };
      const shifts = shiftsFor(inner, one, other, { output: onD.output, drawn: renamed }, limited).shifts;
      return renamed.map((made) => [made.outer, shifts.get(made.where)]);
    } catch (problem) {
      if (problem instanceof Undefined) throw new Stopped(`the lemma is not defined here: ${problem.message}`, node.l);
      throw problem;
    }
  }
}

function runProgram(exported, values, context) {
  const { mechanism } = exported;
  const run = new Evaluator(exported.functions, context);
  const given = (name) => {
    if (!mechanism.private.includes(name)) return name === mechanism.noise ? NOISE : values[name];
    const answer = (value, i) => sourced(value, { name: labelled(name, values[name], i) });
    return Array.isArray(values[name]) ? values[name].map(answer) : answer(values[name]);
  };
  const names = mechanism.order.map(given);
  const result = { ended: "ends", problem: "", line: null, stopped: false, defined: true, returned: null };
  const names_ = new Map(mechanism.order.map((name, i) => [name, names[i]]));
  try {
    const signal = run.block(mechanism.body, names_);
    if (signal && signal.jump === "return") result.returned = signal.value;
    result.line = run.endedAt === undefined ? null : run.endedAt;
  } catch (problem) {
    if (!(problem instanceof Undefined) && !(problem instanceof Stopped)) throw problem;
    result.stopped = problem instanceof Stopped;
    result.defined = false;
    result.problem = problem.message;
    result.ended = `stops: ${problem.message}`;
    result.line = problem.line;
  }
  result.output = mechanism.yields ? run.outputs : result.returned;
  result.emittedAt = mechanism.yields ? run.emittedAt : [result.line];
  Object.assign(result, { steps: run.steps, comparisons: run.comparisons, emittedIn: run.emittedIn });
  result.drawn = context.drawn;
  result.calls = context.calls;
  return result;
}

// The limits of each coordinate that D drew, one draw after the other.
function limitsFor(returned, run, line) {
  const limits = returned.filter((stated) => stated.limit !== undefined);
  const before = [];
  return run.drawn.flatMap((made) =>
    limits.filter(({ name }) => made.key === name).flatMap(({ form, limit, given }) => {
      let [value, counts] = [limit, given];
      for (const i of made.index) {
        if (!Array.isArray(value) || i >= value.length) {
          throw new Undefined(`no limit for ${made.where}, which D draws`, line);
        }
        [value, counts] = [value[i], Array.isArray(counts) ? counts[i] : counts];
      }
      if (sign(counts) === 0) return [];
      const stated = { where: made.where, form, value, drawn: made.value };
      if (form !== "distinct") {
        const way = order(made.value, value);
        return [{ ...stated, broken: form === "below" ? way >= 0 : way <= 0 }];
      }
      // Lists of different draws and iterations are apart.
      const own = { where: made.where, list: [made.key, ...made.index.slice(0, -1)].join(), sum: added(made.value, value) };
      const same = before.find(({ list, sum }) => list === own.list && order(sum, own.sum) === 0);
      if (!same) before.push(own);
      return [{ ...stated, sum: own.sum, broken: same !== undefined, other: same && same.where }];
    }),
  );
}

// The first limit that is broken, in words; "" where none is.
function brokenLimit(limits) {
  const first = limits.find(({ broken }) => broken);
  if (!first) return "";
  const { where, form, value, drawn, other, sum } = first;
  return form === "distinct"
    ? `${other} and ${where} give one sum, ${shown(sum)}, and are to be distinct`
    : `${where} is ${shown(drawn)}, not ${form} its limit ${shown(value)}`;
}

// The limits and the shift of each coordinate that D drew; throws Undefined where the alignment gives none. `limited`
// is called with the limits before the shifts are looked at, which need not be defined where one is broken.
function shiftsFor(exported, values, values_, run, limited) {
  const { mechanism, alignment } = exported;
  const noise = byName(run.drawn);
  const context = {
    noiseValue(name, line) {
      if (!noise.has(name)) throw new Undefined(`H.${name} was not drawn on this run`, line);
      return noise.get(name);
    },
  };
  const given = { ...values, omega: run.output, H: null, direction: directionOf(mechanism, values, values_) };
  for (const name of mechanism.private) given[`${name}_`] = values_[name];
  const evaluator = new Evaluator(exported.functions, context);
  const returned = evaluator.call(alignment.body, alignment.parameters, alignment.parameters.map((n) => given[n]));
  limited(limitsFor(returned, run, alignment.line));
  const stated = new Map(returned.filter((each) => each.limit === undefined).map((shift) => [shift.name, shift]));
  const shifts = new Map();
  for (const { key, index, where } of run.drawn) {
    let value = stated.has(key) ? stated.get(key).value : ZERO;
    if (stated.has(key)) {
      for (const i of index) {
        if (!Array.isArray(value)) throw new Undefined(`${key} needs a list of shifts`, alignment.line);
        if (i >= value.length) throw new Undefined(`no shift for ${where}, which D draws`, alignment.line);
        value = value[i];
      }
      if (!isNumber(value)) throw new Undefined(`the shift of ${where} is not a number`, alignment.line);
    }
    shifts.set(where, value);
  }
  return { shifts, lines: new Map([...stated].map(([name, shift]) => [name, shift.line])) };
}

const answersOf = (value) => (Array.isArray(value) ? value : [value]);

function changesOf(mechanism, values, values_) {
  return mechanism.private.flatMap((name) => {
    const others = answersOf(values_[name]);
    return answersOf(values[name]).map((answer, i) => less(others[i], answer));
  });
}

const directionOf = (mechanism, values, values_) =>
  changesOf(mechanism, values, values_).some((change) => sign(change) < 0) ? MINUS_ONE : ONE;

// Whether a distribution can give a number.
function inSupport(made, value) {
  const { support } = made.distribution;
  if (support.interval) {
    const end = order(value, made.values[1]);
    if (order(value, made.values[0]) < 0 || end > 0 || (end === 0 && support.lattice === null)) return false;
  }
  if (support.oneSided && sign(value) < 0) return false;
  if (support.indices) {
    return value.whole && Number(value.n) < made.values[0].length && sign(made.values[0][Number(value.n)]) > 0;
  }
  if (support.lattice === null) return true;
  const steps = divided(value, made.values[support.lattice]);
  return steps instanceof Rational ? steps.whole : nearlyEqual(steps, Math.round(steps));
}

function costOf(exported, made, shift) {
  const { distribution, values, value } = made;
  if (distribution.support.indices) {
    if (!inSupport(made, added(value, shift))) return ZERO;
    const [one, other] = [values[0][Number(value.n)], values[0][Number(added(value, shift).n)]];
    return order(one, other) === 0 ? ZERO : Math.log(float(one)) - Math.log(float(other));
  }
  const node = distribution.downward && sign(shift) < 0 ? distribution.downward : distribution.cost;
  const names = new Map([["x", value], ["shift", shift]]);
  distribution.parameters.forEach((name, i) => names.set(name, values[i]));
  return new Evaluator(exported.functions, {}).value(node, names);
}

function claimOf(exported, values, output) {
  const names = new Map([...Object.entries(values), ["omega", output]]);
  return new Evaluator(exported.functions, {}).value(exported.alignment.claim, names);
}

// D on the noise that `noiseFor` gives for each draw, then D′ on the shifted noise.
function runBoth(exported, values, values_, noiseFor) {
  const run = runProgram(exported, values, new OnD(exported.mechanism, exported.distributions, noiseFor));
  const both = { run, run_: null, shifts: new Map(), noise_: new Map() };
  Object.assign(both, { costs: [], cost: null, claim: null, atLeast: false, limits: [], outside: "" });
  // Where a limit is broken, delta pays, and no condition is owed.
  const fail = (condition, words, line) => ({ ...both, violation: both.outside ? null : { condition, words, line } });
  if (run.defined || !exported.alignment.exPost) both.claim = claimOf(exported, values, run.output);
  if (!run.defined) return fail("termination", `D has no output: ${run.problem}`, run.line);
  let aligned;
  try {
    aligned = shiftsFor(exported, values, values_, run, (limits) => {
      both.limits = limits;
      both.outside = brokenLimit(limits);
    });
  } catch (problem) {
    if (!(problem instanceof Undefined)) throw problem;
    return fail("same_output", `the alignment is not defined for this run: ${problem.message}`, problem.line);
  }
  const settle = (shifts) => {
    both.shifts = shifts;
    both.noise_ = new Map(run.drawn.map((made) => [made.where, added(made.value, shifts.get(made.where))]));
    both.costs = run.drawn.map((made) => ({ made, cost: costOf(exported, made, shifts.get(made.where)) }));
    both.cost = both.costs.map(({ cost }) => cost).reduce(added, ZERO);
    both.atLeast = run.drawn.some((made) => made.distribution.downward && sign(shifts.get(made.where)) < 0);
    return run.drawn.find((made) => !inSupport(made, both.noise_.get(made.where)));
  };
  const invalid = (made) => {
    const line = aligned.lines.get(made.key) || exported.alignment.line;
    const value = shown(both.noise_.get(made.where));
    return fail("valid_noise", `the aligned ${made.where} is ${value}, which its noise cannot be`, line);
  };
  let wrong = settle(aligned.shifts);
  if (wrong) return invalid(wrong);
  const context = new OnDPrime(exported, run, new Map(both.noise_));
  both.run_ = runProgram(exported, values_, context);
  both.outside = both.outside || context.outside;
  if (context.moved.size) {
    wrong = settle(new Map([...aligned.shifts, ...context.moved]));
    if (wrong) return invalid(wrong);
  }
  const parted = parting(exported, run, both.run_);
  if (parted) return fail(...parted);
  const { run_ } = both;
  if (run_.stopped) return fail("noise_used", run_.problem, run_.line);
  if (!run_.defined) return fail("same_output", `D′ has no output: ${run_.problem}`, run_.line);
  const used = new Set(run_.drawn.map((made) => made.where));
  const unused = run.drawn.find((made) => !used.has(made.where));
  if (unused) return fail("noise_used", `D draws ${unused.where}, but D′ does not`, unused.line);
  const inexact = typeof both.cost === "number" || typeof both.claim === "number";
  if (order(both.cost, both.claim) > 0 && !(inexact && nearlyEqual(both.cost, both.claim))) {
    const words = `the shifts cost ${costShown(both)}, more than the claim ${shown(both.claim)}`;
    return fail("cost", words, aligned.lines.get(dearest(both.costs)) || exported.alignment.line);
  }
  return { ...both, violation: null };
}

// Where noise such as Gumbel noise is shifted down, what its shifts cost is that or more.
const costShown = (both) => (both.atLeast ? "at least " : "") + shown(both.cost);

// The name of the draw whose shifts cost most together.
function dearest(costs) {
  const totals = new Map();
  for (const { made, cost } of costs) totals.set(made.key, added(totals.get(made.key) || ZERO, cost));
  return [...totals.keys()].reduce((best, key) => (order(totals.get(key), totals.get(best)) > 0 ? key : best));
}

// Where the outputs part, as a condition, words and a line; null where they do not.
function parting(exported, run, run_) {
  const [one, other] = [run.output, run_.output];
  if (!exported.mechanism.yields) {
    if (!run_.defined || alike(one, other)) return null;
    return ["same_output", `the output is ${shown(one)} on D and ${shown(other)} on D′`, run_.line || run.line];
  }
  for (let i = 0; i < Math.min(one.length, other.length); i += 1) {
    if (!alike(one[i], other[i])) {
      return ["same_output", `output[${i}] is ${shown(one[i])} on D and ${shown(other[i])} on D′`, run_.emittedAt[i]];
    }
  }
  if (other.length > one.length || (run_.defined && other.length < one.length)) {
    const longer = other.length > one.length ? run_ : run;
    const words = `D gives ${one.length} outputs and D′ ${other.length}`;
    return ["same_output", words, longer.emittedAt[Math.min(one.length, other.length)]];
  }
  return null;
}

// A value for people; "≈" stands before what is rounded.
function shown(value) {
  if (value === null || value === undefined) return "-";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return about(value);
  if (value instanceof Rational) return isShort(value) ? exactText(value) : about(value.float());
  if (value instanceof Tag) return value.name;
  if (value === NOISE) return "noise";
  if (value instanceof Members) return `{${value.items.map(shown).join(", ")}}`;
  if (Array.isArray(value)) return `(${value.map(shown).join(", ")}${value.length === 1 ? "," : ""})`;
  return String(value);
}

function about(x) {
  const short = Number(x.toPrecision(6));
  return short === x ? String(x) : `≈${short}`;
}

const isShort = (value) => value.whole ? positive(value.n) < 10n ** 15n : exactText(value).length <= 9;

// A fraction as a decimal of at most three places, where it is one.
function exactText(value) {
  if (value.whole || (1000n * value.n) % value.d !== 0n) return value.toString();
  const digits = positive((1000n * value.n) / value.d).toString().padStart(4, "0");
  const text = `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/0+$/, "");
  return value.n < 0n ? `-${text}` : text;
}

// The steps of both runs side by side; `parts` marks the first at which they differ in what they decide. The filters of
// a comprehension may be fewer on one side.
function pairedSteps(run, run_) {
  const other = run_ ? run_.steps : [];
  const rows = [];
  let together = run_ !== null;
  let [i, j] = [0, 0];
  while (i < run.steps.length || j < other.length) {
    const [a, b] = [run.steps[i], other[j]];
    const lone = together && a !== undefined && b !== undefined && a.filter !== b.filter;
    if (lone) {
      rows.push({ one: a.filter ? a : undefined, other: b.filter ? b : undefined, parts: false });
      if (a.filter) i += 1;
      else j += 1;
      continue;
    }
    let alikeHere = a !== undefined && b !== undefined && a.line === b.line && a.decides === b.decides;
    if (alikeHere && a.decides) alikeHere = alike(a.value, b.value);
    rows.push({ one: a, other: b, parts: together && !alikeHere });
    together = together && alikeHere;
    i += 1;
    j += 1;
  }
  return rows;
}
