"""More than is wanted is counted unless it takes long; and random kernels of which all is counted."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.run import saved_memory
from tests.simt.compare import ways_natively
from tests.simt.counted import BEHIND
from tests.simt.engines import LOOKS, VALUE, alike, looks, run
from tests.simt.launches.ways import BLOCKS, LOADED

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("wanted", "patience", "ran", "told"),
    [
        (("writes_per_output_element",), 60.0, (0, BLOCKS), {"writes_per_output_element", "bank_conflicts"}),
        (("writes_per_output_element",), 0.0, (BLOCKS, 0), {"writes_per_output_element"}),
        ((), 0.0, (BLOCKS, 0), set()),
        (("bank_conflicts",), 0.0, (0, BLOCKS), {"writes_per_output_element", "bank_conflicts"}),
    ],
    ids=["a short launch", "a long launch", "nothing wanted", "what Python alone counts"],
)
def test_more_than_is_wanted_is_counted_unless_it_takes_long(wanted, patience, ran, told, monkeypatch):
    """Where it does, the launch begins anew, and what Python did until then is undone."""
    monkeypatch.setattr(saved_memory, "COUNTING_PATIENCE", patience)
    how = {"initialised": True, **looks()}
    apart = BEHIND.removeprefix(VALUE).partition("\n  %w")[0]  # for longer than a turn of Python's
    body = VALUE + LOOKS + LOADED.replace("%s", "%u").replace("%m", "%q") + apart
    expected, left = run(body, "reference", observers=simt.observers(), **how)
    found, output = run(body, "native", observers=simt.observers(counted=wanted, more=True), **how)

    assert output.tobytes() == left.tobytes()
    alike(found, expected)
    assert (found.engine.native, found.engine.python) == ran
    assert found.counters.keys() & {"writes_per_output_element", "bank_conflicts"} == told
    names = found.counters.keys() - {"steps"}
    assert {name: found.counters[name] for name in names} == {name: expected.counters[name] for name in names}


@pytest.mark.parametrize("first", [0, *(pytest.param(start, marks=pytest.mark.full) for start in range(15, 150, 15))])
def test_of_random_kernels_all_is_counted(first):
    """A third of them at least by machine code; of all of these it is a half."""
    assert sum(map(bool, map(ways_natively, range(first, first + 15)))) >= 5
