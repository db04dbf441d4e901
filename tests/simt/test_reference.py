"""Random kernels: the simulator agrees with one lane at a time."""

import numpy as np
import pytest

from harness import simt
from tests.simt.random_ir import COUNTERS, SLOT_BYTES, graph, structured
from tests.simt.reference import Reference

pytestmark = pytest.mark.slow

STRUCTURED, GRAPHS, MORE = 200, 100, 2000
BATCH = 20


def batches(usual):
    """The first seed of each batch: the usual ones, and more in the nightly run."""
    marks = {True: (), False: pytest.mark.full}
    return [pytest.param(first, marks=marks[first < usual]) for first in range(0, MORE, BATCH)]


def agree(kernel, options, observers=()):
    """Runs a kernel both ways and compares all that it wrote."""
    threads = kernel.grid * kernel.block
    module = simt.decode(kernel.text)
    ints = np.array(kernel.ints, np.int64)
    floats = np.array(kernel.floats, np.float32)
    out = np.zeros(threads * SLOT_BYTES, np.uint8)
    counters = np.zeros(COUNTERS, np.int32)
    slow = [bytearray(array.tobytes()) for array in (ints, floats, out, counters)]
    Reference(module, "k", kernel.grid, kernel.block).run([*slow, kernel.count])
    result = simt.launch(
        module,
        target="nvidia:sm_90",
        grid=kernel.grid,
        block=kernel.block,
        args=[ints, floats, out, counters, np.int32(kernel.count)],
        options=options,
        observers=observers,
    )

    result.raise_for_fault()
    # A barrier after some lanes have ended is noted by an observer.
    assert {finding.kind for finding in result.findings if finding.severity != "information"} <= {"missed-barrier"}
    expected = np.frombuffer(bytes(slow[2]), np.uint8)
    np.testing.assert_array_equal(canonical(out), canonical(expected))
    np.testing.assert_array_equal(counters, np.frombuffer(bytes(slow[3]), np.int32))


def canonical(octets):
    """The slots, with one NaN for all NaNs: which one comes out is left open."""
    slots = octets.reshape(-1, SLOT_BYTES).copy()
    floats = slots[:, 16:20].copy().view(np.float32)
    floats[np.isnan(floats)] = np.nan
    slots[:, 16:20] = floats.view(np.uint8)
    return slots


@pytest.mark.parametrize("first", batches(STRUCTURED))
def test_structured_kernels_agree_with_one_lane_at_a_time(first):
    """Ifs, switches, loops, early exits, barriers, shuffles, calls, all widths."""
    for seed in range(first, first + BATCH):
        options = simt.Options(seed=seed if seed % 3 == 0 else None, chunk_lanes=64 if seed % 5 == 0 else 16384)
        try:
            agree(structured(seed), options, simt.observers() if seed % 4 == 0 else ())
        except Exception as error:
            error.add_note(f"structured({seed})")
            raise


@pytest.mark.parametrize("first", batches(GRAPHS))
def test_graphs_of_blocks_agree_with_one_lane_at_a_time(first):
    """Blocks joined at random: loops with several entries, blocks nobody reaches."""
    for seed in range(first, first + BATCH):
        options = simt.Options(seed=seed if seed % 3 == 0 else None)
        try:
            agree(graph(seed), options, simt.observers() if seed % 4 == 0 else ())
        except Exception as error:
            error.add_note(f"graph({seed})")
            raise
