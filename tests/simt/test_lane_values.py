"""Values of lanes: their names in the geometry, and when two of them are equal."""

from __future__ import annotations

import numpy as np
import pytest

from harness.simt.state.lanes import Geometry
from harness.simt.state.merge import equal
from harness.simt.state.reports import Origins, Reports


@pytest.mark.parametrize("name", ["ctaid.w", "ctaid.", "clusterid.xy", "unknown", "unknown.x", "unknown.w"])
def test_an_unknown_geometric_value_is_a_key_error(name):
    geometry = Geometry(np.arange(2), (2, 1, 1), (4, 1, 1), (1, 1, 1), 4)

    with pytest.raises(KeyError):
        geometry.value(name)


def test_a_taint_by_lane_is_not_one_by_byte():
    """Four lanes, and four bytes that all lanes have: a loop that changes one into the other has changed something."""
    by_lane = np.array([0, 7, 0, 0], np.int32)

    assert equal(by_lane, by_lane.copy())
    assert not equal(by_lane, by_lane[None])


@pytest.mark.parametrize(("details", "count"), [({}, 100), ({"count": 0}, 100), ({"count": 7}, 7)])
def test_a_report_counts_more_lanes_than_it_names(details, count):
    lanes = Geometry(np.arange(1), (1, 1, 1), (128, 1, 1), (1, 1, 1), 32).root
    reports = Reports("k", Origins(), lambda: None)
    reports.report("races-not-followed", "information", (), lanes, np.arange(100), **details)

    (finding,) = reports.collector.result()
    assert (finding.count, len(finding.who)) == (count, 64)
