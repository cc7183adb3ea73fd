"use strict";
// Exact numbers, as the mechanism's own Python computes with them: fractions, and sums of logarithms for base-2 privacy.
// A plain JavaScript number is a float: what sqrt, exp and log give.

class Undefined extends Error {
  // What ends a run: the program has no value here.
  constructor(problem, line) {
    super(problem);
    this.line = line;
  }
}

class TooLong extends Error {
  // What ends a run that only this page cannot take: it says nothing about the program.
}

// Longer numbers than this make a page slow; Python takes them.
const MOST_BITS = 8192;
const LIMIT = 1n << BigInt(MOST_BITS);
const tooLong = (what) => new TooLong(`${what} too long for this page`);

const positive = (n) => (n < 0n ? -n : n);

function commonDivisor(a, b) {
  a = positive(a);
  b = positive(b);
  while (b) [a, b] = [b, a % b];
  return a;
}

class Rational {
  constructor(n, d = 1n) {
    if (d < 0n) [n, d] = [-n, -d];
    if (d > LIMIT || n > LIMIT || n < -LIMIT) throw tooLong("a number gets");
    const divisor = commonDivisor(n, d);
    this.n = divisor > 1n ? n / divisor : n;
    this.d = divisor > 1n ? d / divisor : d;
  }

  get whole() {
    return this.d === 1n;
  }

  float() {
    const size = (n) => positive(n).toString(2).length;
    const shift = 64 - size(this.n) + size(this.d);
    if (shift <= 0) return Number(this.n / this.d);
    if (size(this.d) < 54 && size(this.n) < 54) return Number(this.n) / Number(this.d);
    return Number((this.n << BigInt(shift)) / this.d) / 2 ** shift;
  }

  floor() {
    const quotient = this.n / this.d;
    return this.n < 0n && quotient * this.d !== this.n ? quotient - 1n : quotient;
  }

  toString() {
    return this.whole ? `${this.n}` : `${this.n}/${this.d}`;
  }
}

const rational = (n, d = 1) => new Rational(BigInt(n), BigInt(d));
const ZERO = rational(0);
const ONE = rational(1);
const MINUS_ONE = rational(-1);

// A fraction or a decimal as people type it; null for anything else.
function parsed(text) {
  const fraction = /^\s*([+-]?\d+)\s*\/\s*(\d+)\s*$/.exec(text);
  if (fraction) return BigInt(fraction[2]) === 0n ? null : new Rational(BigInt(fraction[1]), BigInt(fraction[2]));
  const decimal = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/.exec(text);
  if (!decimal || !(decimal[2] || decimal[3])) return null;
  const digits = decimal[3] || "";
  const number = new Rational(BigInt(decimal[2] + digits || "0"), 10n ** BigInt(digits.length));
  return decimal[1] === "-" ? negated(number) : number;
}

class Bits {
  // A sum of rational multiples of -log2(base), each base a fraction between 0 and 1.
  constructor(parts) {
    const collected = new Map();
    for (const [base, factor] of parts) {
      const key = base.toString();
      const before = collected.get(key);
      collected.set(key, [base, before ? added(before[1], factor) : factor]);
    }
    this.parts = [...collected.values()].filter(([, factor]) => factor.n !== 0n);
  }

  sign() {
    if (!this.parts.length) return 0;
    let below = 1n;
    for (const [, factor] of this.parts) below = (below * factor.d) / commonDivisor(below, factor.d);
    let product = ONE;
    for (const [base, factor] of this.parts) {
      product = times(product, raised(base, Number((factor.n * below) / factor.d)));
    }
    return product.n < product.d ? 1 : product.n > product.d ? -1 : 0;
  }

  float() {
    return this.parts.reduce((sum, [base, factor]) => sum - factor.float() * Math.log2(base.float()), 0);
  }

  toString() {
    return this.parts.map(([base, factor]) => `${negated(factor)}*log2(${base})`).join(" + ") || "0";
  }
}

const isNumber = (x) => x instanceof Rational || typeof x === "number" || x instanceof Bits;
const float = (x) => (typeof x === "number" ? x : x.float());

function finite(x) {
  if (!Number.isFinite(x)) throw new Undefined("a result is too large for floating point");
  return x;
}

// An exact number becomes a float only where it is not too large; floats may be infinite, as in Python.
const operand = (x) => (typeof x === "number" ? x : finite(x.float()));

const lifted = (x) => (x instanceof Bits ? x : new Bits([[rational(1, 2), x]]));
const scaled = (bits, factor) => new Bits(bits.parts.map(([base, own]) => [base, times(own, factor)]));

function added(a, b) {
  if (a instanceof Rational && b instanceof Rational) return new Rational(a.n * b.d + b.n * a.d, a.d * b.d);
  if (typeof a === "number" || typeof b === "number") return operand(a) + operand(b);
  return new Bits([...lifted(a).parts, ...lifted(b).parts]);
}

function negated(a) {
  if (a instanceof Rational) return new Rational(-a.n, a.d);
  return typeof a === "number" ? -a : scaled(a, MINUS_ONE);
}

const less = (a, b) => added(a, negated(b));

function times(a, b) {
  if (a instanceof Rational && b instanceof Rational) return new Rational(a.n * b.n, a.d * b.d);
  if (typeof a === "number" || typeof b === "number") return operand(a) * operand(b);
  if (a instanceof Bits && b instanceof Bits) throw new Undefined("a product of two base-2 numbers");
  return a instanceof Bits ? scaled(a, b) : scaled(b, a);
}

function divided(a, b) {
  if (sign(b) === 0) throw new Undefined("division by zero");
  if (a instanceof Rational && b instanceof Rational) return new Rational(a.n * b.d, a.d * b.n);
  if (typeof a === "number" || typeof b === "number") return operand(a) / operand(b);
  if (b instanceof Bits) throw new Undefined("division by a base-2 number");
  return scaled(a, divided(ONE, b));
}

function floorDivided(a, b) {
  if (sign(b) === 0) throw new Undefined("division by zero");
  return new Rational(new Rational(a.n * b.d, a.d * b.n).floor());
}

const remainder = (a, b) => less(a, times(b, floorDivided(a, b)));

function raised(base, exponent) {
  if (exponent < 0 && sign(base) === 0) throw new Undefined("power of 0 with an exponent below 0");
  if (typeof base === "number") return finite(base ** exponent);
  const digits = Math.max(positive(base.n).toString(2).length, base.d.toString(2).length) - 1;
  if (digits * Math.abs(exponent) > MOST_BITS) throw tooLong("a number gets");
  const power = new Rational(base.n ** BigInt(Math.abs(exponent)), base.d ** BigInt(Math.abs(exponent)));
  return exponent < 0 ? new Rational(power.d, power.n) : power;
}

function sign(a) {
  if (a instanceof Rational) return a.n < 0n ? -1 : a.n > 0n ? 1 : 0;
  return typeof a === "number" ? Math.sign(a) : a.sign();
}

function order(a, b) {
  if (typeof a === "number" || typeof b === "number") {
    const [x, y] = [float(a), float(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return sign(less(a, b));
}

const absolute = (a) => (sign(a) < 0 ? negated(a) : a);

// Whether rounding may exchange two numbers of which one is a float.
function nearlyEqual(a, b) {
  const [x, y] = [float(a), float(b)];
  return Math.abs(x - y) <= Math.max(1e-9 * Math.max(Math.abs(x), Math.abs(y)), 1e-9);
}

function integerRoot(n) {
  if (n < 2n) return n;
  let root = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (root * root > n) root -= 1n;
  while ((root + 1n) * (root + 1n) <= n) root += 1n;
  return root;
}

const exactly = (a) => (typeof a === "number" ? fromFloat(a) : a);

// The nearest whole number; of two the even one, as in Python.
function rounded(a) {
  a = exactly(a);
  const low = a.floor();
  const twice = less(times(a, rational(2)), new Rational(2n * low));
  const above = order(twice, ONE);
  return new Rational(above > 0 || (above === 0 && low % 2n !== 0n) ? low + 1n : low);
}

function fromFloat(x) {
  finite(x);
  let power = 0;
  while (!Number.isInteger(x)) {
    x *= 2;
    power += 1;
  }
  return new Rational(BigInt(x), 1n << BigInt(power));
}

const LARGEST_EXPONENT = 2 ** 14;

const SPECIAL = {
  sqrt(a) {
    if (sign(a) < 0) throw new Undefined("the argument of sqrt must be at least 0");
    if (a instanceof Rational) {
      const root = new Rational(integerRoot(a.n), integerRoot(a.d));
      if (order(times(root, root), a) === 0) return root;
    }
    return Math.sqrt(operand(a));
  },
  exp: (a) => (sign(a) === 0 ? ONE : finite(Math.exp(float(a)))),
  exp2(a) {
    if (a instanceof Bits) {
      return a.parts.reduce((product, [base, factor]) => {
        if (!factor.whole) throw new Undefined("a power that is not a fraction");
        return times(product, raised(base, -Number(factor.n)));
      }, ONE);
    }
    const exact = a instanceof Rational && a.whole && positive(a.n) <= LARGEST_EXPONENT;
    return exact ? raised(rational(2), Number(a.n)) : finite(2 ** float(a));
  },
  log(a) {
    if (sign(a) <= 0) throw new Undefined("the argument of log must be above 0");
    return order(a, ONE) === 0 ? ZERO : Math.log(operand(a));
  },
  round: rounded,
  floor: (a) => new Rational(exactly(a).floor()),
  ceil: (a) => new Rational(-negated(exactly(a)).floor()),
};
