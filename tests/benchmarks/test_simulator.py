"""The benchmark's workloads are right, and its report says what it must."""

from dataclasses import asdict
from xml.etree import ElementTree

import pytest

from harness import simt
from tests.benchmarks import measure, page, simulator
from tests.benchmarks.aims import Aim, measured
from tests.benchmarks.workloads import CASES, large
from tests.simt.engines import at_once
from tests.simt.replayed import long_from_the_start


@pytest.mark.slow
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


@pytest.mark.parametrize("workload", ["axis_sum:2048", "block_sum:4096"])
def test_the_sums_are_replayed_in_long_launches(workload):
    """Their arguments are structs in memory: of those, too, it is known that nobody writes there."""
    instance = large(workload)

    with long_from_the_start() as might, at_once():
        for _ in range(2):  # the second finds what the first had in common with it
            instance.check(instance.run(simt.observers(counters=False), engine="native"))

    assert might and all(might)


def test_what_was_measured_before_a_failure_is_kept_and_the_failed_row_says_so():
    """A launch that is stopped, say: the rows before it stay, and other groups go on."""

    def group():
        yield Aim("one thread", 3.0, 4.0, "ms", "Python")
        raise AssertionError("p33:tensor-core: the kernel was stopped")

    found = [asdict(aim) | {"met": aim.met} for aim in measured("documented sizes", group)]
    shown = "\n".join(page._aims(found))

    assert [aim["met"] for aim in found] == [True, False]
    assert "| one thread | Python | 3 ms | at most 4 ms | met |" in shown
    assert "failed: AssertionError: p33:tensor-core: the kernel was stopped |  | failed |" in shown


def test_a_missing_peer_is_said_to_be_missing():
    """A peer that cannot run gives the reason and no figures."""
    peer = measure.numba("/no/such/python", 1, ["axis_sum:32"])

    assert peer.seconds is None
    assert "cannot be started" in peer.missing


def test_the_report_shows_missed_and_unmeasured_targets():
    """A slow case is `missed`; a target whose peer is missing is neither."""
    way = {"seconds": 0.1, "spent": 0.05, "peak_bytes": 1 << 20, "native": 0}
    slow = Aim("one thread, 9 rounds", 3.0, 1.0, "ms", "Python", "by the clock 4 ms")
    results = {
        "about": simulator._about(),
        "grids": {name: dict.fromkeys(("plain", "observed", "native"), way) for name in simulator.GRIDS},
        "aims": [asdict(slow) | {"met": slow.met}],
        "cases": {"p15 axis sum": {"none": 0.006, "sync": 0.01, "all": 0.02}},
        "small": dict.fromkeys(simulator.SMALL, 0.001),
        "peers": [{"name": "Oclgrind", "version": "", "seconds": None, "missing": "not here"}],
    }
    results["targets"] = simulator._targets(results)
    text = page.markdown(results)

    assert [target["met"] for target in results["targets"]] == [False, True, None, None]
    assert "| Oclgrind: missing, not here |" in text
    assert "| p15 axis sum | 6.00 | 10.00 | 20.00 |" in text
    assert "| one thread, 9 rounds | Python | 3 ms | at most 1 ms | missed | by the clock 4 ms |" in text
    assert "| block_sum | 16,777,216 | 50 | 50 | 50 (Python) | - | 1 | 1 | 1 | - |" in text


def test_the_plot_has_a_line_for_each_way_in_each_panel():
    """Time and memory of both sums; a way that was not measured has none."""
    ways = {how: {"spent": 0.05, "peak_bytes": 1 << 20} for how in ("plain", "native")}
    drawn = ElementTree.fromstring(page.drawing({"grids": dict.fromkeys(simulator.GRIDS, ways)}))

    assert len([line for line in drawn.iter("{http://www.w3.org/2000/svg}polyline") if line.get("points")]) == 2 * 4
