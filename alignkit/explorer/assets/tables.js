"use strict";
// What is said of both runs: the verdict, the outputs, the steps and the programs.

const MOST_ROWS = 200; // of a table

const rowAcross = (words) => element("tr", {}, element("td", { colspan: 4 }, words));

// `kind` is "good" where a proof stands behind the words, "fails" where a condition fails, or "".
function showWords(text, kind) {
  for (const each of ["good", "fails"]) $("verdict").classList.toggle(each, each === kind);
  say("verdict", text);
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
    const scope = !both.run.defined && condition !== "termination";
    return scope ? showWords(`outside the claim: ${full}`, "") : failing(both.violation.condition, full);
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

function listed(output) {
  return Array.isArray(output) && exported().mechanism.yields ? output : [output];
}

function showOutput(both) {
  const ended = (run) => (run.defined ? [] : [`(stops: ${run.problem})`]);
  const one = [...listed(both.run.output), ...ended(both.run)];
  const other = both.run_ ? [...listed(both.run_.output), ...ended(both.run_)] : [];
  const rows = [];
  let together = both.run_ !== null;
  for (let i = 0; i < Math.min(MOST_ROWS, Math.max(one.length, other.length, 1)); i += 1) {
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
  for (const id of ["output", "arrows", "compared", "costs", "bar"]) $(id).replaceChildren();
  $("in-hand").hidden = true;
  for (const id of ["arrows-left-out", "total"]) say(id, "");
  showSteps();
}
