"use strict";
// What a claim speaks of: values within the domains and on the lattices of their parameters, and adjacent databases.

const declaredNumber = (declared, values) => (declared in values ? values[declared] : parsed(declared));

// A sensitivity is a number, the name of a parameter, or a number times one: "2 * delta".
function sensitivityOf(mechanism, name, values) {
  const [declared, factor] = mechanism.sensitivity[name].split(" * ").reverse();
  const unit = declaredNumber(declared, values);
  return factor === undefined ? unit : times(parsed(factor), unit);
}

function latticeOf(mechanism, name, values) {
  const declared = mechanism.lattices[name];
  return declared === undefined ? null : declaredNumber(declared, values);
}

const labelled = (name, value, i) => (Array.isArray(value) ? `${name}[${i}]` : name);

// What is wrong with a value of a parameter: what it must be, and what it is; null where nothing is.
function misfit(mechanism, name, number, values) {
  const kind = mechanism.parameters[name];
  if (kind.integer && !(number.whole && number.n >= 1n)) {
    return ["it must be a whole number, at least 1", "is no whole number of at least 1"];
  }
  if (kind.positive && sign(number) <= 0) return ["it must be above 0", "is not above 0"];
  if (kind.proportion && order(number, ONE) >= 0) return ["it must be below 1", "is not below 1"];
  return offLattice(mechanism, name, number, values);
}

function offLattice(mechanism, name, number, values) {
  const lattice = latticeOf(mechanism, name, values);
  if (lattice === null || (sign(lattice) > 0 && divided(number, lattice).whole)) return null;
  return [`it must be a multiple of ${shown(lattice)}`, `is no multiple of ${mechanism.lattices[name]}`];
}

// What is outside the claim, and whether both runs can be shown all the same; null where nothing is outside.
function outsideClaim(exported, values, values_) {
  const { mechanism } = exported;
  const stop = (words) => ({ words, runs: false });
  for (const name of Object.keys(mechanism.parameters)) {
    for (const [i, number] of answersOf(values[name]).entries()) {
      const wrong = misfit(mechanism, name, number, values);
      if (wrong) return stop(`${labelled(name, values[name], i)} ${wrong[1]}`);
    }
  }
  for (const name of mechanism.private) {
    const bound = sensitivityOf(mechanism, name, values);
    const others = answersOf(values_[name]);
    for (const [i, answer] of answersOf(values[name]).entries()) {
      const change = less(others[i], answer);
      const label = labelled(name, values[name], i);
      const wrong = offLattice(mechanism, name, others[i], values);
      if (wrong) return stop(`the change of ${label} ${wrong[1]}`);
      if (order(absolute(change), bound) > 0) {
        return stop(`${label} changes by ${shown(change)}, more than the sensitivity ${shown(bound)}`);
      }
    }
  }
  const why = whyNotAdjacent(exported, values, values_);
  return why ? { words: `D and D′ are not adjacent, since ${why}`, runs: true } : null;
}

// Why changes within the sensitivity do not make adjacent inputs; an empty text where they do.
function whyNotAdjacent(exported, values, values_) {
  const { mechanism, alignment } = exported;
  const changes = [];
  const bounds = [];
  for (const name of mechanism.private) {
    const bound = sensitivityOf(mechanism, name, values);
    const others = answersOf(values_[name]);
    for (const [i, answer] of answersOf(values[name]).entries()) {
      changes.push(less(others[i], answer));
      bounds.push(bound);
    }
  }
  const moving = changes.filter((change) => sign(change) !== 0);
  if (alignment.adjacency === "one" && moving.length > 1) return "more than one answer changes; adjacency is one";
  const few = /^few\((\w+)\)$/.exec(alignment.adjacency);
  if (few && order(rational(moving.length), declaredNumber(few[1], values)) > 0) {
    return `more than ${shown(declaredNumber(few[1], values))} answers change; adjacency is ${alignment.adjacency}`;
  }
  if (alignment.adjacency === "monotone" && new Set(moving.map(sign)).size > 1) {
    return "some answers rise and others fall; adjacency is monotone";
  }
  if (alignment.adjacency === "l1") {
    const total = changes.map(absolute).reduce(added, ZERO);
    const bound = bounds.reduce((a, b) => (order(a, b) < 0 ? a : b));
    if (order(total, bound) > 0) return `the changes add up to ${shown(total)}, more than ${shown(bound)}`;
  }
  return "";
}
