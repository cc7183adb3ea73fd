"use strict";
// The page: inputs by sliders or by typing, both runs, the arrows from H to H′, the costs, and what was broken.

const COLOURS = ["#4c8bd6", "#d98032", "#4fa866", "#b065b8", "#c9a227", "#5aa7a7", "#c05b6b", "#8a8a8a"];
const PAGE = JSON.parse(document.getElementById("page-data").textContent);
const state = { variant: 0, values: {}, changes: {}, noise: new Map(), step: null, seed: 1 };
const $ = (id) => document.getElementById(id);
const variant = () => PAGE.variants[state.variant];
const exported = () => variant().exported;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function drawing(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Numbers that a person or a slider gives

function read(text) {
  const value = parsed(text.replace("−", "-"));
  return value && value.n.toString().length + value.d.toString().length < 40 ? value : null;
}

// A slider with a box: `take` is called with each number that is given and returns what is wrong with it, if anything.
function inputRow(label, value, { low, high, step, row = "" }, take) {
  const range = element("input", { type: "range", "aria-label": `${label}, by slider`, min: low, max: high, step });
  const box = element("input", { type: "text", inputmode: "decimal", "aria-label": label, autocomplete: "off" });
  const show = (number) => {
    range.min = Math.min(range.min, number.float());
    range.max = Math.max(range.max, number.float());
    range.value = number.float();
    if (document.activeElement !== box) box.value = exactText(number);
    box.removeAttribute("aria-invalid");
  };
  const given = (number, from) => {
    const wrong = number === null ? "write a number such as 3, 0.7 or 1/3" : take(number);
    box.toggleAttribute("aria-invalid", false);
    if (wrong) box.setAttribute("aria-invalid", "true");
    say("input-problem", wrong ? `${label}: ${wrong}` : "");
    if (!wrong) {
      if (from === range) box.value = exactText(number);
      show(number);
      update();
    }
  };
  range.addEventListener("input", () => given(fromFloat(Number(range.value)), range));
  box.addEventListener("input", () => given(read(box.value), box));
  show(value);
  const made = element("div", { class: `input ${row}` }, element("label", {}, element("code", {}, label)), range, box);
  made.show = show;
  return made;
}

function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// Inputs

function valuesOnDPrime() {
  const { mechanism } = exported();
  const other = { ...state.values };
  for (const name of mechanism.private) {
    const [value, change] = [state.values[name], state.changes[name]];
    other[name] = Array.isArray(value) ? value.map((answer, i) => added(answer, change[i])) : added(value, change);
  }
  return other;
}

function latticeOf(name) {
  const declared = exported().mechanism.lattices[name];
  if (declared === undefined) return null;
  return declared in state.values ? state.values[declared] : parsed(declared);
}

function misfit(name, number) {
  const kind = exported().mechanism.parameters[name];
  const lattice = latticeOf(name);
  if (kind.integer && (!number.whole || number.n < 1n)) return "it must be a whole number, at least 1";
  if (kind.integer && number.n > 50n) return "this page takes at most 50";
  if (kind.positive && sign(number) <= 0) return "it must be above 0";
  if (kind.proportion && order(number, ONE) >= 0) return "it must be below 1";
  if (lattice && !divided(number, lattice).whole) return `it must be a multiple of ${shown(lattice)}`;
  return "";
}

function stepOf(name) {
  const lattice = latticeOf(name);
  if (lattice) return lattice.float();
  return exported().mechanism.parameters[name].integer ? 1 : 0.25;
}

function publicRow(name) {
  const kind = exported().mechanism.parameters[name];
  const step = kind.proportion ? 0.05 : stepOf(name);
  const bounds = kind.proportion ? [0.05, 0.95] : kind.positive ? [step, kind.integer ? 6 : 5] : [-10, 10];
  const rows = [];
  const put = (i) => (number) => {
    const wrong = misfit(name, number);
    if (wrong) return wrong;
    if (i === null) state.values[name] = number;
    else state.values[name][i] = number;
    return "";
  };
  const given = state.values[name];
  if (given instanceof Bits) {
    return [element("p", { class: "note" }, element("code", {}, name), ` is ${given}`)];
  }
  const options = { low: bounds[0], high: bounds[1], step };
  if (!Array.isArray(given)) return [inputRow(name, given, options, put(null))];
  given.forEach((number, i) => rows.push(inputRow(`${name}[${i}]`, number, options, put(i))));
  return rows;
}

function answerRows(name) {
  const { mechanism } = exported();
  const vector = Array.isArray(state.values[name]);
  const bound = sensitivityOf(mechanism, name, state.values).float();
  const step = stepOf(name);
  const put = (held, i, check) => (number) => {
    const wrong = check(number);
    if (wrong) return wrong;
    if (vector) held[name][i] = number;
    else held[name] = number;
    return "";
  };
  const changed = (number) => {
    const lattice = latticeOf(name);
    if (order(absolute(number), sensitivityOf(mechanism, name, state.values)) > 0) return `it may be at most ${bound}`;
    return lattice && !divided(number, lattice).whole ? `it must be a multiple of ${shown(lattice)}` : "";
  };
  const rows = [];
  for (const [i, answer] of answersOf(state.values[name]).entries()) {
    const label = vector ? `${name}[${i}]` : name;
    const answerStep = { low: -10, high: 10, step };
    rows.push(inputRow(label, answer, answerStep, put(state.values, i, (number) => misfit(name, number))));
    const change = vector ? state.changes[name][i] : state.changes[name];
    const options = { low: -bound, high: bound, step: Math.min(step, bound / 4), row: "change" };
    if (latticeOf(name)) options.step = step;
    rows.push(inputRow(`change of ${label}`, change, options, put(state.changes, i, changed)));
  }
  return rows;
}

function resized(by) {
  const { mechanism } = exported();
  for (const name of Object.keys(mechanism.parameters)) {
    const lists = [state.values[name], state.changes[name]].filter(Array.isArray);
    for (const list of lists) {
      if (by < 0) list.pop();
      else list.push(list === state.changes[name] ? ZERO : list.length ? list[list.length - 1] : ZERO);
    }
  }
  buildInputs();
  update();
}

function buildInputs() {
  const { mechanism } = exported();
  const public_ = Object.keys(mechanism.parameters).filter((name) => !mechanism.private.includes(name));
  $("public").replaceChildren(...public_.flatMap(publicRow));
  $("answers").replaceChildren(...mechanism.private.flatMap(answerRows));
  const vector = mechanism.private.map((name) => state.values[name]).find(Array.isArray);
  $("more").hidden = $("fewer").hidden = vector === undefined;
  $("more").disabled = vector !== undefined && vector.length >= 12;
  $("fewer").disabled = vector !== undefined && vector.length <= 1;
}

// Noise

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
  const scale = parameters[0] === "rate" ? 1 / (float(values[0]) * Math.LN2) : float(values[0]);
  const size = -Math.log(randomUnit()) * scale;
  const signed = support.oneSided || randomUnit() < 0.5 ? size : -size;
  if (support.lattice === null) return rational(Math.round(signed * 4), 4);
  const lattice = values[support.lattice];
  return times(lattice, rational(Math.round(signed / float(lattice))));
}

function noiseFor(made) {
  const known = state.noise.get(made.where);
  if (known !== undefined && inSupport(made, known)) return known;
  const fresh = freshNoise(made);
  state.noise.set(made.where, fresh);
  return fresh;
}

const noiseRows = new Map();

function buildNoise(both) {
  const wanted = both.run.drawn.map((made) => made.where);
  for (const [where, row] of noiseRows) {
    if (!wanted.includes(where)) {
      row.remove();
      noiseRows.delete(where);
    }
  }
  for (const made of both.run.drawn) {
    if (!noiseRows.has(made.where)) {
      const { support } = made.distribution;
      const spacing = support.indices ? 1 : support.lattice === null ? 0.25 : float(made.values[support.lattice]);
      const far = support.indices ? made.values[0].length - 1 : 10;
      const options = { low: support.oneSided ? 0 : -far, high: far, step: spacing };
      const take = (number) => {
        if (!inSupport(noiseRows.get(made.where).made, number)) return "the noise cannot have this value";
        state.noise.set(made.where, number);
        return "";
      };
      noiseRows.set(made.where, inputRow(made.where, made.value, options, take));
    }
    const row = noiseRows.get(made.where);
    row.made = made;
    row.show(made.value);
  }
  const rows = wanted.map((where) => noiseRows.get(where));
  const list = $("noise");
  rows.forEach((row, i) => {
    if (list.children[i] !== row) list.insertBefore(row, list.children[i] || null);
  });
}

// What is shown

function showVerdict(both, why) {
  const verdict = $("verdict");
  let text;
  if (why) text = `D and D′ are not adjacent: ${why}. The claim says nothing about them.`;
  else if (both.violation) {
    const { condition, words, line } = both.violation;
    text = `${condition.replace("_", " ")} fails: ${words}${line ? ` (line ${line})` : ""}`;
  } else {
    const claimed = exported().alignment.claimed;
    const claim = shown(both.claim) === claimed ? claimed : `${shown(both.claim)} (${claimed})`;
    text = `D′ gives the same output, and the shifts cost ${shown(both.cost)}, at most the claim ${claim}.`;
  }
  verdict.classList.toggle("fails", Boolean(why || both.violation));
  say("verdict", text);
}

function listed(output) {
  return Array.isArray(output) && exported().mechanism.yields ? output : [output];
}

function showOutput(both) {
  const ended = (run) => (run.defined ? [] : [`(stops: ${run.problem})`]);
  const one = [...listed(both.run.output), ...ended(both.run)];
  const other = both.run_ ? [...listed(both.run_.output), ...ended(both.run_)] : [];
  const rows = [];
  let together = true;
  for (let i = 0; i < Math.max(one.length, other.length, 1); i += 1) {
    const parts = together && !(i < one.length && i < other.length && alike(one[i], other[i]));
    together = together && !parts;
    rows.push(
      element(
        "tr",
        { class: parts ? "parts" : null },
        element("th", { scope: "row" }, exported().mechanism.yields ? `output[${i}]` : "output"),
        element("td", { class: "value" }, i < one.length ? shownOrText(one[i]) : "-"),
        element("td", { class: "value" }, i < other.length ? shownOrText(other[i]) : "-"),
        element("td", {}, parts ? "the outputs part here" : ""),
      ),
    );
  }
  $("output").replaceChildren(...rows);
}

const shownOrText = (value) => (typeof value === "string" ? value : shown(value));

function showArrows(both) {
  const drawn = both.run.drawn.slice(0, 16);
  const ends = drawn.flatMap(({ where, value }) => [float(value), float(both.noise_.get(where) || value)]);
  const [low, high] = [Math.min(-1, ...ends), Math.max(1, ...ends)];
  const wide = Math.max(300, Math.min(640, $("arrows").clientWidth || 640));
  const [left, right, height] = [90, wide - 70, 30];
  const at = (x) => left + ((float(x) - low) / (high - low)) * (right - left);
  const rows = drawn.flatMap(({ where, value }, i) => {
    const y = 22 + i * height;
    const moved = both.noise_.get(where);
    const parts = [
      drawing("text", { x: 4, y: y + 4 }, where),
      drawing("line", { class: "axis", x1: left, x2: right, y1: y, y2: y }),
      drawing("circle", { class: "dot", cx: at(value), cy: y, r: 5 }),
    ];
    if (moved !== undefined && order(moved, value) !== 0) {
      const [from, to] = [at(value), at(moved)];
      const way = Math.sign(to - from);
      parts.push(
        drawing("line", { class: "arrow", x1: from, x2: to - way * 7, y1: y, y2: y }),
        drawing("path", { class: "head", d: `M ${to} ${y} l ${-way * 9} -5 l 0 10 z` }),
      );
    }
    const shift = both.shifts.get(where);
    const words = shift === undefined ? "" : `${sign(shift) > 0 ? "+" : ""}${shown(shift)}`;
    return [...parts, drawing("text", { x: right + 14, y: y + 4 }, words)];
  });
  const bottom = 22 + drawn.length * height;
  const ticks = [low, 0, high].map((x) =>
    drawing("text", { x: at(x) - 8, y: bottom + 2 }, shown(Math.round(x * 100) / 100)),
  );
  const words = drawn.map(({ where, value }) => `${where} from ${shown(value)} to ${shown(both.noise_.get(where))}`);
  const picture = drawing(
    "svg",
    { viewBox: `0 0 ${wide} ${bottom + 10}`, width: "100%", role: "img", "aria-label": `arrows: ${words.join("; ")}` },
    ...rows,
    ...ticks,
  );
  $("arrows").replaceChildren(picture);
  say("arrows-left-out", both.run.drawn.length > 16 ? `${both.run.drawn.length - 16} more draws are not drawn here.` : "");
}

function showCosts(both) {
  const costs = both.costs.filter(({ cost }) => sign(cost) !== 0);
  const claim = both.claim === null ? 0 : float(both.claim);
  const gained = costs.filter(({ cost }) => sign(cost) > 0);
  const whole_ = Math.max(claim, gained.reduce((sum, { cost }) => sum + float(cost), 0)) || 1;
  const colour = new Map(costs.map(({ made }, i) => [made.where, COLOURS[i % COLOURS.length]]));
  const bar = gained.map(({ made, cost }) =>
    element("span", { style: `width: ${(100 * float(cost)) / whole_}%; background: ${colour.get(made.where)}` }),
  );
  bar.push(element("span", { class: "claim-mark", style: `left: ${Math.min(99.5, (100 * claim) / whole_)}%` }));
  $("bar").replaceChildren(...bar);
  const rows = costs.map(({ made, cost }) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("span", { class: "key", style: `background: ${colour.get(made.where)}` }),
        made.where,
      ),
      element("td", { class: "value" }, shown(cost)),
      element("td", { class: "value" }, claim ? `${Math.round((100 * float(cost)) / claim)} %` : ""),
    ),
  );
  $("costs").replaceChildren(...rows);
  const total = both.cost === null ? "No cost: the shifts do not exist here." : `Together ${shown(both.cost)}; claim `;
  say("total", both.cost === null ? total : `${total}${shown(both.claim)} (${exported().alignment.claimed}).`);
}

function showProgram(id, program, changed, current) {
  const lines = program.lines.map((text, i) => {
    const line = program.line + i;
    const classes = ["line", line === changed ? "changed" : "", line === current ? "current" : ""];
    return element("span", { class: classes.join(" ").trim() }, `${String(line).padStart(4)}  ${text.replace(/\n$/, "")}`);
  });
  $(id).replaceChildren(...lines);
}

function showSteps(both) {
  const rows = pairedSteps(both.run, both.run_);
  const last = rows.length;
  const slider = $("step");
  slider.max = last;
  const now = state.step === null ? last : Math.min(state.step, last);
  slider.value = now;
  const parting = rows.findIndex((row) => row.parts);
  $("to-difference").disabled = parting < 0;
  $("to-difference").onclick = () => goTo(parting + 1);
  const { mechanism, alignment } = exported();
  const text = (line) => (mechanism.lines[line - mechanism.line] || "").trim();
  const made = rows.slice(0, now).map((row, i) => {
    const known = row.one || row.other;
    const classes = [row.parts ? "parts" : "", i === now - 1 && now < last ? "now" : ""].join(" ").trim();
    return element(
      "tr",
      { class: classes || null },
      element("td", {}, String(known.line)),
      element("td", {}, element("code", {}, `${"\u00a0\u00a0".repeat(known.depth)}${text(known.line)}`)),
      element("td", { class: "value" }, row.one ? stepText(row.one) : "-"),
      element("td", { class: "value" }, row.other ? otherText(row) : "-"),
    );
  });
  $("steps").replaceChildren(...made);
  const frame = $("steps").closest(".steps");
  frame.scrollTop = now < last || parting >= 0 ? frame.scrollHeight : 0;
  say("step-count", `step ${now} of ${last}${parting >= 0 ? `; the runs part at step ${parting + 1}` : ""}`);
  $("back").disabled = now === 0;
  $("forward").disabled = now === last;
  const current = now > 0 && now < last ? (rows[now - 1].one || rows[now - 1].other).line : null;
  const { changed } = variant();
  showProgram("mechanism", mechanism, changed && changed.mechanism ? changed.line : null, current);
  showProgram("alignment", alignment, changed && !changed.mechanism ? changed.line : null, null);
}

const stepText = ({ value }) => (value === "" ? "leaves the loop" : shown(value));

function otherText({ one, other }) {
  return one && one.line !== other.line ? `line ${other.line}: ${stepText(other)}` : stepText(other);
}

function goTo(step) {
  state.step = step;
  update();
}

function update() {
  const other = valuesOnDPrime();
  const why = whyNotAdjacent(exported(), state.values, other);
  let both;
  try {
    both = runBoth(exported(), state.values, other, noiseFor);
  } catch (problem) {
    $("verdict").classList.add("fails");
    say("verdict", `this page cannot compute these runs: ${problem.message}`);
    return;
  }
  state.both = both;
  buildNoise(both);
  showVerdict(both, why);
  showOutput(both);
  showArrows(both);
  showCosts(both);
  showSteps(both);
}

// Variants

function load(number) {
  state.variant = number;
  const { start, words } = variant();
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
  for (const row of noiseRows.values()) row.remove();
  noiseRows.clear();
  say("variant", words);
  document.querySelectorAll("#variants button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === number));
  });
  say("input-problem", "");
  buildInputs();
  update();
}

function start() {
  $("variants").replaceChildren(
    ...PAGE.variants.map((each, i) =>
      element("button", { type: "button", "aria-pressed": "false", onclick: () => load(i) }, each.label),
    ),
  );
  $("break-it").hidden = PAGE.variants.length < 2;
  $("more").addEventListener("click", () => resized(1));
  $("fewer").addEventListener("click", () => resized(-1));
  $("redraw").addEventListener("click", () => {
    state.noise.clear();
    update();
  });
  window.addEventListener("resize", () => state.both && showArrows(state.both));
  $("step").addEventListener("input", () => goTo(Number($("step").value)));
  $("back").addEventListener("click", () => goTo(Number($("step").value) - 1));
  $("forward").addEventListener("click", () => goTo(Number($("step").value) + 1));
  $("to-end").addEventListener("click", () => goTo(null));
  $("explorer").hidden = false;
  load(0);
}

start();
