"use strict";
// The page: what a reader has chosen, both runs for it, and the variants.

const PAGE = JSON.parse(document.getElementById("page-data").textContent);
const state = {
  variant: 0, values: {}, changes: {}, noise: new Map(), step: null, seed: 1, both: null, rows: [], touched: false,
  hand: null,
};
const variant = () => PAGE.variants[state.variant];

// The program of a variant is written down as what differs from the alignment as it is.
function exported() {
  const shown = variant();
  if (!shown.exported) {
    shown.exported = structuredClone(PAGE.variants[0].exported);
    for (const [path, value] of shown.changes) {
      const last = path.pop();
      path.reduce((part, key) => part[key], shown.exported)[last] = value;
    }
  }
  return shown.exported;
}

function goTo(step) {
  state.step = step;
  showSteps();
}

// What is said of a change, and whether the inputs show what it breaks.
function showChange(fails) {
  const { words, changes } = variant();
  say("variant", changes ? `${words}${fails ? "; the inputs are a counterexample" : ""}.` : words);
}

function recompute() {
  state.both = null;
  let fails = false;
  try {
    refreshInputs();
    const other = valuesOnDPrime();
    const outside = outsideClaim(exported(), state.values, other);
    if (outside && !outside.runs) {
      showNothing();
      showVerdict(null, outside);
      return;
    }
    const both = runBoth(exported(), state.values, other, noiseFor);
    state.rows = pairedSteps(both.run, both.run_);
    buildNoise(both);
    showAtOnce(both);
    showOutput(both);
    showArrows(both);
    showCompared(both);
    showInHand(both);
    showCosts(both);
    showSteps();
    showVerdict(both, outside);
    fails = failureOf(both, outside) !== null;
    state.both = both;
  } catch (problem) {
    showNothing();
    showWords(wordsFor(problem), "");
  } finally {
    showChange(fails);
  }
}

function wordsFor(problem) {
  if (problem instanceof TooLong) return problem.message;
  if (problem instanceof Undefined) return `outside the claim: ${problem.message}`;
  return `this page cannot compute these runs: ${problem.message}`;
}

// Both runs are made at most once in a frame.
const frame = { busy: false, again: false };

function update() {
  if (frame.busy) {
    frame.again = true;
    return;
  }
  frame.busy = true;
  recompute();
  requestAnimationFrame(() => {
    frame.busy = false;
    if (frame.again) {
      frame.again = false;
      update();
    }
  });
}

// Variants

// The inputs and the noise that a reader had where a break went to its counterexample; null where none did.
let left = null;

function sceneOf({ start }) {
  const given = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, constant(value)]));
  const [values, other] = [given(start.values), given(start.values_)];
  const changes = {};
  for (const name of exported().mechanism.private) {
    const one = values[name];
    changes[name] = Array.isArray(one) ? one.map((x, i) => less(other[name][i], x)) : less(other[name], one);
  }
  const noise = new Map(Object.entries(start.noise).map(([where, value]) => [where, constant(value)]));
  return { values, changes, noise };
}

const NEARBY = 8; // noise vectors that are tried near one

// The noise of a draw, moved a little where it is continuous.
function noiseNear(made) {
  const value = noiseFor(made);
  const { indices, lattice } = made.distribution.support;
  const near = added(value, rational(Math.round((randomUnit() - 0.5) * 2000), 1000000));
  return !indices && lattice === null && inSupport(made, near) ? near : value;
}

// Whether the inputs and the noise on the page refute the variant: not by a tie alone, which has probability 0, and not
// because the alignment says nothing of them.
function refutedHere() {
  try {
    const other = valuesOnDPrime();
    const outside = outsideClaim(exported(), state.values, other);
    const failing = (noise) => {
      const both = runBoth(exported(), state.values, other, noise);
      const fails = failureOf(both, outside);
      return fails && both.cost !== null ? fails.condition : null;
    };
    const condition = outside ? null : failing(noiseFor);
    return condition !== null && [...Array(NEARBY)].every(() => failing(noiseNear) === condition);
  } catch {
    return false;
  }
}

// A button keeps the inputs where they refute its variant, and else goes to the counterexample; the first goes back.
// One that is pressed already goes to the inputs that it has on opening.
function load(number) {
  const again = state.variant === number;
  const { values, changes, noise } = state;
  state.variant = number;
  state.noise = new Map(noise);
  state.touched = true;
  if (number === 0 && !again) {
    Object.assign(state, left);
    left = null;
  } else if (again || !refutedHere()) {
    left = number === 0 ? null : left || { values, changes, noise };
    Object.assign(state, sceneOf(variant()), { touched: false });
  }
  show();
}

function show() {
  state.step = null;
  forgetRows();
  say("above", variant().above);
  document.querySelectorAll("#variants button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === state.variant));
  });
  buildInputs();
  recompute();
}

function start() {
  $("variants").replaceChildren(
    ...PAGE.variants.map((each, i) =>
      element("button", { type: "button", "aria-pressed": "false", onclick: () => load(i) }, each.label),
    ),
  );
  $("break-it").hidden = !$("tried").textContent;
  onPress("more", () => resized(1));
  onPress("fewer", () => resized(-1));
  onPress("redraw", () => {
    state.noise.clear();
    state.touched = true;
    forgetRows();
    update();
  });
  window.addEventListener("resize", () => {
    if (state.both) [showArrows, showCompared, showInHand].forEach((show) => show(state.both));
  });
  $("step").addEventListener("input", () => goTo(Number($("step").value)));
  onPress("back", () => goTo(Number($("step").value) - 1));
  onPress("forward", () => goTo(Number($("step").value) + 1));
  onPress("to-difference", () => goTo(Number($("to-difference").dataset.step)));
  onPress("to-end", () => goTo(null));
  $("explorer").hidden = false;
  load(0);
}

start();
