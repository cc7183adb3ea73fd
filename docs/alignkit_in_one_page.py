"""The idea of alignkit in one page: sample, replay, align and prove a mechanism with Laplace noise.

A mechanism draws its noise from a vector H. A local alignment says how the noise must move so that the adjacent
database D' gives the same output. If it always does so, never moves two noise vectors with the same output to the same
place, and never costs more than eps, then the mechanism is eps-differentially private. Run this file to see all four
steps.

To stay on one page, this program proves a claim for a fixed number of queries only, and only with alignments whose
shifts depend on the output alone. alignkit itself proves it for every number of queries, by induction over the loop.
"""

import operator
import random
from fractions import Fraction
from functools import partial

import z3


# The mechanism: it returns the index of the first query above a noisy threshold (sparse vector, one answer).
def first_above(q, T, eps, H):
    eta = H.laplace("eta", 2 / eps)
    for i, answer in enumerate(q):
        if answer + H.laplace(f"xi[{i}]", 4 / eps) >= T + eta:
            return i
    return None


# The alignment: raise the noise of the threshold by 1, and the noise of the query that the output names by 2.
def phi(omega):
    return {"eta": 1} if omega is None else {"eta": 1, f"xi[{omega}]": 2}


# 1. Sample: H draws pseudo-random numbers.
class Sampler:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def laplace(self, name, scale):
        return float(scale) * (self.random.expovariate(1) - self.random.expovariate(1))


# 2. Replay: H returns the noise that it was given, and records the scale of each draw.
class Tape:
    def __init__(self, noise):
        self.noise, self.scales = noise, {}

    def laplace(self, name, scale):
        assert name not in self.scales, "each draw has a name of its own"
        self.scales[name] = scale
        return self.noise(name)


# 3. Align: run D on H, shift the noise, run D' on the shifted noise. A shift of Laplace noise of scale b by s costs
#    |s| / b, because its density changes by a factor of at most exp(|s| / b).
def align(mechanism, phi, q, q_, public, noise):
    run = Tape(noise)
    omega = mechanism(q, **public, H=run)
    shifts = phi(omega)
    run_ = Tape(lambda name: noise(name) + shifts.get(name, 0))
    omega_ = mechanism(q_, **public, H=run_)
    cost = sum((abs(shift) / run.scales[name] for name, shift in shifts.items()), 0)
    return omega, omega_, cost, run.scales, run_.scales


# 4. Prove: run the same function on unknowns. Where the program compares unknowns, the path decides how the comparison
#    comes out: True at first, and False on a later run. It records what it has assumed.
class Path:
    def __init__(self, choices, *assumed):
        self.choices, self.taken, self.assumed = choices, 0, list(assumed)

    def decide(self, condition):
        if self.taken == len(self.choices):
            self.choices.append(True)
        way = self.choices[self.taken]
        self.taken += 1
        self.assumed.append(condition if way else z3.Not(condition))
        return way


class Unknown:
    def __init__(self, term, path):
        self.term, self.path = term, path

    def _with(self, operation, other):
        return Unknown(operation(self.term, to_term(other)), self.path)

    def __add__(self, other):
        return self._with(operator.add, other)

    def __truediv__(self, other):
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other):
        return self._with(lambda x, y: y / x, other)

    __radd__ = __add__

    def __ge__(self, other):
        return self.path.decide(self.term >= to_term(other))


def to_term(number):
    """Return the solver's term for an unknown or for a plain number."""
    return number.term if isinstance(number, Unknown) else z3.RealVal(number)


def prove(mechanism, phi, n):
    """Prove eps-differential privacy by phi for n queries that may each change by 1, or return where that fails."""
    q, q_ = ([z3.Real(f"{name}[{i}]") for i in range(n)] for name in ("q", "q'"))
    T, eps = z3.Reals("T eps")
    adjacent = [eps > 0, *(z3.And(x - y <= 1, y - x <= 1) for x, y in zip(q, q_, strict=True))]
    choices = []
    while True:
        path = Path(choices, *adjacent)
        unknown = partial(Unknown, path=path)
        noise = lambda name: unknown(z3.Real(name))  # noqa: B023, E731
        public = {"T": unknown(T), "eps": unknown(eps)}
        runs = align(mechanism, phi, [*map(unknown, q)], [*map(unknown, q_)], public, noise)
        omega, omega_, cost, scales, scales_ = runs
        # On every path, both runs must have the same output and draw the same noise, and the cost must be within eps.
        # phi is one-to-one without further proof here: it shifts all runs with the same output by the same amounts.
        owed = [omega == omega_, scales.keys() == scales_.keys(), to_term(cost) <= eps]
        for name in scales.keys() & scales_.keys():
            owed += [to_term(scales[name]) == to_term(scales_[name]), to_term(scales[name]) > 0]
        solver = z3.Solver()
        solver.add(*path.assumed, z3.Not(z3.And(*owed)))
        answer = solver.check()
        if answer != z3.unsat:
            return f"{'refuted' if answer == z3.sat else 'undecided'} where the output is {omega}"
        choices = path.choices
        while choices and not choices[-1]:
            choices.pop()
        if not choices:
            return "proved"
        choices[-1] = False


def main():
    q, q_, public = [Fraction(5), Fraction(9)], [Fraction(6), Fraction(8)], {"T": Fraction(7), "eps": Fraction(1)}
    print("sample:", first_above(q, **public, H=Sampler(seed=0)))
    print("replay:", first_above(q, **public, H=Tape({"eta": 1, "xi[0]": 0, "xi[1]": 2}.get)))
    print("align: ", *align(first_above, phi, q, q_, public, {"eta": 1, "xi[0]": 0, "xi[1]": 2}.get)[:3])
    print("prove: ", prove(first_above, phi, n=3))
    print("a shift that is too small:  ", prove(first_above, lambda omega: {"eta": 1}, n=3))
    print("a shift that costs too much:", prove(first_above, lambda omega: {**phi(omega), "eta": 3}, n=3))


if __name__ == "__main__":
    main()
