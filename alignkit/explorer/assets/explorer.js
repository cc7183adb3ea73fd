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

function recompute() {
  state.both = null;
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
    state.both = both;
  } catch (problem) {
    showNothing();
    showWords(wordsFor(problem), "");
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

function load(number) {
  state.variant = number;
  const { start, words, above: verdict } = variant();
  const { mechanism } = exported();
  const given = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, constant(value)]));
  state.values = given(start.values);
  const other = given(start.values_);
  state.changes = {};
  for (const name of mechanism.private) {
    const one = state.values[name];
    state.changes[name] = Array.isArray(one) ? one.map((x, i) => less(other[name][i], x)) : less(other[name], one);
  }
  state.noise = new Map(Object.entries(start.noise).map(([where, value]) => [where, constant(value)]));
  state.step = null;
  state.hand = null;
  state.touched = false;
  forgetRows();
  say("above", verdict);
  say("variant", words);
  document.querySelectorAll("#variants button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === number));
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
