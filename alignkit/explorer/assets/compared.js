"use strict";
// What the program compares: noisy answers with thresholds, of D above those of D′, on one scale.

const MOST_PICTURES = 3;
const MOST_POSITIONS = 24;
const SLOT = 56; // the least width of a position
const PANEL = 150;
const TOPS = [34, 34 + PANEL + 80];

// The comparisons of both runs that stand at one place of the program, by position.
function comparisonsOf(both) {
  const found = new Map();
  [both.run, both.run_].forEach((run, side) => {
    for (const comparison of run ? run.comparisons : []) {
      const { node, iteration, list } = comparison;
      const sides = list ? ranked(comparison) : [sidesOf(comparison)];
      sides.forEach((each, i) => {
        if (!found.has(node)) found.set(node, new Map());
        const positions = found.get(node);
        const key = [...iteration, list ? i : ""].join();
        if (!positions.has(key)) positions.set(key, { pair: [null, null], iteration, chosen: list !== undefined });
        const { pair } = positions.get(key);
        if (!pair[side]) pair[side] = { outputs: outputsIn(run, iteration), ...each };
      });
    }
  });
  const hasNoise = (one) => one !== null && drawsOf([...one.answer, ...one.threshold]).length > 0;
  const all = [...found].map(([node, positions]) => ({ line: node.l, positions: [...positions.values()] }));
  return all.filter(({ positions }) => positions.some(({ pair }) => pair.some(hasNoise))).slice(0, MOST_PICTURES);
}

// What a run puts out in an iteration, or in all where there is none.
function outputsIn(run, iteration) {
  if (!exported().mechanism.yields) return iteration.length || !run.defined ? [] : [run.output];
  return run.output.filter((_, i) => iteration.every((part, depth) => run.emittedIn[i][depth] === part));
}

const isUnder = ({ noisy, bar }) => bar !== null && order(noisy, bar) < 0;

// The name of a position: that of its answer.
function nameOf(pair, i) {
  const terms = pair.flatMap((one) => (one ? one.answer : []));
  return (terms.find(({ made }) => !made) || terms[0] || { name: `${i + 1}` }).name;
}

function showCompared(both) {
  const compared = comparisonsOf(both);
  const frame = $("compared");
  $("pictures").hidden = compared.length === 0;
  while (frame.children.length > compared.length) frame.lastChild.remove();
  while (frame.children.length < compared.length) {
    const id = `picture-${frame.children.length}`;
    frame.append(element("figure", {}, element("figcaption"), element("div", { class: "scroll", id })));
  }
  compared.forEach(({ line, positions }, i) => {
    const { mechanism } = exported();
    const text = (mechanism.lines[line - mechanism.line] || "").trim();
    const left = positions.length - MOST_POSITIONS;
    const more = left > 0 ? ` ${left} more positions are not drawn here.` : "";
    frame.children[i].firstChild.replaceChildren(`Line ${line}: `, element("code", {}, text), more);
    showComparison(both, `picture-${i}`, columnsOf(both, positions.slice(0, MOST_POSITIONS)));
  });
}

// Where a number stands without its noise, without its shift, and in all.
function stagesOf(both, number, terms, side) {
  const draws = drawsOf(terms);
  const shifts = draws.map(({ name, factor }) => times(factor, both.shifts.get(name) || ZERO)).reduce(added, ZERO);
  const end = float(number);
  return { plain: end - float(totalOf(draws)), unmoved: side ? end - float(shifts) : end, end };
}

function columnsOf(both, positions) {
  return positions.map(({ pair, iteration, chosen }, i) => {
    const later = positions.slice(i + 1).flatMap(({ pair: [one] }) => (one ? one.threshold : []));
    const ends = (one) => drawsOf(one.threshold).filter(({ name }) => !later.some((term) => term.name === name));
    const sides = pair.map((one, side) => one && {
      ...one,
      point: stagesOf(both, one.noisy, one.answer, side),
      line: one.bar === null ? null : stagesOf(both, one.bar, one.threshold, side),
      last: ends(one)[0],
    });
    const outputOf = (run, side) => (chosen ? pair[side] && pair[side].outputs : outputsIn(run, iteration));
    const differs = both.run_ !== null && !alike(outputOf(both.run, 0), outputOf(both.run_, 1));
    return { name: nameOf(pair, i), sides, differs };
  });
}

function showComparison(both, id, columns) {
  const stages = columns.flatMap(({ sides }) => sides.filter(Boolean).flatMap(({ point, line }) => [point, line]));
  const scale = scaleOf(id, stages.filter(Boolean).flatMap(Object.values));
  const perPixel = (scale[1] - scale[0]) / PANEL;
  const [left, right] = [48, 84];
  const room = Math.max(300, $(id).clientWidth || 640);
  const slot = Math.min(260, Math.max(SLOT, (room - left - right) / columns.length));
  const far = left + columns.length * slot;
  const wide = Math.max(room, far + right);
  const centre = (i) => left + (i + 0.5) * slot;
  const at = (side, value) => TOPS[side] + Math.max(0, Math.min(PANEL, (scale[1] - value) / perPixel));
  const parts = columns.find(({ differs }) => differs);
  const known = stages.includes(null) ? ": the same choice" : ": the same outputs";
  const same = columns.some(({ sides }) => sides.every((one) => one && one.outputs.length)) ? known : "";
  const titles = ["D on H", `D′ on H′${parts ? `: differs at ${parts.name}` : same}`];
  const still = titles.flatMap((title, side) => [
    drawing("text", { class: side && parts ? "title differs" : "title", x: 4, y: TOPS[side] - 16 }, title),
    ...[scale[0], 0, scale[1]].flatMap((value) => [
      drawing("line", { class: "axis", x1: left, x2: far, y1: at(side, value), y2: at(side, value) }),
      drawing("text", { x: 4, y: at(side, value) + 4 }, about(Math.round(value * 10) / 10)),
    ]),
    ...columns.flatMap((column, i) => columnShapes(column, side, centre(i), slot, (value) => at(side, value))),
  ]);
  const slider = (one, { made: { where }, factor }, place) => {
    const made = both.run.drawn.find((each) => each.where === where);
    const text = `${where} ${shown(made.value)}, ${inWords(one)}`;
    return { made, text, upright: true, noisePerUnit: -perPixel / float(factor), scale, ...place };
  };
  const sliders = columns.flatMap(({ name, sides: [one] }, i) => {
    if (!one) return [];
    const kind = isUnder(one) ? "upright under" : "upright";
    const start = { key: `point ${i}`, name: `noisy ${name}`, x: centre(i), y: at(0, one.point.end), shape: dot() };
    const knob = drawing("path", { class: "knob", d: "M -7 0 l 7 -7 l 7 7 l -7 7 z" });
    const points = drawsOf(one.answer).slice(0, 1).map((term) => slider(one, term, { ...start, kind }));
    if (!one.last) return points;
    const end = { key: `threshold ${i}`, name: "threshold", x: centre(i) + slot / 2, y: at(0, one.line.end) };
    return [...points, slider(one, one.last, { ...end, shape: knob, kind: "upright" })];
  });
  const described = titles.map((title, side) => {
    const each = columns.map(({ name, sides }) => `${name}: ${sides[side] ? inWords(sides[side]) : "not reached"}`);
    return `${title}. ${each.join("; ")}.`;
  });
  const attributes = { viewBox: `0 0 ${wide} ${TOPS[1] + PANEL + 46}`, width: wide, "aria-label": described.join(" ") };
  showPicture(id, attributes, still, sliders);
}

const dot = (attributes = {}) => drawing("circle", { class: "dot", r: 6, ...attributes });
const outputsShown = ({ outputs, remark }) => outputs.map(shown).join(", ") || remark || "-";

function inWords(one) {
  const threshold = one.bar === null ? "" : `threshold ${shown(one.bar)}, output `;
  return `noisy answer ${shown(one.noisy)}, ${threshold}${outputsShown(one)}`;
}

// An upright arrow.
function arrow(x, from, to, kind) {
  const size = Math.min(7, Math.abs(to - from));
  const way = Math.sign(to - from);
  if (size < 1) return [];
  return [
    drawing("line", { class: kind, x1: x, x2: x, y1: from, y2: to - way * size }),
    drawing("path", { class: `${kind} head`, d: `M ${x} ${to} l -4 ${-way * size} l 8 0 z` }),
  ];
}

function columnShapes({ name, sides, differs }, side, x, slot, at) {
  const one = sides[side];
  const marked = side === 1 && differs;
  const words = one ? outputsShown(one) : "not reached";
  const under = [[name, "name", 18], [marked ? `≠ ${words}` : words, marked ? "differs" : "output", 35]];
  const made = under.map(([text, kind, y]) =>
    cutText(text, slot - 4, { class: kind, x, y: TOPS[side] + PANEL + y, "text-anchor": "middle" }),
  );
  if (!one) return made;
  const { point, line, last } = one;
  const end = x + slot / 2;
  const drawn = (kind, x1, x2, y1, y2) => drawing("line", { class: kind, x1, x2, y1, y2 });
  const stages = ({ plain, unmoved, end: to }, place) => [
    drawn("noise", place - 5, place + 5, at(plain), at(plain)),
    ...arrow(place, at(plain), at(unmoved), "noise"),
    ...arrow(place + 12, at(unmoved), at(to), "arrow"),
  ];
  if (line) made.push(drawn("threshold", x - slot / 2, end, at(line.end), at(line.end)));
  else made.push(drawn("stem", x, x, at(0), at(point.end)));
  if (last) made.push(...stages(line, end), drawing("text", { x: end + 20, y: at(line.end) + 4 }, shown(one.bar)));
  made.push(...stages(point, x));
  if (side) made.push(dot({ class: isUnder(one) ? "dot under" : "dot", cx: x, cy: at(point.end) }));
  return made;
}
