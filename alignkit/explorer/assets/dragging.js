"use strict";
// Pictures whose points are sliders: each sets the noise of one draw, by pointer and by arrow keys.

const TENTH = rational(1, 10);

// What the pointer has taken: a draw, where, and how its picture was scaled then.
let held = null;

function dragRange(made) {
  const { low, high, unit } = noiseRange(made);
  const { support } = made.distribution;
  return { low, high, unit: support.indices || support.lattice !== null ? unit : TENTH };
}

function setNoise(made, number) {
  const { where } = made;
  if (!noiseRows.has(where) || order(number, state.noise.get(where)) === 0) return;
  if (inSupport(made, number)) noiseRows.get(where).give(number);
}

// The ends of a picture's axis: room on both sides to drag to, and no change while something is dragged.
function scaleOf(id, ends) {
  if (held && held.picture === id) return held.scale;
  const [low, high] = [Math.min(-1, ...ends), Math.max(1, ...ends)];
  return [low - (high - low) / 8, high + (high - low) / 8];
}

// A picture: a layer that is drawn anew, and sliders that stay, so that they keep the focus. A slider has a `key`, the
// draw `made`, a `name`, a `text` of what it stands at, its place `x` and `y`, its `shape`, whether it is `upright`,
// the noise of a unit of the picture (`noisePerUnit`), and `scale`.
function showPicture(id, attributes, still, sliders) {
  if (!$(id).querySelector("svg")) {
    $(id).replaceChildren(
      drawing("svg", { role: "group" }, drawing("g", { "aria-hidden": "true" }), drawing("g", {})),
    );
  }
  const svg = $(id).querySelector("svg");
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const [back, front] = svg.children;
  back.replaceChildren(...still);
  const keys = sliders.map(({ key }) => key);
  for (const old of [...front.children]) if (!keys.includes(old.dataset.key)) old.remove();
  sliders.forEach((slider, i) => {
    const kept = [...front.children].find((each) => each.dataset.key === slider.key) || sliderIn(id, slider);
    kept.latest = slider;
    const { low, high } = dragRange(slider.made);
    const now = float(slider.made.value);
    const [least, most] = [Math.min(float(low), now), Math.max(float(high), now)];
    const range = { "aria-valuemin": least, "aria-valuemax": most, "aria-valuenow": now };
    const names = { "aria-label": slider.name, "aria-valuetext": slider.text, class: `slider ${slider.kind || ""}` };
    const place = { transform: `translate(${slider.x} ${slider.y})` };
    for (const [name, value] of Object.entries({ ...range, ...names, ...place })) kept.setAttribute(name, value);
    if (front.children[i] !== kept) front.insertBefore(kept, front.children[i] || null);
  });
}

const KEYS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };

function sliderIn(picture, { key, shape, upright }) {
  const made = drawing(
    "g",
    { role: "slider", tabindex: 0, "data-key": key, "aria-orientation": upright ? "vertical" : "horizontal" },
    drawing("circle", { class: "grip", r: 14 }),
    shape,
  );
  made.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    const { latest } = made;
    const { unit } = dragRange(latest.made);
    const steps = KEYS[event.key] * Math.sign(latest.noisePerUnit) * (upright ? -1 : 1);
    const now = state.noise.get(latest.made.where); // the runs may be a frame behind
    const start = steps > 0 ? below(now, unit) : above(now, unit);
    setNoise(latest.made, times(unit, added(start, rational(steps))));
  });
  // A finger drags and does not scroll; `touch-action` says nothing of parts of a drawing.
  made.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  made.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    made.focus({ preventScroll: true });
    const svg = made.ownerSVGElement;
    const size = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    const { scale, made: draw, noisePerUnit } = made.latest;
    held = { picture, scale, draw, upright, perPixel: size * noisePerUnit };
    held.at = upright ? event.clientY : event.clientX;
  });
  return made;
}

window.addEventListener("pointermove", (event) => {
  if (!held) return;
  const made = held.draw;
  const { unit, low, high } = dragRange(made);
  const noise = float(made.value) + ((held.upright ? event.clientY : event.clientX) - held.at) * held.perPixel;
  const number = times(unit, rational(Math.round(noise / unit.float())));
  const bounded = made.distribution.support.interval || made.distribution.support.oneSided;
  setNoise(made, bounded && order(number, low) < 0 ? low : bounded && order(number, high) > 0 ? high : number);
});

for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, () => {
    if (!held) return;
    held = null;
    update();
  });
}
