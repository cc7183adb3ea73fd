"use strict";
// Runs a program that was exported from alignkit's typed program, on exact numbers. A node is an object whose `t` says
// what it is and whose `l` is its line; the other fields have the names of the typed program.

class Tag {
  constructor(name) {
    this.name = name;
  }
  static of(name) {
    if (!Tag.known.has(name)) Tag.known.set(name, new Tag(name));
    return Tag.known.get(name);
  }
}
Tag.known = new Map();

class Members {
  constructor(items) {
    this.items = items;
  }
}

const NOISE = Symbol("noise");
const MOST_ITERATIONS = 50000;
const MOST_ITEMS = 10000; // of a list that a function makes
const MOST_POINTS = 1000000; // the bound of Python's lattice_points

const BREAK = { jump: "break" };

// The value of a JSON constant: a fraction as text, a Boolean, or a tag.
function constant(value) {
  if (typeof value === "string") return parsed(value);
  if (typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map(constant);
  if (value.bits) return new Bits(value.bits.map(([base, factor]) => [parsed(base), parsed(factor)]));
  return Tag.of(value.tag);
}

function same(a, b) {
  if (isNumber(a) && isNumber(b)) return order(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  return a === b;
}

// Two outputs: a float is the same as any number that rounding may exchange with it.
function alike(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => alike(x, b[i]));
  if (isNumber(a) && isNumber(b)) {
    return typeof a === "number" || typeof b === "number" ? nearlyEqual(a, b) : order(a, b) === 0;
  }
  return a === b;
}

const ARITHMETIC = { "+": added, "-": less, "*": times, "/": divided, "//": floorDivided, "%": remainder };
const ORDER = {
  "<": (o) => o < 0,
  "<=": (o) => o <= 0,
  ">": (o) => o > 0,
  ">=": (o) => o >= 0,
  "==": (o) => o === 0,
  "!=": (o) => o !== 0,
};

class Evaluator {
  // `context` supplies draws, H.name for an alignment, and the calls of mechanisms; `steps` is what happened, in order.
  constructor(functions, context) {
    this.functions = functions;
    this.context = context;
    this.path = [];
    this.iteration = [];
    this.outputs = [];
    this.emittedAt = [];
    this.emittedIn = [];
    this.comparisons = [];
    this.ticks = 0;
    this.steps = [];
  }

  call(body, parameters, values) {
    const names = new Map(parameters.map((name, i) => [name, values[i]]));
    const signal = this.block(body, names);
    return signal && signal.jump === "return" ? signal.value : null;
  }

  // `decides` is whether a step is output or a way; `filter` whether it is the filter of a comprehension.
  note(line, value, decides = false, filter = false) {
    if (!this.path.length) this.steps.push({ line, value, decides, filter });
  }

  tick() {
    if (++this.ticks > MOST_ITERATIONS) throw tooLong("the run is");
  }

  block(statements, names) {
    for (const statement of statements) {
      const signal = this.statement(statement, names);
      if (signal) return signal;
    }
    return null;
  }

  statement(node, names) {
    switch (node.t) {
      case "Assign": {
        this.bind(node.target, this.value(node.value, names), names, node.l);
        const bound = [node.target].flat(Infinity).map((name) => names.get(name));
        this.note(node.l, bound.length === 1 ? bound[0] : bound);
        return null;
      }
      case "If":
        return this.block(this.decide(node.test, names) ? node.then : node.other, names);
      case "For":
        return this.loop(node, names);
      case "Yield":
        this.emit(this.value(node.value, names), node.l);
        this.note(node.l, this.outputs[this.outputs.length - 1], true);
        return null;
      case "YieldFrom":
        {
          const values = this.value(node.value, names);
          for (const value of values) this.emit(value, node.l);
          this.note(node.l, values, true);
        }
        return null;
      case "Return": {
        const value = node.value === null ? null : this.value(node.value, names);
        this.endedAt = node.l;
        this.note(node.l, value, true);
        return { jump: "return", value };
      }
      case "Break":
        this.note(node.l, "", true);
        return BREAK;
      default:
        return null;
    }
  }

  emit(value, line) {
    this.outputs.push(value);
    this.emittedAt.push(line);
    this.emittedIn.push(this.iteration);
  }

  loop(node, names) {
    const items = this.sequence(node.iterable, names);
    for (const [index, item] of items.entries()) {
      this.tick();
      this.note(node.l, item);
      const signal = this.inside(index, () => {
        this.bind(node.target, item, names, node.l);
        return this.block(node.body, names);
      });
      if (signal === BREAK) return null;
      if (signal) return signal;
    }
    return null;
  }

  inside(index, run) {
    const outer = this.iteration;
    this.iteration = [...outer, index];
    try {
      return run();
    } finally {
      this.iteration = outer;
    }
  }

  bind(target, value, names, line) {
    if (typeof target === "string") {
      names.set(target, value);
      return;
    }
    if (!Array.isArray(value) || value.length !== target.length) {
      throw new Undefined(`cannot unpack this into ${target.length}`, line);
    }
    target.forEach((part, i) => this.bind(part, value[i], names, line));
  }

  value(node, names) {
    const method = EXPRESSIONS[node.t];
    if (!method) throw new Undefined(`this page does not know ${node.t}`, node.l);
    try {
      return method(this, node, names);
    } catch (problem) {
      if (problem instanceof Undefined && problem.line === undefined) problem.line = node.l;
      throw problem;
    }
  }

  number(node, names) {
    const value = this.value(node, names);
    if (!isNumber(value)) throw new Undefined("something else is used as a number", node.l);
    return value;
  }

  condition(node, names) {
    const value = this.value(node, names);
    if (typeof value !== "boolean") throw new Undefined("something else is used as a condition", node.l);
    return value;
  }

  decide(node, names) {
    const way = this.condition(node, names);
    this.note(node.l, way, true);
    return way;
  }

  compares(comparison) {
    if (this.comparisons.length < MOST_COMPARISONS) this.comparisons.push({ ...comparison, iteration: this.iteration });
  }

  // A filter of a comprehension decides on no output by itself.
  passes(node, names) {
    const way = this.condition(node, names);
    this.note(node.l, way, false, true);
    return way;
  }

  sequence(node, names) {
    const value = this.value(node, names);
    if (!Array.isArray(value)) throw new Undefined("something else is used as a list", node.l);
    return value;
  }

  // What runs inside another function: its steps are not shown.
  within(site, run) {
    const outer = this.path;
    this.path = [...outer, site];
    try {
      return run();
    } finally {
      this.path = outer;
    }
  }

  // The value of a mechanism that is called: a list of its outputs where it yields.
  inlined(node, values) {
    const callee = this.functions[node.function];
    const [outputs, emittedAt, emittedIn, endedAt] = [this.outputs, this.emittedAt, this.emittedIn, this.endedAt];
    [this.outputs, this.emittedAt, this.emittedIn] = [[], [], []];
    try {
      const returned = this.within(node.site, () => this.call(callee.body, callee.parameters, values));
      return callee.yields ? this.outputs : returned;
    } finally {
      [this.outputs, this.emittedAt, this.emittedIn, this.endedAt] = [outputs, emittedAt, emittedIn, endedAt];
    }
  }

  drawArguments(node, names) {
    if (node.distribution === "choice") {
      const weights = this.sequence(node.arguments[0], names);
      if (weights.some((w) => sign(w) < 0)) throw new Undefined(`a weight of ${node.name} is below 0`, node.l);
      if (!weights.some((w) => sign(w) > 0)) throw new Undefined(`no weight of ${node.name} is above 0`, node.l);
      return [weights];
    }
    const values = node.arguments.map((argument) => this.number(argument, names));
    const { parameters, above: least, below: most } = this.context.distributions[node.distribution];
    values.forEach((value, i) => {
      // A bound is a number, or a parameter that stands before this one.
      const bound = (text) => (parameters.includes(text) ? values[parameters.indexOf(text)] : parsed(text));
      const low = least[i] !== null && order(value, bound(least[i])) <= 0;
      if (!low && (most[i] === null || order(value, bound(most[i])) < 0)) return;
      const words = low ? `above ${least[i]}` : `below ${most[i]}`;
      throw new Undefined(`the ${parameters[i]} of ${node.name} must be ${words}`, node.l);
    });
    return values;
  }

  draw(node, values) {
    return this.context.draw(this, node, values);
  }

  comprehension(node, names, each) {
    const inner = new Map(names);
    for (const [index, item] of this.sequence(node.iterable, names).entries()) {
      this.tick();
      const go = this.inside(index, () => {
        this.bind(node.target, item, inner, node.l);
        return each(inner);
      });
      if (go === false) return;
    }
  }
}

function compared(operator, a, b, line) {
  switch (operator) {
    case "is not":
      return !compared("is", a, b, line);
    case "not in":
      return !compared("in", a, b, line);
    case "is":
      return a === b;
    case "in":
      return (b instanceof Members ? b.items : b).some((item) => same(a, item));
    default:
      if (isNumber(a) && isNumber(b)) return ORDER[operator](order(a, b));
      if (operator === "==") return same(a, b);
      if (operator === "!=") return !same(a, b);
      throw new Undefined(`${operator} compares what are not numbers`, line);
  }
}

function whole(value, line) {
  if (!(value instanceof Rational) || !value.whole) throw new Undefined("a number that is not whole", line);
  return Number(value.n);
}

function largest(values, k, line) {
  if (k < 1 || k > values.length) {
    throw new Undefined(`largest(values, ${k}) needs at least ${k} values, and there are ${values.length}`, line);
  }
  const indices = values.map((_, i) => i);
  return indices.sort((i, j) => order(values[j], values[i]) || i - j).slice(0, k).map((i) => rational(i));
}

function extreme(values, wanted, line) {
  if (!values.length) throw new Undefined("max or min of an empty list", line);
  return values.reduce((best, value) => (order(value, best) === wanted ? value : best));
}

function power(a, exponent, line) {
  if (!(exponent instanceof Rational) || !exponent.whole || positive(exponent.n) > LARGEST_EXPONENT) {
    throw new Undefined(`power takes a whole exponent up to ${LARGEST_EXPONENT}`, line);
  }
  return raised(a, Number(exponent.n));
}

function listOf(length, item) {
  if (length > MOST_ITEMS) throw tooLong("a list gets");
  return Array.from({ length: Math.max(0, Number(length)) }, (_, i) => item(i));
}

function latticePoints(low, high, spacing, line) {
  const exact = [low, high, spacing].map((x) => (typeof x === "number" ? fromFloat(x) : x));
  if (sign(spacing) <= 0 || order(divided(less(exact[1], exact[0]), exact[2]), rational(MOST_POINTS)) > 0) {
    throw new Undefined(`lattice_points needs a spacing above 0 and at most ${MOST_POINTS} points`, line);
  }
  const first = -negated(divided(exact[0], exact[2])).floor();
  const last = divided(exact[1], exact[2]).floor();
  return listOf(last - first + 1n, (i) => times(spacing, new Rational(first + BigInt(i))));
}

const only = (values) => (values.length === 1 && Array.isArray(values[0]) ? values[0] : values);

const CHOOSING = new Set(["largest", "max", "min"]); // some items of a list

const BUILTINS = {
  abs: ([a]) => absolute(a),
  clamp([a, low, high], line) {
    if (order(low, high) > 0) throw new Undefined("clamp needs low <= high", line);
    return order(a, low) < 0 ? low : order(a, high) > 0 ? high : a;
  },
  max: (values, line) => extreme(only(values), 1, line),
  min: (values, line) => extreme(only(values), -1, line),
  sum: (values) => only(values).reduce((a, b) => composed("+", a, b, added(a, b)), ZERO),
  any: ([values]) => values.some((x) => x),
  all: ([values]) => values.every((x) => x),
  power: ([a, exponent], line) => power(a, exponent, line),
  len: ([a]) => rational(a instanceof Members ? new Set(a.items.map(String)).size : a.length),
  range(values, line) {
    const [start, stop] = (values.length === 1 ? [ZERO, values[0]] : values).map((x) => whole(x, line));
    return listOf(stop - start, (i) => rational(start + i));
  },
  enumerate: ([values]) => values.map((value, i) => [rational(i), value]),
  zip: (lists) => Array.from({ length: Math.min(...lists.map((x) => x.length)) }, (_, i) => lists.map((x) => x[i])),
  largest: ([values, k], line) => largest(values, whole(k, line), line),
  lattice_points: ([low, high, spacing], line) => latticePoints(low, high, spacing, line),
};
for (const name of Object.keys(SPECIAL)) BUILTINS[name] = ([a]) => SPECIAL[name](a);

const EXPRESSIONS = {
  Constant: (run, node) => constant(node.value),
  Name(run, node, names) {
    if (!names.has(node.name)) throw new Undefined(`${node.name} has no value here`, node.l);
    return names.get(node.name);
  },
  Arithmetic(run, node, names) {
    const [a, b] = [run.number(node.left, names), run.number(node.right, names)];
    return composed(node.operator, a, b, ARITHMETIC[node.operator](a, b));
  },
  Negate(run, node, names) {
    const a = run.number(node.operand, names);
    return composed("-", ZERO, a, negated(a));
  },
  Not: (run, node, names) => !run.condition(node.operand, names),
  Connective(run, node, names) {
    const stop = node.operator === "or";
    return node.operands.some((operand) => run.condition(operand, names) === stop) ? stop : !stop;
  },
  Compare(run, node, names) {
    const [a, b] = [run.value(node.left, names), run.value(node.right, names)];
    if (isNumber(a) && isNumber(b)) run.compares({ node, a, b });
    return compared(node.operator, a, b, node.l);
  },
  Choice: (run, node, names) => run.value(run.condition(node.test, names) ? node.then : node.other, names),
  Builtin(run, node, names) {
    const over = node.arguments[0];
    if ((node.function === "any" || node.function === "all") && over.form === "generator") {
      const stop = node.function === "any";
      let result = !stop;
      run.comprehension(over, names, (inner) => {
        if (over.filters.every((test) => run.condition(test, inner)) && run.condition(over.element, inner) === stop) {
          result = stop;
        }
        return result !== stop;
      });
      return result;
    }
    const values = node.arguments.map((argument) => run.value(argument, names));
    const result = BUILTINS[node.function](values, node.l);
    const [list, k] = values;
    if (CHOOSING.has(node.function) && Array.isArray(list) && list.every(isNumber)) {
      run.compares({ node, list, count: k ? Number(k.n) : 1, smallest: node.function === "min" });
    }
    return result;
  },
  Call(run, node, names) {
    const callee = run.functions[node.function];
    const values = node.arguments.map((argument) => run.value(argument, names));
    const endedAt = run.endedAt;
    try {
      return run.within(node.site, () => run.call(callee.body, callee.parameters, values));
    } finally {
      run.endedAt = endedAt;
    }
  },
  MechanismCall: (run, node, names) =>
    run.context.mechanismCall(run, node, node.arguments.map((argument) => run.value(argument, names))),
  Item(run, node, names) {
    const values = run.sequence(node.sequence, names);
    const index = whole(run.number(node.index, names), node.l);
    if (index < -values.length || index >= values.length) {
      throw new Undefined(`index ${index} is out of range for ${values.length} items`, node.l);
    }
    return values[index < 0 ? values.length + index : index];
  },
  Sequence: (run, node, names) => node.items.map((item) => run.value(item, names)),
  Joined: (run, node, names) => node.parts.flatMap((part) => run.sequence(part, names)),
  IndexSet: (run, node, names) => new Members(node.items.map((item) => run.number(item, names))),
  Comprehension(run, node, names) {
    const values = [];
    run.comprehension(node, names, (inner) => {
      if (node.filters.every((test) => run.passes(test, inner))) values.push(run.value(node.element, inner));
    });
    return node.form === "set" ? new Members(values) : values;
  },
  Draw: (run, node, names) => run.draw(node, run.drawArguments(node, names)),
  NoiseValue: (run, node) => run.context.noiseValue(node.name, node.l),
  // Limits stand beside the shifts; where `given` is 0 there is none.
  ShiftExpression(run, node, names) {
    const shifts = node.shifts.map(({ name, l, value }) => ({ name, line: l, value: run.value(value, names) }));
    const limits = node.limits.map(({ name, l, form, value, given }) => {
      return { name, line: l, form, limit: run.value(value, names), given: run.value(given, names) };
    });
    return [...shifts, ...limits];
  },
};
