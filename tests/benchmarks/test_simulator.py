"""The benchmark's workloads are right, and its report says what it must."""

import pytest

from harness import simt
from tests.benchmarks import measure, simulator
from tests.benchmarks.workloads import CASES, large


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_the_documented_cases_are_right_with_all_observers(make):
    """A wrong or faulty run would have no time."""
    workload = make()
    result = workload.run(simt.observers())

    workload.check(result)


@pytest.mark.parametrize("workload", ["axis_sum:2048", "block_sum:4096"])
def test_the_sums_are_right_at_other_sizes(workload):
    """Sizes come with the name."""
    instance = large(workload)

    instance.check(instance.run())


def test_a_missing_peer_is_said_to_be_missing():
    """A peer that cannot run gives the reason and no figures."""
    peer = measure.numba("/no/such/python", 1, ["axis_sum:32"])

    assert peer.seconds is None
    assert "cannot be started" in peer.missing


def test_the_report_shows_missed_and_unmeasured_targets():
    """A slow case is `missed`; a target whose peer is missing is neither."""
    grids = [
        {"algorithm": name, "threads": threads, "observed": observed, "seconds": 0.1, "peak_bytes": 1 << 20}
        for name in simulator.SUMS
        for threads in simulator.SIZES[name]
        for observed in (False, True)
    ]
    results = {
        "about": simulator._about(),
        "grids": grids,
        "engines": {"one thread, 9 rounds": {"left_out": ["counters"], "reference": 1.0, "native": 0.25}},
        "cases": {"p15 axis sum": {"none": 0.006, "sync": 0.01, "all": 0.02}},
        "small": dict.fromkeys(simulator.SMALL, 0.001),
        "peers": [{"name": "Oclgrind", "version": "", "seconds": None, "missing": "not here"}],
    }
    results["targets"] = simulator._targets(results)
    text = simulator.markdown(results)

    assert [target["met"] for target in results["targets"]] == [False, True, None, None]
    assert "| Oclgrind: missing, not here |" in text
    assert "| p15 axis sum | 6.00 | 10.00 | 20.00 |" in text
    assert "| one thread, 9 rounds | counters | 1000.0 | 250.0 | 4 |" in text
