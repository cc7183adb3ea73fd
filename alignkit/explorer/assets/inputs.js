"use strict";
// The inputs: rows for the public parameters, for the answers on D and for their changes.

const MOST_ANSWERS = 12;
const QUARTER = rational(1, 4);

const whole_ = (name) => exported().mechanism.parameters[name].integer;

function valuesOnDPrime() {
  const other = { ...state.values };
  for (const name of exported().mechanism.private) {
    const [value, change] = [state.values[name], state.changes[name]];
    other[name] = Array.isArray(value) ? value.map((answer, i) => added(answer, change[i])) : added(value, change);
  }
  return other;
}

function wrongValue(name, number) {
  const wrong = misfit(exported().mechanism, name, number, state.values);
  if (wrong) return wrong[0];
  return whole_(name) && number.n > 50n ? "this page takes at most 50" : "";
}

function unitOf(name) {
  const lattice = latticeOf(exported().mechanism, name, state.values);
  if (lattice !== null && sign(lattice) > 0) return lattice;
  return whole_(name) ? ONE : QUARTER;
}

const larger = (a, b) => (order(a, b) > 0 ? a : b);
const farthest = (unit) => larger(rational(10), times(unit, rational(10)));

// A place for a number: in a list, or under a name.
function placeOf(held, name, i) {
  const list = i === null ? held : held[name];
  const key = i === null ? name : i;
  return { get: () => list[key], set: (number) => (list[key] = number) };
}

function row(label, place, options, wrong, kind = "") {
  const take = (number) => {
    const problem = wrong(number);
    if (!problem) place.set(number);
    return problem;
  };
  return inputRow(label, { value: place.get, options, take, row: kind });
}

function publicRow(name) {
  const kind = exported().mechanism.parameters[name];
  const options = () => {
    if (kind.proportion) return { low: rational(1, 20), high: rational(19, 20), unit: rational(1, 20) };
    const unit = unitOf(name);
    const far = kind.positive ? larger(rational(kind.integer ? 6 : 5), times(unit, rational(5))) : farthest(unit);
    return { low: kind.positive ? unit : negated(far), high: far, unit };
  };
  const given = state.values[name];
  if (given instanceof Bits) {
    return [element("p", { class: "note" }, element("code", {}, name), ` is ${given}`)];
  }
  const one = (i) =>
    row(labelled(name, given, i), placeOf(state.values, name, i), options, (number) => wrongValue(name, number));
  return Array.isArray(given) ? given.map((_, i) => one(i)) : [one(null)];
}

function answerRows(name) {
  const { mechanism } = exported();
  const given = state.values[name];
  const bound = () => sensitivityOf(mechanism, name, state.values);
  const ofAnswer = () => ({ low: negated(farthest(unitOf(name))), high: farthest(unitOf(name)), unit: unitOf(name) });
  const ofChange = () => {
    const [unit, quarter] = [unitOf(name), divided(bound(), rational(4))];
    const finer = latticeOf(mechanism, name, state.values) === null && order(quarter, unit) < 0;
    return { low: negated(bound()), high: bound(), unit: finer ? quarter : unit };
  };
  const wrongChange = (number) => {
    if (order(absolute(number), bound()) > 0) return `it may be at most ${shown(bound())}`;
    const wrong = offLattice(mechanism, name, number, state.values);
    return wrong ? wrong[0] : "";
  };
  return answersOf(given).flatMap((_, index) => {
    const i = Array.isArray(given) ? index : null;
    const label = labelled(name, given, i);
    const changed = row(`change of ${label}`, placeOf(state.changes, name, i), ofChange, wrongChange, "change");
    return [row(label, placeOf(state.values, name, i), ofAnswer, (number) => wrongValue(name, number)), changed];
  });
}

const vectors = () => exported().mechanism.private.map((name) => state.values[name]).filter(Array.isArray);

function resized(by) {
  for (const name of Object.keys(exported().mechanism.parameters)) {
    for (const list of [state.values[name], state.changes[name]].filter(Array.isArray)) {
      if (by > 0) list.push(list === state.changes[name] ? ZERO : list.length ? list[list.length - 1] : ZERO);
      else if (list.length > 1) list.pop();
    }
  }
  state.touched = true;
  buildInputs();
  update();
}

function buildInputs() {
  const { mechanism } = exported();
  const public_ = Object.keys(mechanism.parameters).filter((name) => !mechanism.private.includes(name));
  $("public").replaceChildren(...public_.flatMap(publicRow));
  $("answers").replaceChildren(...mechanism.private.flatMap(answerRows));
  const sizes = vectors().map((list) => list.length);
  $("more").hidden = $("fewer").hidden = sizes.length === 0;
  enable("more", sizes.every((size) => size < MOST_ANSWERS));
  enable("fewer", sizes.some((size) => size > 1));
  showProblems();
}

// The units and the ends of the sliders follow the parameters that give lattices and sensitivities.
function refreshInputs() {
  document.querySelectorAll("#public .input, #answers .input").forEach((each) => each.refresh());
}
