"""The attack by any executor: threads, processes, and a cluster of dask.distributed, all with one result."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest
from dask.distributed import Client, LocalCluster
from support.samplers import Remembering, legacy_count, noisy_count, noisy_counts

from alignkit import Epsilon, InputError, Noise, Queries, mechanism
from alignkit import attack as attack_mechanism
from alignkit.auditing.sampling_attack import attack_sampler
from alignkit.mechanisms.noisy_max_broken import noisy_max_with_half_the_noise
from alignkit.results import CertifiedLoss


def attack(executor: Executor | None) -> CertifiedLoss:
    return attack_sampler(
        noisy_counts,
        adjacency="one",
        queries=2,
        claim=1.0,
        parameters={"scale": 0.5},
        samples=30_000,
        seed=5,
        executor=executor,
    )


@pytest.fixture(scope="module")
def serial() -> CertifiedLoss:
    return attack(None)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    # Spawned: they share nothing with this process, as a cluster's do.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def test_serial(serial: CertifiedLoss) -> None:
    assert serial.violates
    assert serial.loss <= 2.0


def test_threads(serial: CertifiedLoss) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert attack(executor) == serial


def test_processes(serial: CertifiedLoss, processes: ProcessPoolExecutor) -> None:
    assert attack(processes) == serial


# dask warns of its own ports and of how long its loop was busy; neither is ours.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning:distributed")
def test_a_dask_cluster(serial: CertifiedLoss) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        assert attack(client.get_executor()) == serial
        found = attack_mechanism(noisy_max_with_half_the_noise, claim="eps", effort=300, executor=client.get_executor())
        assert found.violates


def test_an_effort_gives_one_search_on_any_number_of_workers() -> None:
    found = []
    for workers in (1, 4):
        with ThreadPoolExecutor(workers) as executor:
            found.append(attack_mechanism(noisy_max_with_half_the_noise, claim="eps", effort=400, executor=executor))
    assert found[0] == found[1]
    assert found[0].loss > 0


def test_a_mechanism_that_no_worker_can_import(processes: ProcessPoolExecutor) -> None:
    @mechanism
    def local(q: Queries, eps: Epsilon, noise: Noise):
        eta = [noise.laplace(1 / eps) for q_i in q]
        return [q_i + eta_i for q_i, eta_i in zip(q, eta)]

    with pytest.raises(InputError, match="define it at the top of a file of its own"):
        attack_mechanism(local, claim="eps", effort=100, executor=processes)
    with ThreadPoolExecutor(2) as executor:
        assert attack_mechanism(local, claim="eps", effort=100, executor=executor).loss > 1


def test_functions_that_no_worker_can_import(processes: ProcessPoolExecutor) -> None:
    with pytest.raises(InputError, match=r"could not send the sampler to its workers.*top level of a module"):
        attack_sampler(lambda data, rng: rng.random(), samples=1000, executor=processes)


def test_a_copy_of_one_generator_in_every_batch(processes: ProcessPoolExecutor) -> None:
    with pytest.raises(InputError, match="Remembering returned the same outputs"):
        attack_sampler(Remembering(), queries=1, samples=10_000, executor=processes)
    # In this process the generator goes on from batch to batch.
    assert attack_sampler(Remembering(), queries=1, claim=1.0, samples=10_000).loss <= 1.0


def test_own_randomness_is_fresh_in_every_worker(processes: ProcessPoolExecutor) -> None:
    arguments: dict[str, Any] = {"queries": 1, "claim": 1.0, "samples": 2000}
    bound = attack_sampler(legacy_count, executor=processes, **arguments)
    assert bound.loss <= 1.0
    assert any("its own randomness" in note for note in bound.notes)
    assert attack_sampler(legacy_count, **arguments).loss == bound.loss


def test_errors_come_back_from_workers(processes: ProcessPoolExecutor) -> None:
    with pytest.raises(InputError, match=r"noisy_count raised IndexError.*the input was"):
        attack_sampler(noisy_count, pairs=[((), (1,))], adjacency=None, samples=1000, executor=processes)


def test_interrupting_a_pool() -> None:
    def progress(line: str) -> None:
        if "samples of each side" in line:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as executor:
        bound = attack_sampler(noisy_count, queries=1, samples=4000, executor=executor, progress=progress)
        assert bound.loss == 0.0
        assert "interrupted: the best so far" in bound.notes
        # The pool is the user's, and goes on.
        assert executor.submit(abs, -1).result() == 1
