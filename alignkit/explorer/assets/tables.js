"use strict";
// What is said of both runs: the verdict, the outputs, the steps and the programs.

const MOST_ROWS = 200; // of a table

const rowAcross = (words) => element("tr", {}, element("td", { colspan: 4 }, words));

// `kind` is "good" where a proof stands behind the words, "fails" where a condition fails, or "".
function showWords(text, kind) {
  for (const each of ["good", "fails"]) $("verdict").classList.toggle(each, each === kind);
  say("verdict", text);
}

// What fails on a pair of runs of which the claim speaks; null where nothing does.
function failureOf(both, outside) {
  if (outside || both.outside || !both.violation) return null;
  return both.run.defined || variant().condition === "termination" ? both.violation : null;
}

function showVerdict(both, outside) {
  const { verdict, condition, collision, why } = variant();
  const failing = (name, words) => showWords(`${name.replaceAll("_", " ")} fails: ${words}`, "fails");
  if (outside) return showWords(`outside the claim: ${outside.words}`, "");
  if (both.outside) {
    return showWords(`outside the limits: ${both.outside}; the alignment owes nothing here, and delta pays`, "");
  }
  if (both.violation) {
    const { words, line } = both.violation;
    const full = `${words}${line ? ` (line ${line})` : ""}`;
    const fails = failureOf(both, outside);
    return fails ? failing(fails.condition, full) : showWords(`outside the claim: ${full}`, "");
  }
  if (condition && !state.touched) return failing(condition, collision || why);
  const claimed = exported().alignment.claimed;
  const claim = shown(both.claim) === claimed ? claimed : `${shown(both.claim)} (${claimed})`;
  const bounded = both.atLeast ? `; the claim is ${claim}` : `, at most the claim ${claim}`;
  const within = both.limits.length ? "No draw breaks its limit, " : "";
  const words = `${within}D′ gives the same output, and the shifts cost ${costShown(both)}${bounded}.`;
  if (verdict === "proved" && !both.atLeast) showWords(words, "good");
  else showWords(`no condition fails on this pair of runs: ${words}`, "");
}

const MOST_AT_ONCE = 6; // outputs in the banner

const sameOutput = (one, other, i) => i < one.length && i < other.length && alike(one[i], other[i]);

function listed(output) {
  return Array.isArray(output) && exported().mechanism.yields ? output : [output];
}

// The outputs of D and of D′; of a run that stops, why it does stands last.
function bothOutputs({ run, run_ }) {
  const ended = (each) => (each.defined ? [] : [`(stops: ${each.problem})`]);
  return [run, run_].map((each) => (each ? [...listed(each.output), ...ended(each)] : []));
}

// Both outputs, or of many those about the first that differs, and the cost against the claim.
function showAtOnce(both) {
  const [one, other] = bothOutputs(both);
  const places = both.run_ ? [...(one.length > other.length ? one : other).keys()] : [];
  const parting = places.findIndex((i) => !sameOutput(one, other, i));
  const first = Math.max(0, parting - MOST_AT_ONCE + 2);
  const shownOf = (list) => {
    const words = list.slice(first, first + MOST_AT_ONCE).map((value, i) => {
      const text = shownOrText(value);
      return first + i === parting ? element("mark", {}, text) : text;
    });
    const all = [first ? "…" : [], words, list.length > first + MOST_AT_ONCE ? "…" : []].flat();
    return all.length ? all.flatMap((word, i) => (i ? [", ", word] : [word])) : ["-"];
  };
  const cost = both.cost === null ? "no cost" : `cost ${costShown(both)}`;
  const costs = `${cost}, claim ${shown(both.claim)}`;
  $("at-once").replaceChildren("D: ", ...shownOf(one), " | D′: ", ...shownOf(other), " | ", costs);
}

function showOutput(both) {
  const [one, other] = bothOutputs(both);
  const rows = [];
  let together = both.run_ !== null;
  for (let i = 0; i < Math.min(MOST_ROWS, Math.max(one.length, other.length, 1)); i += 1) {
    const parts = together && !sameOutput(one, other, i);
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
  const left = Math.max(one.length, other.length) - rows.length;
  if (left > 0) rows.push(rowAcross(`${left} more outputs are not drawn here`));
  $("output").replaceChildren(...rows);
}

const shownOrText = (value) => (typeof value === "string" ? value : shown(value));

function showProgram(id, program, changed, current) {
  const lines = program.lines.map((text, i) => {
    const line = program.line + i;
    const classes = ["line", line === changed ? "changed" : "", line === current ? "current" : ""];
    const numbered = `${String(line).padStart(4)}  ${text.replace(/\n$/, "")}`;
    return element("span", { class: classes.join(" ").trim() }, numbered);
  });
  $(id).replaceChildren(...lines);
}

function showSteps() {
  const rows = state.rows;
  const last = rows.length;
  const slider = $("step");
  slider.max = last;
  const now = state.step === null ? last : Math.min(state.step, last);
  slider.value = now;
  const parting = rows.findIndex((each) => each.parts);
  enable("to-difference", parting >= 0);
  $("to-difference").dataset.step = parting + 1;
  const first = Math.max(0, now - MOST_ROWS);
  const made = rows.slice(first, now).map((each, i) => stepRow(each, first + i === now - 1 && now < last));
  if (first > 0) made.unshift(rowAcross(`${first} steps before these are not drawn here`));
  $("steps").replaceChildren(...made);
  const frame = $("steps").closest(".steps");
  frame.scrollTop = now < last || parting >= 0 ? frame.scrollHeight : 0;
  say("step-count", `step ${now} of ${last}${parting >= 0 ? `; the runs part at step ${parting + 1}` : ""}`);
  enable("back", now > 0);
  enable("forward", now < last);
  const current = now > 0 && now < last ? (rows[now - 1].one || rows[now - 1].other).line : null;
  const { mechanism, alignment } = exported();
  const { changed } = variant();
  showProgram("mechanism", mechanism, changed && changed.mechanism ? changed.line : null, current);
  showProgram("alignment", alignment, changed && !changed.mechanism ? changed.line : null, null);
}

function stepRow(each, current) {
  const { mechanism } = exported();
  const known = each.one || each.other;
  const lineOf = (number) => (mechanism.lines[number - mechanism.line] || "").trimEnd();
  const inset = lineOf(mechanism.body[0].l).search(/\S|$/);
  const classes = [each.parts ? "parts" : "", current ? "now" : ""].join(" ").trim();
  return element(
    "tr",
    { class: classes || null },
    element("td", {}, String(known.line)),
    element("td", {}, element("code", {}, lineOf(known.line).slice(inset))),
    element("td", { class: "value" }, each.one ? stepText(each.one) : "-"),
    element("td", { class: "value" }, each.other ? otherText(each) : "-"),
  );
}

const stepText = ({ value }) => (value === "" ? "leaves the loop" : shown(value));

function otherText({ one, other }) {
  return one && one.line !== other.line ? `line ${other.line}: ${stepText(other)}` : stepText(other);
}

// Nothing is shown of runs that were not made.
function showNothing() {
  state.rows = [];
  for (const id of ["at-once", "output", "arrows", "compared", "costs", "bar"]) $(id).replaceChildren();
  $("in-hand").hidden = true;
  for (const id of ["arrows-left-out", "total"]) say(id, "");
  showSteps();
}
