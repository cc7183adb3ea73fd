"""Many checks: one after the other, by threads, by processes and by a dask cluster, all with the same results."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dask.distributed import Client, LocalCluster
from support.claims_with_delta import DELTA, key_phi

from alignkit import (
    Alignment,
    Epsilon,
    InputError,
    InternalError,
    LanguageError,
    Noise,
    Query,
    TargetError,
    alignment,
    check,
    check_all,
    load,
    mechanism,
)
from alignkit.catalogue import module_with_alignments
from alignkit.proofs.noisy_max import phi as noisy_max_phi
from alignkit.results import Result
from alignkit.spreading import many_checks as check_tasks

HEAD = """
from alignkit import Epsilon, Noise, Query, alignment, mechanism
"""

MECHANISM = """
Answer = {answer}

@mechanism
def noisy_count(q: Answer, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e
"""

PROOFS = """
from counts_of_users import noisy_count

@alignment(noisy_count, epsilon="eps")
def enough(q, q_, omega, H):
    return H.shift(e=q - q_)

@alignment(noisy_count, epsilon="eps / 2", expect="refuted")
def too_little(q, q_, omega, H):
    return H.shift(e=q - q_)
"""

OWN_PROOF = """
@alignment(noisy_count, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=q - q_)
"""

WORKER = "multiprocessing.parent_process() is not None"

ONLY_WITH_THE_CALLER = f"""
if not ({WORKER}):
    @alignment(noisy_count, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(e=q - q_)
"""


def write(path: Path, *parts: str) -> str:
    path.write_text("".join(parts))
    return str(path)


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> list[Alignment | str]:
    """An alignment, names of the catalogue, and a user's file that imports the mechanism from its neighbour."""
    folder = tmp_path_factory.mktemp("users")
    write(folder / "counts_of_users.py", HEAD, MECHANISM.format(answer="Query"))
    proofs = write(folder / "proofs_of_users.py", HEAD, PROOFS)
    return [noisy_max_phi, proofs, "noisy_max_broken", f"{proofs}::enough", "noisy_max"]


def same(results: list[Result]) -> list[Result]:
    return [replace(result, seconds=0.0) for result in results]


@pytest.fixture(scope="module")
def serial(targets: list[Alignment | str]) -> list[Result]:
    return same(check_all(targets))


@pytest.fixture(scope="module")
def spawned() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def test_one_after_the_other(serial: list[Result]) -> None:
    names = [(result.mechanism, result.alignment) for result in serial]
    assert names[:3] == [("noisy_max", "phi"), ("noisy_count", "enough"), ("noisy_count", "too_little")]
    assert names[-1] == ("noisy_max", "monotone_phi")
    assert len(set(names)) == len(names)
    assert all(result.as_expected for result in serial)
    # The proof of one alignment bounds the mechanism, whatever became of another.
    assert (serial[2].verdict, serial[2].privacy.upper) == ("refuted", "eps")


def test_threads(targets: list[Alignment | str], serial: list[Result]) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert same(check_all(targets, executor=executor)) == serial


# Newer versions of Python warn of every fork beside other threads; those here are idle.
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_forked_processes(targets: list[Alignment | str], serial: list[Result]) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as executor:
        assert same(check_all(targets, executor=executor)) == serial


def test_spawned_processes(
    targets: list[Alignment | str], serial: list[Result], spawned: ProcessPoolExecutor
) -> None:
    assert same(check_all(targets, executor=spawned)) == serial


# dask warns of its own ports and of how long its loop was busy; neither is ours.
@pytest.mark.filterwarnings("ignore::UserWarning:distributed")
@pytest.mark.parametrize(
    "processes", [pytest.param(True, marks=pytest.mark.slow), False], ids=["processes", "threads"]
)
def test_a_dask_cluster(targets: list[Alignment | str], serial: list[Result], processes: bool) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=processes, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        assert same(check_all(targets, executor=client.get_executor())) == serial
        assert same(check_all(targets, executor=client)) == serial


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning:distributed")
def test_a_dask_cluster_that_fails_once_and_is_gone_at_last(tmp_path: Path) -> None:
    mended = tmp_path / "mended"
    missing = f"{WORKER} and not os.path.exists({str(mended)!r})"
    once = f"import multiprocessing, os\nif {missing}:\n    import not_yet_there\n"
    proofs = write(tmp_path / "fails_once.py", once, HEAD, MECHANISM.format(answer="Query"), OWN_PROOF)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        executors = (client.get_executor(), client)
        for executor in executors:
            mended.unlink(missing_ok=True)
            with pytest.raises(TargetError, match=r"^noisy_count / phi: the worker cannot import it: .*not_yet_there"):
                check_all([proofs], executor=executor)
            mended.touch()
            (result,) = check_all([proofs], executor=executor)
            assert result.proved
            client.restart()
    for executor in executors:
        with pytest.raises(InputError, match=r"the executor (does not take|could not check)"):
            check_all([proofs], executor=executor)


def test_settings_reach_every_check(spawned: ProcessPoolExecutor) -> None:
    settings: dict[str, Any] = {"seed": 7, "effort": 0, "table": [{"milk"}, {"milk", "tea"}]}
    alone = same([check(noisy_max_phi, **settings)])
    assert same(check_all([noisy_max_phi], **settings)) == alone
    assert same(check_all([noisy_max_phi], executor=spawned, **settings)) == alone
    (result,) = check_all([noisy_max_phi], timeout=1e-6, executor=spawned)
    assert result.verdict == "undecided"


def test_no_targets(spawned: ProcessPoolExecutor) -> None:
    assert check_all([]) == check_all([], executor=spawned) == []


@pytest.mark.parametrize("threads", [True, False], ids=["threads", "alone"])
def test_progress_names_each_alignment(threads: bool) -> None:
    texts: list[str] = []
    with ThreadPoolExecutor(2) as executor:
        check_all(["noisy_max"], effort=0, progress=texts.append, executor=executor if threads else None)
    assert texts == ["[1/2] noisy_max / phi", "[2/2] noisy_max / monotone_phi"]


def test_a_result_from_a_worker_knows_when_it_is_stale(tmp_path: Path, spawned: ProcessPoolExecutor) -> None:
    proofs = write(tmp_path / "soon_stale.py", HEAD, MECHANISM.format(answer="Query"), OWN_PROOF)
    (result,) = check_all([proofs], executor=spawned)
    assert result.proved
    module, _ = module_with_alignments(proofs)
    module.noisy_count = load("laplace_mechanism")
    assert not result.proved
    with pytest.raises(LanguageError):
        check_all([module.phi], executor=spawned)


def test_a_result_of_another_delta_is_none_of_the_alignment() -> None:
    found = check_all([key_phi], effort=0)[0]
    assert found.delta == DELTA

    class Forgetful(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            pure = replace(found, delta=None)
            return super().submit(lambda: pure)

    with Forgetful(1) as executor, pytest.raises(InputError, match="returned no result of noisy_key / key_phi"):
        check_all([key_phi], executor=executor)


def local_alignment() -> Alignment:
    @mechanism
    def local(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e

    @alignment(local, epsilon="eps")
    def local_phi(q, q_, omega, H):
        return H.shift(e=q - q_)

    return local_phi


def test_an_alignment_that_no_other_process_finds(spawned: ProcessPoolExecutor) -> None:
    phi = local_alignment()
    with pytest.raises(InputError, match=r"^local / local_phi cannot be sent to another process: .* or use threads$"):
        check_all([phi], executor=spawned)
    with ThreadPoolExecutor(2) as executor:
        assert check_all([phi], executor=executor)[0].proved


@pytest.mark.parametrize(
    ("answer", "proof"),
    [
        (f"Query(sensitivity=2) if {WORKER} else Query", OWN_PROOF),
        ("Query", OWN_PROOF.replace('"eps"', f'"2 * eps" if {WORKER} else "eps"')),
        ("Query", ONLY_WITH_THE_CALLER),
    ],
    ids=["mechanism", "claim", "missing"],
)
def test_a_worker_that_has_another_program(
    tmp_path: Path, spawned: ProcessPoolExecutor, answer: str, proof: str, request: pytest.FixtureRequest
) -> None:
    name = f"of_another_{request.node.callspec.id}.py"
    proofs = write(tmp_path / name, "import multiprocessing\n", HEAD, MECHANISM.format(answer=answer), proof)
    assert check_all([proofs])[0].proved
    with pytest.raises(TargetError, match=r"^noisy_count / phi: the worker has another version of .*restart workers"):
        check_all([proofs], executor=spawned)


def test_a_worker_that_has_another_alignkit(monkeypatch: pytest.MonkeyPatch, spawned: ProcessPoolExecutor) -> None:
    monkeypatch.setattr(check_tasks, "__version__", "0.0.7")
    with pytest.raises(TargetError, match=r"^noisy_max / phi: the worker has alignkit .*, and the caller has 0\.0\.7$"):
        check_all([noisy_max_phi], executor=spawned)


def test_a_file_that_a_worker_cannot_import(tmp_path: Path, spawned: ProcessPoolExecutor) -> None:
    only_here = f"import multiprocessing\nif {WORKER}:\n    import not_on_the_worker\n"
    proofs = write(tmp_path / "only_here.py", only_here, HEAD, MECHANISM.format(answer="Query"), OWN_PROOF)
    with pytest.raises(TargetError, match=r"^noisy_count / phi: the worker cannot import it: .*not_on_the_worker"):
        check_all([proofs], executor=spawned)


def test_a_target_that_names_nothing() -> None:
    with pytest.raises(TargetError, match="nothing_like_this"):
        check_all([noisy_max_phi, "nothing_like_this"])


@pytest.mark.parametrize("threads", [True, False], ids=["threads", "alone"])
def test_an_error_of_alignkits_own_names_the_alignment(monkeypatch: pytest.MonkeyPatch, threads: bool) -> None:
    monkeypatch.setattr(check_tasks, "check", lambda alignment, **settings: 1 / 0)
    with (
        ThreadPoolExecutor(2) as executor,
        pytest.raises(InternalError, match=r"^noisy_max / phi: ZeroDivisionError: division by zero") as caught,
    ):
        check_all([noisy_max_phi], executor=executor if threads else None)
    assert "in run_check" in caught.value.__notes__[0]


def test_workers_that_die(tmp_path: Path) -> None:
    deadly = f"import multiprocessing, os\nif {WORKER}:\n    os._exit(3)\n"
    proofs = write(tmp_path / "deadly.py", deadly, HEAD, MECHANISM.format(answer="Query"), OWN_PROOF)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        with pytest.raises(InputError, match="stopped before noisy_count / phi was checked: BrokenProcessPool"):
            check_all([proofs], executor=executor)
        with pytest.raises(InputError, match="the executor's workers stopped: BrokenProcessPool"):
            check_all([noisy_max_phi], executor=executor)


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_that_is_shut_down(make: type[ThreadPoolExecutor | ProcessPoolExecutor]) -> None:
    executor = make(1)
    executor.shutdown()
    with pytest.raises(InputError, match=r"the executor does not take the check of noisy_max / phi: .*after shutdown"):
        check_all([noisy_max_phi], executor=executor)


class Returning(Executor):
    """An executor of which every task has one outcome, whatever it was; those after it wait for ever."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome
        self.futures: list[Future[Any]] = []

    def submit(self, *task: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures and isinstance(self.outcome, BaseException):
            future.set_exception(self.outcome)
        elif not self.futures:
            future.set_result(self.outcome)
        self.futures.append(future)
        return future


def test_a_lost_task_is_no_result(serial: list[Result]) -> None:
    for outcome in (None, True, "proved", serial[1]):
        with pytest.raises(InputError, match="the executor returned no result of noisy_max / phi, but"):
            check_all([noisy_max_phi], executor=Returning(outcome))
    with pytest.raises(InputError, match="the executor could not check noisy_max / phi: OSError: no route"):
        check_all([noisy_max_phi], executor=Returning(OSError("no route")))


@pytest.mark.parametrize("outcome", [KeyboardInterrupt(), None], ids=["interrupt", "error"])
def test_what_has_not_started_is_cancelled(outcome: Any) -> None:
    executor = Returning(outcome)
    with pytest.raises(KeyboardInterrupt if outcome else InputError):
        check_all(["noisy_max"], executor=executor)
    first, second = executor.futures
    assert second.cancelled()
