"use strict";
// What the numbers of a run are made of: draws and private answers, each with its factor. It is for pictures only. A
// number without `terms` is public, or what is known of it is its value alone.

const MOST_COMPARISONS = 400; // that a run keeps

// A number as the value of a draw or of a private answer.
function sourced(value, source) {
  if (!(value instanceof Rational)) return value;
  const made = new Rational(value.n, value.d);
  made.terms = new Map([[source.name, { ...source, value: made, factor: ONE }]]);
  return made;
}

const FACTORS = {
  "+": () => [ONE, ONE],
  "-": () => [ONE, MINUS_ONE],
  "*": (a, b) => (a.terms && b.terms ? [ZERO, ZERO] : [b, a]),
  "/": (a, b) => (b.terms ? [ZERO, ZERO] : [divided(ONE, b), ZERO]),
};

// The result of an operation on two numbers, with what it is made of.
function composed(operator, a, b, result) {
  if (!(result instanceof Rational) || !(a.terms || b.terms) || !(operator in FACTORS)) return result;
  const factors = FACTORS[operator](a, b);
  const terms = new Map();
  [a, b].forEach((part, i) => {
    for (const [name, term] of part.terms || []) {
      const known = terms.has(name) ? terms.get(name).factor : ZERO;
      terms.set(name, { ...term, factor: added(known, times(term.factor, factors[i])) });
    }
  });
  for (const [name, { factor }] of terms) if (sign(factor) === 0) terms.delete(name);
  result.terms = terms;
  return result;
}

const totalOf = (terms) => terms.map(({ value, factor }) => times(value, factor)).reduce(added, ZERO);
const drawsOf = (terms) => terms.filter(({ made }) => made);

const termsOf = (number) => [...(number.terms || new Map()).values()];
const negatedTerms = (terms) => terms.map((term) => ({ ...term, factor: negated(term.factor) }));

// A comparison as a noisy answer and a threshold, each with what it is made of. They are the sides as written; where
// noise of both signs stands on one side, as in `gap >= 0`, what has not the sign of the answers is the threshold.
function sidesOf({ a, b }) {
  const [left, right] = [a, b].map(termsOf);
  const answers = (terms) => terms.filter(({ made }) => !made);
  const split = drawsOf(right).length === 0 && new Set(drawsOf(left).map(({ factor }) => sign(factor))).size > 1;
  if (!split) {
    const swapped = answers(right).length > answers(left).length;
    const [[noisy, answer], [bar, threshold]] = swapped ? [[b, right], [a, left]] : [[a, left], [b, right]];
    return { noisy, answer, bar, threshold };
  }
  const way = sign((answers(left)[0] || drawsOf(left)[0]).factor);
  const [difference, terms] = way > 0 ? [less(a, b), left] : [less(b, a), negatedTerms(left)];
  const answer = terms.filter(({ factor }) => sign(factor) > 0);
  const noisy = totalOf(answer);
  const threshold = negatedTerms(terms.filter(({ factor }) => sign(factor) < 0));
  return { noisy, answer, bar: less(noisy, difference), threshold };
}

// The items of a list of which some are chosen, the best first: `outputs` are the ranks of those that are.
function ranked({ list, count, smallest }) {
  const better = (i, j) => (smallest ? order(list[i], list[j]) : order(list[j], list[i])) || i - j;
  const ranks = new Map(list.map((_, i) => i).sort(better).map((i, rank) => [i, rank]));
  return list.map((noisy, i) => {
    const rank = ranks.get(i);
    const outputs = rank < count ? [`no. ${rank + 1}`] : [];
    return { noisy, answer: termsOf(noisy), bar: null, threshold: [], outputs, remark: rank === count ? "next" : "" };
  });
}
