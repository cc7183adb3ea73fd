"""``alignkit run``: sample a mechanism on the item counts of real data."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alignkit.cli.options import Command, Parser, whole_number
from alignkit.cli.streams import exit_code_of, say
from alignkit.errors import InputError
from alignkit.formatting import value_shown

if TYPE_CHECKING:
    from alignkit.cli.worker_loop import Service
    from alignkit.data import ItemCounts
    from alignkit.running.mechanism_decorator import Mechanism

_SUMMARY = "sample a mechanism on real data"

_DESCRIPTION = """\
Run a mechanism once on the item counts of a data file, and print which items
came out.

MECHANISM is a name of the catalogue (see `alignkit list`), file.py::name, or
file.py if the file has only one mechanism. Each public parameter is a flag of
the same name; `alignkit run MECHANISM --help` lists them. Numbers may be
written 4000, 0.7 or 1/3.

The data is a transaction file (one transaction per line, items separated by
blanks, as in the FIMI repository) or an item,count table, plain or gzipped.
Which items exist must be public: name them with --items, a file with one item
per line or a range such as 0-19. Without it they are taken from the data
itself, which is not private.

The sampler uses floating point: it is for experiments, not for release.

examples:
  alignkit run noisy_max --data baskets.dat --items 0-19 --eps 0.7
  alignkit run sparse_vector_with_gap --data counts.csv --items items.txt \\
      --T 4000 --k 5 --eps 1/2 --format json
"""

_OWN_FLAGS = ("data", "items", "seed", "format", "help")


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every mechanism has."""
    parser.add_argument("mechanism", metavar="MECHANISM", help="a mechanism of the catalogue, or file.py::name")
    parser.add_argument("--data", metavar="FILE", help="the transactions, or an item,count table")
    parser.add_argument("--items", metavar="FILE|RANGE", help="which items exist: a file, or a range such as 0-19")
    words = "repeat a run with this seed; without it the noise is fresh"
    parser.add_argument("--seed", type=whole_number, metavar="N", help=words)
    parser.add_argument("--format", choices=("table", "json"), default="table", help="table (the default) or json")


def _execute(options: argparse.Namespace) -> int:
    """Run the command in a worker process, which imports the mechanism, and print its output here."""
    from alignkit.cli.worker_process import Worker, await_answer

    with contextlib.closing(Worker(checking=False)) as worker:
        worker.ask(run_in_worker, options.arguments)
        code, out, err = await_answer(worker)
    with contextlib.suppress(BrokenPipeError):
        sys.stderr.write(err)
        sys.stderr.flush()
    sys.stdout.write(out)
    return int(code)


def run_in_worker(service: Service, arguments: list[str]) -> tuple[int, str, str]:
    """Run the command, and return its exit code and what it prints on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = exit_code_of(lambda: _parse_and_sample(arguments))
    return code, out.getvalue(), err.getvalue()


def _parse_and_sample(arguments: list[str]) -> int:
    """Read the mechanism, then the flags, which depend on it; sample, and print."""
    joined, mechanism_name = _join(arguments)
    usage = "alignkit run MECHANISM --data FILE [flags]"
    parser = Parser(prog="alignkit run", usage=usage, description=_DESCRIPTION)
    _add_flags(parser)
    if mechanism_name is None:
        if any(a in ("-h", "--help") for a in arguments):
            parser.print_help()
            return 0
        raise InputError("name the mechanism: alignkit run MECHANISM --data FILE …; `alignkit list` shows them")
    mechanism = _mechanism(mechanism_name)
    _add_parameters(parser, mechanism)
    options, unknown = parser.parse_known_args(joined)
    if unknown:
        raise InputError(_unknown(unknown[0], mechanism))
    flags = {name: getattr(options, f"parameter {name}") for name in mechanism.public}
    texts = {name: text for name, text in flags.items() if text is not None}
    missing = [f"--{name}" for name in mechanism.public if name not in texts and name not in mechanism.defaults]
    if missing:
        if options.data is None:
            missing.insert(0, "--data FILE")
        raise InputError(f"{mechanism.name} needs {', '.join(missing)}; {_flags(mechanism)}")
    if options.data is None:
        raise InputError("name the data: --data FILE, a transaction file or an item,count table")
    return _sample(mechanism, texts, options)


def _join(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Join each flag with its value (every flag but --help has one), and find the mechanism's name."""
    joined: list[str] = []
    name = None
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        takes_value = argument.startswith("--") and "=" not in argument and argument != "--help"
        # A value may be negative; another flag is not a value.
        if takes_value and waiting and not waiting[0].startswith("--"):
            argument += f"={waiting.pop(0)}"
        elif not argument.startswith("-"):
            name = name or argument
        joined.append(argument)
    return joined, name


def _mechanism(name: str) -> Mechanism:
    from alignkit.catalogue import load, mechanisms_in
    from alignkit.running.mechanism_decorator import Mechanism

    if name.endswith(".py") and "::" not in name:
        mechanisms = mechanisms_in(name)
        if len(mechanisms) == 1:
            return mechanisms[0]
        choices = ", ".join(f"{name}::{mechanism.name}" for mechanism in mechanisms)
        problem = f"several mechanisms; name one: {choices}" if mechanisms else "no mechanism to run"
        raise InputError(f"{name} has {problem}")
    target = load(name)
    if not isinstance(target, Mechanism):
        raise InputError(f"{name} is an alignment; run takes a mechanism: {target.mechanism.name}")
    return target


def _add_parameters(parser: Parser, mechanism: Mechanism) -> None:
    group = parser.add_argument_group(f"parameters of {mechanism.name}")
    for name, kind in mechanism.public.items():
        if name in _OWN_FLAGS:
            raise InputError(
                f"the parameter {name} of {mechanism.name} has the name of a flag of `alignkit run`; "
                f"rename it, or call {mechanism.name}.sample(…) in Python"
            )
        words = kind.describes + (", or one number for all queries" if kind.vector else "")
        if name in mechanism.defaults:
            words += f" (default {value_shown(mechanism.defaults[name])})"
        group.add_argument(f"--{name}", dest=f"parameter {name}", metavar="VALUE", help=words)


def _flags(mechanism: Mechanism) -> str:
    flags = [f"--{name} ({kind.describes})" for name, kind in mechanism.public.items()]
    return f"its flags are {', '.join(flags) or 'none of its own'}"


def _unknown(argument: str, mechanism: Mechanism) -> str:
    name = argument.lstrip("-").partition("=")[0]
    if not argument.startswith("-"):
        return f"{argument!r} is one argument too many: name one mechanism, and flags with one value each"
    names = [*mechanism.public, *_OWN_FLAGS]
    close = difflib.get_close_matches(name, names, n=1) or [k for k in names if k.lower() == name.lower()]
    hint = f"did you mean --{close[0]}? " if close else ""
    return f"{mechanism.name} has no parameter {name!r}; {hint}{_flags(mechanism)}"


def _sample(mechanism: Mechanism, texts: dict[str, str], options: argparse.Namespace) -> int:
    from alignkit.cli.sample_report import SampleInputs, read_item_answers, sample_json, sample_table

    private = _private(mechanism)
    for name, text in texts.items():  # before the data is read, which may take a while
        if not mechanism.public[name].vector:
            mechanism.public[name].read(text, name)
    counts = _counts(options)
    number = len(counts.counts)
    if not mechanism.private[private].vector and number != 1:
        raise InputError(
            f"{mechanism.name} takes one answer, {private}, and there are {number} items; name one, such as --items 7-7"
        )
    answers: Any = list(counts.counts) if mechanism.private[private].vector else counts.counts[0]
    parameters = {name: _value(mechanism, name, text, number) for name, text in texts.items()}
    values = mechanism.read((), {private: answers, **parameters})
    inputs = SampleInputs(
        mechanism=mechanism,
        parameters={name: values[name] for name in mechanism.public},
        counts=counts,
        universe=options.items,
        seed=options.seed,
    )
    output = mechanism.sample(seed=options.seed, **{private: answers, **parameters})
    came_out = read_item_answers(mechanism, output, counts.items, _thresholds(mechanism, values, number))
    print(sample_json(inputs, came_out) if options.format == "json" else sample_table(inputs, came_out))
    return 0


def _thresholds(mechanism: Mechanism, values: Mapping[str, Any], number: int) -> list[float]:
    """Return the public threshold T of each query; an empty list where the mechanism has none."""
    if "T" not in mechanism.public:
        return []
    threshold = values["T"]
    return [float(x) for x in threshold] if isinstance(threshold, tuple) else [float(threshold)] * number


def _private(mechanism: Mechanism) -> str:
    if len(mechanism.private) != 1:
        raise InputError(
            f"{mechanism.name} has several private parameters, {', '.join(mechanism.private)}, and item "
            f"counts are one; call {mechanism.name}.sample(…) in Python"
        )
    return next(iter(mechanism.private))


def _counts(options: argparse.Namespace) -> ItemCounts:
    from alignkit.data import align, parse_items, read_counts

    universe = None if options.items is None else parse_items(options.items)
    counts = read_counts(options.data)
    if universe is not None:
        return align(counts, universe)
    say(
        "warning: the items are taken from the data itself; which items occur is then released without any "
        "privacy. Name the public universe by --items FILE or a range such as --items 0-999"
    )
    return counts


def _value(mechanism: Mechanism, name: str, text: str, number: int) -> Any:
    """Read the value of a flag; a public vector may be given as one number for all queries."""
    if not mechanism.public[name].vector:
        return text
    parts = [part.strip() for part in text.split(",")]
    return parts * number if len(parts) == 1 else parts


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute, parses_itself=True)
