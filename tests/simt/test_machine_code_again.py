"""What a launch showed holds for the next one that brings the same, and for no other."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.execution.launch_key import KEPT
from harness.simt.observing.default import ALL
from harness.simt.run.launch import launch, launch_on
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE, alike
from tests.simt.replayed import SET, TILE, S, long_from_the_start
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow

TARGET = "nvidia:sm_90"
# A thread takes what another one gave, behind a barrier or not.
GIVEN = f"""{VALUE}{S}{SET}
  {{between}}
  %u = xor i32 %t, {{away}}
  %u64 = zext i32 %u to i64
  %r = {TILE} %u64
  %w = load i32, ptr addrspace(3) %r{OUT}"""


def module(body, more=""):
    """The kernel, of which nothing has run."""
    return simt.decode(kernel(body, "ptr %a, ptr %o, i32 %k", SHARED + more))


def run(code, engine, values=None, k=0, output=None, grid=1):
    """(result, output) of a launch of it, watched by whoever asks for nothing to be noted."""
    values = np.arange(64, dtype=np.int32) if values is None else values
    output = np.full(64, -1, np.int32) if output is None else output
    result = launch(
        code,
        target=TARGET,
        grid=grid,
        block=32,
        args=[values, output, k],
        observers=[ALL["races"](), ALL["uninitialised"]()],
        options=simt.Options(engine=engine),
    )
    return result, output


@pytest.fixture
def begun():
    """Of each launch natively whether it began with what one before had shown, with the code of long launches."""
    with long_from_the_start("again") as found:
        yield found


def both(code, **how):
    """The result with machine code, once all but what ran it was found to be the reference's."""
    (expected, left), (result, output) = (run(code, engine, **how) for engine in ("reference", "native"))
    assert output.tobytes() == left.tobytes()
    alike(result, expected)
    return result


def test_the_next_launch_begins_with_what_one_showed(begun):
    code = module(GIVEN.format(between=BARRIER, away="%k"))
    results = [both(code, k=1, values=np.arange(first, first + 64, dtype=np.int32)) for first in (0, 5, 9)]

    assert begun == [False, True, True]
    assert {result.engine.native for result in results} == {1}
    assert {str(result.counters) for result in results} == {str(results[0].counters)}


@pytest.mark.parametrize(
    "other",
    [
        {"k": 1},
        {"values": np.arange(31, dtype=np.int32)},
        {"values": simt.Buffer(np.arange(64, dtype=np.int32), initialised=False)},
        {"output": simt.Buffer(np.zeros(64, np.int32), writable=False)},
        {"grid": 2, "values": np.arange(33, dtype=np.int32)},
        {"grid": 3},
    ],
    ids=["a number", "a size", "undefined bytes", "what may be written", "a size and a grid", "a grid"],
)
def test_a_launch_that_brings_something_else_is_found_wrong_all_the_same(other, begun):
    code = module(GIVEN.format(between="", away="%k"))
    assert both(code).engine.native == 1
    assert both(code).engine.native == 1
    assert begun == [False, True]

    result, expected = (run(code, engine, **other)[0] for engine in ("native", "reference"))
    alike(result, expected)
    assert result.findings
    assert both(code).engine.native == 1


def test_overlapping_arrays_are_told_from_others(begun):
    code = module(f"{VALUE}\n  %w = add i32 %v, 1{OUT}")
    assert [both(code).engine.native for _ in range(2)] == [1, 1]
    given = [(engine, np.arange(65, dtype=np.int32)) for engine in ("native", "reference")]
    result, expected = (run(code, engine, values=one[:64], output=one[1:])[0] for engine, one in given)

    alike(result, expected)
    assert result.findings


def test_what_lies_in_constant_memory_is_each_launchs_own(begun):
    away = "@away = internal addrspace(4) constant i32 0, align 4\n"
    code = module(GIVEN.format(between="%away = load i32, ptr addrspace(4) @away", away="%away"), away)
    device = simt.Device()
    values = device.allocate(256, "values", data=np.zeros(256, np.uint8), initialised=True)
    output = device.allocate(256, "output", data=np.zeros(256, np.uint8), initialised=True)
    parameters = [address.base.to_bytes(8, "little") for address in (values, output)] + [bytes(4)]
    found = []
    for constant in (0, 0, 1):
        result = launch_on(
            device,
            code,
            target=TARGET,
            grid=1,
            block=32,
            parameters=parameters,
            constants={"away": constant.to_bytes(4, "little")},
            observers=[ALL["races"]()],
            options=simt.Options(engine="native"),
        )
        found.append((result.engine.native, bool(result.findings)))

    assert found == [(1, False), (1, False), (0, True)]


def test_forms_do_not_pile_up(begun):
    code = module(f"{VALUE}\n  %w = add i32 %v, %k{OUT}")
    for k in range(3 * KEPT):
        assert run(code, "native", k=k)[0].engine.native == 1

    (native,) = compile_kernel(code, None, target_of(TARGET)).cache.native.values()
    assert all(0 < len(best.forms) <= KEPT for best, _ in native.best.values())
