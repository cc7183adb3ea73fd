"use strict";
// What the program compares: noisy answers with thresholds or with each other, of D above those of D′, on one scale.

const MOST_PICTURES = 3;
const MOST_POSITIONS = 24;
const SLOT = 56; // the least width of a position
const [PANEL, TOPS] = [120, [34, 226]]; // the height of a run, and where both begin
const [LEFT, RIGHT] = [48, 96];

// What a run puts out in an iteration, or in all where there is none.
function outputsIn(run, iteration) {
  if (!exported().mechanism.yields) return iteration.length || !run.defined ? [] : [run.output];
  return run.output.filter((_, i) => iteration.every((part, depth) => run.emittedIn[i][depth] === part));
}

// Where a number stands without its noise, without its shift, and in all.
function stagesOf(both, side, number, terms) {
  if (number === null) return null;
  const [draws, end] = [drawsOf(terms), float(number)];
  const shifts = draws.map(({ name, factor }) => times(factor, both.shifts.get(name) || ZERO)).reduce(added, ZERO);
  return { plain: end - float(totalOf(draws)), unmoved: side ? end - float(shifts) : end, end };
}

// The comparisons that stand at one place of the program, by position: those of D and of D′ (`sides`), and whether what
// is put out there, or what is chosen, differs.
function comparisonsOf(both) {
  const found = new Map();
  [both.run, both.run_].forEach((run, side) => {
    for (const comparison of run ? run.comparisons : []) {
      const { node, iteration, list } = comparison;
      if (!found.has(node)) found.set(node, new Map());
      const columns = found.get(node);
      (list ? ranked(comparison) : [sidesOf(comparison)]).forEach((each, i) => {
        const key = [...iteration, list ? i : ""].join();
        if (!columns.has(key)) columns.set(key, { sides: [null, null], iteration, list });
        const { sides } = columns.get(key);
        const point = stagesOf(both, side, each.noisy, each.answer);
        const line = stagesOf(both, side, each.bar, each.threshold);
        sides[side] = sides[side] || { outputs: outputsIn(run, iteration), ...each, point, line };
      });
    }
  });
  for (const column of [...found.values()].flatMap((columns) => [...columns.values()])) {
    const { sides, iteration, list } = column;
    const outputOf = (run, side) => (list ? sides[side] && sides[side].outputs : outputsIn(run, iteration));
    column.differs = both.run_ !== null && !alike(outputOf(both.run, 0), outputOf(both.run_, 1));
    const terms = sides.flatMap((one) => (one ? one.answer : []));
    column.name = (terms.find(({ made }) => !made) || terms[0] || { name: "value" }).name;
  }
  const noisy = (one) => one !== null && drawsOf([...one.answer, ...one.threshold]).length > 0;
  const all = [...found].map(([node, columns]) => ({ line: node.l, columns: [...columns.values()] }));
  return all.filter(({ columns }) => columns.some(({ sides }) => sides.some(noisy))).slice(0, MOST_PICTURES);
}

function showCompared(both) {
  const compared = comparisonsOf(both);
  const { mechanism } = exported();
  const frame = $("compared");
  $("pictures").hidden = compared.length === 0;
  while (frame.children.length > compared.length) frame.lastChild.remove();
  compared.forEach(({ line, columns }, i) => {
    const id = `picture-${i}`;
    if (!$(id)) frame.append(element("figure", {}, element("figcaption"), element("div", { class: "scroll", id })));
    const text = element("code", {}, (mechanism.lines[line - mechanism.line] || "").trim());
    const left = columns.splice(MOST_POSITIONS).length;
    frame.children[i].firstChild.replaceChildren(`Line ${line}: `, text, left ? ` (${left} more are not drawn)` : "");
    showComparison(both, id, columns);
  });
}

function showComparison(both, id, columns) {
  const stages = columns.flatMap(({ sides }) => sides.filter(Boolean).flatMap(({ point, line }) => [point, line]));
  const scale = scaleOf(id, stages.filter(Boolean).flatMap(Object.values));
  const perPixel = (scale[1] - scale[0]) / PANEL;
  const room = Math.max(300, $(id).clientWidth || 640);
  const slot = Math.min(260, Math.max(SLOT, (room - LEFT - RIGHT) / columns.length));
  const far = LEFT + columns.length * slot;
  const at = (side, value) => TOPS[side] + Math.max(0, Math.min(PANEL, (scale[1] - value) / perPixel));
  const parts = columns.find(({ differs }) => differs);
  const known = columns.some(({ sides }) => sides.every((one) => one && one.outputs.length));
  const same = known ? `: the same ${stages.includes(null) ? "choice" : "outputs"}` : "";
  const titles = ["D on H", `D′ on H′${parts ? `: differs at ${parts.name}` : same}`];
  const last = columns.map(({ sides: [one] }) => one !== null).lastIndexOf(true);
  const still = titles.flatMap((title, side) => [
    drawing("text", { class: side && parts ? "title differs" : "title", x: 4, y: TOPS[side] - 16 }, title),
    ...[scale[0], 0, scale[1]].flatMap((value) => [
      stroke("axis", LEFT, far, at(side, value), at(side, value)),
      drawing("text", { x: 4, y: at(side, value) + 4 }, about(Math.round(value * 10) / 10)),
    ]),
    ...columns.flatMap((column, i) => {
      return columnShapes(column, side, LEFT + (i + 0.5) * slot, slot, (value) => at(side, value), i === last);
    }),
  ]);
  const slider = (key, one, { made: { where }, factor }, place) => {
    const made = both.run.drawn.find((each) => each.where === where);
    const text = `${where} ${shown(made.value)}, ${inWords(one)}`;
    return { key, made, text, upright: true, noisePerUnit: -perPixel / float(factor), scale, ...place };
  };
  const sliders = columns.flatMap(({ name, sides: [one] }, i) => {
    if (!one) return [];
    const [x, kind] = [LEFT + (i + 0.5) * slot, `upright ${kindOf(one)}`];
    const point = { name: `noisy ${name}`, x, y: at(0, one.point.end), shape: dot(), kind };
    const made = drawsOf(one.answer).slice(0, 1).map((term) => slider(`point ${i}`, one, term, point));
    if (i !== last) return made;
    const shape = drawing("path", { class: "knob", d: "M -7 0 l 7 -7 l 7 7 l -7 7 z" });
    const ends = drawsOf(one.threshold).slice(0, 1).map((term) => {
      const place = { name: "threshold", x: x + slot / 2, y: at(0, one.line.end), shape, kind: "upright" };
      return slider("threshold", one, term, place);
    });
    return [...made, ...ends];
  });
  const described = titles.map((title, side) => {
    const each = columns.map(({ name, sides }) => `${name}: ${sides[side] ? inWords(sides[side]) : "not reached"}`);
    return `${title}. ${each.join("; ")}.`;
  });
  const wide = Math.max(room, far + RIGHT);
  const attributes = { viewBox: `0 0 ${wide} ${TOPS[1] + PANEL + 46}`, width: wide, "aria-label": described.join(" ") };
  showPicture(id, attributes, still, sliders);
}

const isUnder = ({ noisy, bar }) => bar !== null && order(noisy, bar) < 0;
const kindOf = (one) => (isUnder(one) ? "under" : one.bar === null && one.outputs.length ? "won" : "");
const dot = (attributes = {}) => drawing("circle", { class: "dot", r: 6, ...attributes });
const stroke = (kind, x1, x2, y1, y2) => drawing("line", { class: kind, x1, x2, y1, y2 });
const outputsShown = ({ outputs, remark }) => outputs.map(shown).join(", ") || remark || "-";

function inWords(one) {
  const threshold = one.bar === null ? "" : `threshold ${shown(one.bar)}, output `;
  return `noisy answer ${shown(one.noisy)}, ${threshold}${outputsShown(one)}`;
}

// An upright arrow.
function arrow(x, from, to, kind) {
  const size = Math.min(7, Math.abs(to - from)) * Math.sign(to - from);
  if (Math.abs(size) < 1) return [];
  const head = drawing("path", { class: `${kind} head`, d: `M ${x} ${to} l -4 ${-size} l 8 0 z` });
  return [stroke(kind, x, x, from, to - size), head];
}

function columnShapes({ name, sides, differs }, side, x, slot, at, last) {
  const one = sides[side];
  const marked = side === 1 && differs;
  const words = one ? outputsShown(one) : "not reached";
  const under = [[name, "name", 18], [marked ? `≠ ${words}` : words, marked ? "differs" : "output", 35]];
  const made = under.map(([text, kind, y]) =>
    cutText(text, slot - 4, { class: kind, x, y: TOPS[side] + PANEL + y, "text-anchor": "middle" }),
  );
  if (!one) return made;
  const end = x + slot / 2;
  const stages = ({ plain, unmoved, end: to }, place) => [
    stroke("noise", place - 5, place + 5, at(plain), at(plain)),
    ...arrow(place, at(plain), at(unmoved), "noise"),
    ...arrow(place + 12, at(unmoved), at(to), "arrow"),
  ];
  const [from, to] = [at(0), at(one.point.end)];
  if (one.line) made.push(stroke("threshold", x - slot / 2, end, at(one.line.end), at(one.line.end)));
  else made.push(stroke("stem", x, x, from, to));
  if (last && one.line) {
    const text = (words, down) => drawing("text", { x: end + 20, y: at(one.line.end) + down }, words);
    made.push(text("threshold", -11), text(shown(one.bar), 4), ...(one.threshold.length ? stages(one.line, end) : []));
  }
  made.push(...stages(one.point, x));
  if (side) made.push(dot({ class: `dot ${kindOf(one)}`, r: 4, cx: x, cy: to }));
  return made;
}
