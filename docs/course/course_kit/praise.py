"""What is said of a right answer, by exercise; here, since it would give the answer away beside the question."""

PRAISE = {
    1: "The noise of the queries does not grow with k, so that every further winner costs up to eps / 2 more.",
    2: "The gap costs nothing: the same alignment proves the mechanism that says only ABOVE.",
    3: "No alignment of this kind costs less: `find` has a proof of that.",
    4: "The difference of two exponential noises is Laplace noise, which costs as much.",
    5: "It covers every tie, so that the mechanism may be released with exact noise.",
    6: "The direction is known before the first query is asked; the answers are not.",
    7: "The claims of the calls and the cost of your own shift add up.",
    8: "See in the report whether the claim is attained, or wastes some of the budget.",
    9: "This delta is attained: with a count of 1, the word is shown with just this probability.",
    10: "A number needs noise of its own, and its share of the budget.",
    11: "The second opinion confirms it for every n, and your run refutes the report.",
}
