"use strict";
// What the page is built from: elements, drawings, and rows with a slider and a box for one number.

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

const $ = (id) => document.getElementById(id);

function say(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// A button keeps the focus when it has nothing to do.
function enable(id, enabled) {
  $(id).setAttribute("aria-disabled", String(!enabled));
}

function onPress(id, act) {
  $(id).addEventListener("click", () => $(id).getAttribute("aria-disabled") !== "true" && act());
}

// Numbers that a person or a slider gives

const NOT_A_NUMBER = "write a number such as 3, 0.7 or 1/3";
const MOST_DIGITS = 40;

// A number that was typed, or what is wrong with the text.
function read(text) {
  if (text.length > 2 * MOST_DIGITS) return [null, "this page takes shorter numbers"];
  const value = parsed(text.replace("−", "-"));
  if (value === null) return [null, NOT_A_NUMBER];
  const short = value.n.toString().length + value.d.toString().length < MOST_DIGITS;
  return short ? [value, ""] : [null, "this page takes shorter numbers"];
}

let rowsMade = 0;

// A slider with a box. `value` gives the number of the row, `options` the range of the slider and the unit in which it
// moves; `take` is called with each number that is given and returns what is wrong with it, if anything.
function inputRow(label, { value, options, take, row = "" }) {
  const id = `problem-${(rowsMade += 1)}`;
  const range = element("input", { type: "range", "aria-label": `${label}, by slider` });
  const box = element("input", { type: "text", inputmode: "decimal", "aria-label": label, autocomplete: "off" });
  box.setAttribute("aria-describedby", id);
  const note = element("span", { class: "problem", id });
  const made = element("div", { class: `input ${row}` }, element("label", {}, element("code", {}, label)), range, box);
  made.append(note);
  made.problem = "";
  const complain = (wrong) => {
    made.problem = wrong ? `${label}: ${wrong}` : "";
    note.textContent = wrong;
    if (wrong) box.setAttribute("aria-invalid", "true");
    else box.removeAttribute("aria-invalid");
    showProblems();
  };
  // The box keeps a wrong text, and the one that is being typed.
  made.refresh = () => {
    const number = value();
    setRange(range, number, options());
    if (!made.problem && document.activeElement !== box) box.value = exactText(number);
  };
  const given = (number, problem) => {
    const wrong = problem || take(number);
    complain(wrong);
    if (wrong) return;
    if (document.activeElement !== box) box.value = exactText(number);
    setRange(range, number, options());
    state.touched = true;
    update();
  };
  made.give = (number) => {
    box.value = exactText(number);
    given(number, "");
  };
  range.addEventListener("input", () => {
    const { unit } = options();
    made.give(times(unit, rational(Math.round(Number(range.value) / unit.float()))));
  });
  box.addEventListener("input", () => given(...read(box.value)));
  made.refresh();
  return made;
}

const below = (number, unit) => new Rational(divided(number, unit).floor());
const above = (number, unit) => negated(below(negated(number), unit));

// Both ends of a slider are multiples of its unit, so that it gives multiples only.
function setRange(range, number, { low, high, unit }) {
  let [first, last] = [above(low, unit), below(high, unit)];
  const [under, over] = [below(number, unit), above(number, unit)];
  if (order(under, first) < 0) first = under;
  if (order(over, last) > 0) last = over;
  const end = (index) => times(index, unit).float();
  const moving = document.activeElement === range;
  range.step = unit.float();
  range.min = moving ? Math.min(range.min, end(first)) : end(first);
  range.max = moving ? Math.max(range.max, end(last)) : end(last);
  range.value = number.float();
  range.setAttribute("aria-valuetext", shown(number));
}

function showProblems() {
  const problems = [...document.querySelectorAll(".input")].map((each) => each.problem).filter(Boolean);
  say("input-problem", problems.join("; "));
}
