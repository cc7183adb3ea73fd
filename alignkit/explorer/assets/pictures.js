"use strict";
// The arrows from H to H′, whose dots can be dragged, and what they cost.

const COLOURS = ["#4c8bd6", "#d98032", "#4fa866", "#b065b8", "#c9a227", "#5aa7a7", "#c05b6b", "#8a8a8a"];
const MOST_ARROWS = 16;
const LETTER = 7.9; // the width of a letter of the drawing

const widthOf = (texts) => LETTER * Math.max(0, ...texts.map((text) => text.length));

// A text of a drawing, cut to a width; its title has it whole.
function cutText(text, width, attributes) {
  const most = Math.max(2, Math.floor(width / LETTER));
  if (text.length <= most) return drawing("text", attributes, text);
  return drawing("text", attributes, drawing("title", {}, text), `${text.slice(0, most - 1)}…`);
}

function showArrows(both) {
  const drawn = both.run.drawn.slice(0, MOST_ARROWS);
  const limitsOf = (where) => both.limits.filter((limit) => limit.where === where && limit.form !== "distinct");
  const ends = drawn.flatMap(({ where, value }) => [
    float(value), float(both.noise_.get(where) || value), ...limitsOf(where).map((limit) => float(limit.value)),
  ]);
  const scale = scaleOf("arrows", ends);
  const [low, high] = scale;
  const shifts = drawn.map(({ where }) => {
    const shift = both.shifts.get(where);
    return shift === undefined ? "" : `${sign(shift) > 0 ? "+" : ""}${shown(shift)}`;
  });
  const wide = Math.max(300, Math.min(640, $("arrows").clientWidth || 640));
  const names = Math.min(widthOf(drawn.map(({ where }) => where)), 0.35 * wide);
  const words = Math.min(widthOf(shifts), 0.25 * wide);
  const [left, right, height] = [Math.max(40, names + 16), wide - Math.max(40, words + 22), 30];
  const at = (x) => left + Math.max(0, Math.min(1, (float(x) - low) / (high - low))) * (right - left);
  const rows = drawn.flatMap(({ where, value }, i) => {
    const y = 22 + i * height;
    const moved = both.noise_.get(where);
    const parts = [
      cutText(where, names, { class: "name", x: 4, y: y + 4 }),
      drawing("line", { class: "axis", x1: left, x2: right, y1: y, y2: y }),
    ];
    for (const { form, value: end, broken } of limitsOf(where)) {
      const [words, to] = form === "below" ? [`${where} < ${shown(end)}`, right] : [`${where} > ${shown(end)}`, left];
      const row = { class: broken ? "limit broken" : "limit", x1: at(end), x2: at(end), y1: y - 9, y2: y + 9 };
      parts.push(drawing("line", { class: "beyond", x1: at(end), x2: to, y1: y, y2: y }));
      parts.push(drawing("line", row, drawing("title", {}, words)));
    }
    if (moved !== undefined && order(moved, value) !== 0) {
      const [from, to] = [at(value), at(moved)];
      const way = Math.sign(to - from);
      parts.push(
        drawing("line", { class: "arrow", x1: from, x2: to - way * 7, y1: y, y2: y }),
        drawing("path", { class: "head", d: `M ${to} ${y} l ${-way * 9} -5 l 0 10 z` }),
      );
    }
    return [...parts, cutText(shifts[i], words, { x: right + 14, y: y + 4 })];
  });
  const bottom = 22 + drawn.length * height;
  const all = drawn.map(({ where, value }) => {
    const limits = limitsOf(where).map((limit) => `, ${limit.form} ${shown(limit.value)}`);
    return `${where} from ${shown(value)} to ${shown(both.noise_.get(where))}${limits.join("")}`;
  });
  const noisePerUnit = (high - low) / (right - left);
  const sliders = drawn.map((made, i) => ({
    key: made.where,
    made,
    name: `${made.where}, in the picture`,
    text: `${shown(made.value)}, moved to ${shown(both.noise_.get(made.where))}`,
    x: at(made.value),
    y: 22 + i * height,
    shape: drawing("circle", { class: "dot", r: 6 }),
    noisePerUnit,
    scale,
  }));
  const attributes = { viewBox: `0 0 ${wide} ${bottom + 10}`, width: "100%", "aria-label": `arrows: ${all.join("; ")}` };
  showPicture("arrows", attributes, [...rows, ...ticks(low, high, at, bottom + 2)], sliders);
  const more = both.run.drawn.length - drawn.length;
  say("arrows-left-out", more > 0 ? `${more} more draws are not drawn here.` : "");
}

// The ends of the axis, and 0 between them where there is room.
function ticks(low, high, at, y) {
  const made = [];
  let free = -Infinity;
  let until = Infinity;
  for (const [x, anchor] of [[low, "start"], [high, "end"], [0, "middle"]]) {
    const text = about(Math.round(x * 100) / 100);
    const width = LETTER * text.length;
    const start = at(x) - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
    if (made.length && (start < free || start + width > until)) continue;
    made.push(drawing("text", { class: "tick", x: start, y }, text));
    if (anchor === "start") free = start + width + LETTER;
    else until = start - LETTER;
  }
  return made;
}

function showCosts(both) {
  const costs = both.costs.filter(({ cost }) => sign(cost) !== 0);
  const claim = both.claim === null ? 0 : float(both.claim);
  const gained = costs.filter(({ cost }) => sign(cost) > 0);
  const whole_ = Math.max(claim, gained.reduce((sum, { cost }) => sum + float(cost), 0)) || 1;
  const colour = new Map(costs.map(({ made }, i) => [made.where, COLOURS[i % COLOURS.length]]));
  const bar = gained.slice(0, MOST_ROWS).map(({ made, cost }) =>
    element("span", { style: `width: ${(100 * float(cost)) / whole_}%; background: ${colour.get(made.where)}` }),
  );
  bar.push(element("span", { class: "claim-mark", style: `left: ${Math.min(99.5, (100 * claim) / whole_)}%` }));
  $("bar").replaceChildren(...bar);
  const rows = costs.slice(0, MOST_ROWS).map(({ made, cost }) =>
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
  const total = both.cost === null ? "No cost: the shifts do not exist here." : `Together ${costShown(both)}; claim `;
  say("total", both.cost === null ? total : `${total}${shown(both.claim)} (${exported().alignment.claimed}).`);
}
