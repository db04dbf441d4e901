"""What never ends is stopped as soon as that can be known, by what it does and not by the clock."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.graph import Ref
from harness.simt.compile.loop_control import NEVER, CounterExit, iterations_until_exit
from harness.simt.ir.types import Int
from tests.simt.endless import ENDLESS, ENDS
from tests.simt.snippets import declarations

STEPS = 600  # most steps until it is known
THREAD = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"


def run(body, **options):
    """Launch a body with two warps."""
    body = f"{THREAD}\n{body}"
    return simt.launch(
        f"{declarations(body)}define ptx_kernel void @k(ptr %o) {{\n{body}\n}}",
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[np.zeros(64, np.int32)],
        options=simt.Options(**options),
    )


@pytest.mark.parametrize(("found", "body"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("seed", [None, 1])
def test_it_is_stopped_within_a_few_hundred_steps(found, body, seed):
    result = run(body, max_steps=20_000, seed=seed)

    assert isinstance(result.fault, simt.Livelock), result.fault
    assert [finding.id for finding in result.findings if finding.severity == "error"] == [found]
    assert result.counters["steps"] <= STEPS * (1 if seed is None else 8)
    assert result.fault.finding.sites


@pytest.mark.parametrize("body", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("seed", [None, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 7))])
def test_what_ends_is_not_stopped(body, seed):
    result = run(body, seed=seed)

    assert (result.fault, result.verdict) == (None, "clean")


@pytest.mark.parametrize(("found", "body"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.slow
def test_the_compiled_engine_comes_to_the_same(found, body):
    result = run(body, engine="auto")

    assert result.fault is not None and result.fault.finding.id == found


@pytest.mark.parametrize("bits", [3, 4])
@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_the_rounds_that_are_left_are_never_more_than_a_lane_goes(predicate, bits):
    """Compared with counting, for all counters, steps and bounds of a few bits; where it is exact it says so."""
    size = 1 << bits

    def signed(value):
        return value - size if value >= size >> 1 else value

    def leaves(at, bound):
        if predicate in ("eq", "ne"):
            return (at == bound) == (predicate == "eq")
        left, right = (signed(at), signed(bound)) if predicate[0] == "s" else (at, bound)
        return {"lt": left < right, "le": left <= right, "gt": left > right, "ge": left >= right}[predicate[1:]]

    for step in range(-size // 2, size // 2):
        leave = CounterExit(predicate, 0, 1, step, bits, Ref(0, Int(bits)))
        for counter in range(size):
            for bound in range(size):
                rounds = (round for round in range(size) if leaves((counter + 1 + round * step) % size, bound))
                exact = next(rounds, NEVER)
                told = iterations_until_exit(leave, counter, bound)
                assert told <= exact
                if predicate in ("eq", "ne") or exact == 0 or step in (-1, 0, 1):
                    assert told == exact
