"""A cluster of processes on this machine, one of which dies at work."""

from __future__ import annotations

import os
import signal
import threading
import time

import joblib
import numpy as np
import pandas as pd
import pytest

import rolearn
from confidence.tables import chain
from needs import needs
from rolearn.runtime.parallel import Calls

pytestmark = [needs("distributed"), pytest.mark.slow]


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, processes=True) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_killed_worker_changes_nothing(client):
    frame = pd.DataFrame(chain(300), columns=list("abcde"))
    here = rolearn.bootstrap(frame, n=60, n_jobs=1)
    workers = list(client.run(os.getpid).values())
    assert len(set(workers)) == 3
    killed = []

    def kill(report):
        if report.stage == "resamples" and report.fraction > 0.1 and not killed:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    with joblib.parallel_config(backend="dask"):
        there = rolearn.bootstrap(frame, n=60, progress=kill)
    assert killed
    assert there.n_fitted_ == 60
    assert there.table() == here.table()
    assert there.consensus_ == here.consensus_
    deadline = time.monotonic() + 30
    while workers[0] in client.run(os.getpid, on_error="ignore").values() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert workers[0] not in client.run(os.getpid, on_error="ignore").values()  # it was at work here


def test_a_sweep_moves_as_well(client):
    here = rolearn.sweep(chain(), [0.01, 0.1], [1, 2], n_jobs=1)
    with joblib.parallel_config(backend="dask"):
        there = rolearn.sweep(chain(), [0.01, 0.1], [1, 2])
    assert str(here) == str(there)


def test_the_starts_of_a_fit_move_as_well(client, monkeypatch):
    came = []
    run = Calls.run

    def counted(self, *arguments):
        came.append(run(self, *arguments))
        return came[-1]

    monkeypatch.setattr(Calls, "run", counted)
    here = rolearn.learn(chain())
    assert not came
    with joblib.parallel_config(backend="dask"):
        there = rolearn.learn(chain())
        refitted = rolearn.bootstrap(chain(), n=3, n_starts=2)  # sent away as a whole, its starts no further
    searches, *others = came
    assert len(searches) == 2  # they agree
    assert all(result is not None for results in (searches, *others) for result in results)
    assert there.pag_ == here.pag_
    assert (there.order_, there.cost_, there.n_tests_) == (here.order_, here.cost_, here.n_tests_)
    assert refitted.n_fitted_ == 3


def test_the_time_limit_holds_there(client):
    client.run(rolearn.bootstrap, chain(), n=1, n_jobs=1)  # each has loaded what it calls, a new one too
    with joblib.parallel_config(backend="dask"):
        started = time.monotonic()
        found = rolearn.bootstrap(chain(), n=100_000, time_limit=2.0)
    assert time.monotonic() - started < 6.0
    assert found.stop_reason_ is rolearn.StopReason.TIME_LIMIT
    assert 0 < found.n_fitted_ < 100_000


def test_ctrl_c_keeps_those_done(client):
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(report):
        if report.stage == "resamples" and report.fraction > 0.005:
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            report_once.append(report)

    report_once: list = []
    try:
        with joblib.parallel_config(backend="dask"):
            found = rolearn.bootstrap(
                chain(), n=20_000, progress=lambda report: report_once or interrupt(report)
            )
        time.sleep(0.1)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert found.stop_reason_ is rolearn.StopReason.INTERRUPTED
    assert 100 <= found.n_fitted_ < 20_000


def test_a_dask_frame_is_summed_up_where_it_is(client):
    dask_frame = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(chain(3000), columns=list("abcde"))
    parts = dask_frame.from_pandas(frame, npartitions=5)
    statistics = rolearn.Gaussian.from_dask(parts)
    assert statistics.n_samples == 3000
    assert np.abs(statistics.correlation - np.corrcoef(frame.to_numpy().T)).max() < 1e-12
    assert rolearn.learn(parts).pag_ == rolearn.learn(frame).pag_
