"use strict";
// Reads exported alignments with inputs and noise from standard input, and writes what both runs come to.
// Arguments: the scripts to load, in order.
const fs = require("fs");
const vm = require("vm");

const scripts = process.argv.slice(2).map((file) => fs.readFileSync(file, "utf8"));
vm.runInThisContext(`${scripts.join("\n")}
this.page = { runBoth, pairedSteps, constant, sidesOf, ranked, alike, absolute, less, TooLong, Rational, Bits, Tag, Members, Undefined, NOISE };`);
const { page } = globalThis;

function written(value) {
  if (value === undefined || value === null || typeof value === "boolean") return value === undefined ? null : value;
  if (typeof value === "number") return { float: value };
  if (value instanceof page.Rational) return value.toString();
  if (value instanceof page.Bits) return { float: value.float() };
  if (value instanceof page.Tag) return { tag: value.name };
  if (value instanceof page.Members) return { members: value.items.map(written) };
  if (Array.isArray(value)) return value.map(written);
  return typeof value === "string" ? { text: value } : { text: "noise" };
}

function step(each) {
  return each && { line: each.line, value: written(each.value) };
}

function result(given) {
  try {
    return outcome(given);
  } catch (problem) {
    if (!(problem instanceof page.TooLong)) throw problem;
    return { tooLong: problem.message };
  }
}

// What is compared in a run, as pictures show it: the names in a noisy answer and in its threshold, or ranks.
function compared(comparison) {
  if (comparison.list) return page.ranked(comparison).map(({ outputs, remark }) => outputs[0] || remark);
  const { a, b } = comparison;
  const { noisy, answer, bar, threshold } = page.sidesOf(comparison);
  const distances = [[noisy, bar], [a, b]].map(([x, y]) => page.absolute(page.less(x, y)));
  if (!page.alike(...distances)) throw new Error("a noisy answer is not as far from its threshold as the sides are");
  return [answer, threshold].map((terms) => terms.map(({ name }) => name));
}

function outcome({ exported, values, values_, noise }) {
  const read = (given) => Object.fromEntries(Object.entries(given).map(([name, x]) => [name, page.constant(x)]));
  const [one, other] = [read(values), read(values_)];
  const both = page.runBoth(exported, one, other, (made) => {
    if (!(made.where in noise)) throw new Error(`${exported.mechanism.name} draws ${made.where}; Python does not`);
    return page.constant(noise[made.where]);
  });
  return {
    output: written(both.run.output),
    output_: both.run_ && written(both.run_.output),
    noise_: Object.fromEntries([...both.noise_].map(([where, value]) => [where, written(value)])),
    cost: written(both.cost),
    claim: written(both.claim),
    condition: both.violation && both.violation.condition,
    words: both.violation && both.violation.words,
    atLeast: both.atLeast,
    outside: both.outside,
    limits: both.limits.map(({ where, form, value }) => [where, form, written(value)]),
    compared: both.run.comparisons.map(compared),
    line: both.violation && both.violation.line,
    steps: page.pairedSteps(both.run, both.run_).map((row) => [step(row.one), step(row.other), row.parts]),
  };
}

const cases = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(result)));
