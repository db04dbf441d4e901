"""What a race is told as depends on what becomes of the values: updates, and what begins a compare-and-swap."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.messages import words
from harness.simt.observing.races import RaceDetector
from tests.simt.snippets import kernel

SHARED = "@bins = internal addrspace(3) global [8 x i32] undef, align 16\n"


def races(body, *, grid=1, globals_=""):
    """What the observer of races says of 64 threads of each block."""
    result = simt.launch(
        kernel(body, globals_=globals_),
        target="nvidia:sm_90",
        grid=grid,
        block=64,
        args=[simt.Buffer(np.zeros(256, np.int32), "output")],
        observers=[RaceDetector()],
    )
    return [finding for finding in result.findings if finding.severity != "information"]


def told(body, **options):
    """The same, as ids and severities."""
    return {(finding.id, finding.severity) for finding in races(body, **options)}


BIN = "%k = and i32 %t, 7\n%q = getelementptr i32, ptr addrspace(3) @bins, i32 %k\n"


@pytest.mark.parametrize(
    "again",
    ["%q", "%r"],
    ids=["one address", "an address that is computed again"],
)
def test_an_update_asks_for_an_atomic(again):
    """A barrier between the threads' updates does not help, and nobody is told to call it."""
    twice = "%l = and i32 %t, 7\n%r = getelementptr i32, ptr addrspace(3) @bins, i32 %l\n"
    body = f"{BIN}{twice}%v = load i32, ptr addrspace(3) %q\n%x = add i32 %v, 1\nstore i32 %x, ptr addrspace(3) {again}"
    found = races(body, globals_=SHARED)

    assert {finding.id for finding in found} == {"race.update"}
    for language in ("en", "ko"):
        for finding in found:
            remedy = words(language).remedy(finding)
            assert "Atomic" in remedy
            assert "barrier" not in remedy


@pytest.mark.parametrize(
    "stores",
    [
        "store i32 %t, ptr addrspace(3) %q",  # not made from what was there
        "%r = getelementptr i32, ptr addrspace(3) %q, i32 %t\nstore i32 %v, ptr addrspace(3) @bins",  # elsewhere
    ],
)
def test_what_is_no_update_asks_for_order(stores):
    """A barrier may help."""
    found = told(f"{BIN}%v = load i32, ptr addrspace(3) %q\n{stores}", globals_=SHARED)

    assert found
    assert "race.update" not in {name for name, _ in found}


LOOP = """
      %begin = load i32, ptr %o
      {before}
      br label %loop
    loop:
      %old = phi i32 [ %begin, %{entry} ], [ %found, %again ]
      %new = add i32 %old, 1
      {swap}
      {between}
      %same = icmp eq i32 %found, %old
      br i1 %same, label %end, label %again
    again:
      br label %loop
    end:
      {after}"""
SWAP = "%both = cmpxchg ptr {}, i32 %old, i32 %new monotonic monotonic\n%found = extractvalue {{ i32, i1 }} %both, 0"
BUILT_IN = "%found = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr %o, i32 %old, i32 %new)"


HERE = SWAP.format("%o")


def loop(swap=HERE, before="", between="", after="", entry="0"):
    """A loop that adds 1 by compare-and-swap, and what stands around it."""
    return LOOP.format(swap=swap, before=before, between=between, after=after, entry=entry)


@pytest.mark.slow
@pytest.mark.parametrize("swap", [HERE, BUILT_IN], ids=["instruction", "built-in"])
def test_the_first_value_of_a_compare_and_swap_is_a_warning(swap):
    """It tries again where the value was old; so it is where what the swap found is stored."""
    mine = "%p = getelementptr i32, ptr %o, i32 %k\nstore i32 %found, ptr %p"

    assert told(loop(swap)) == {("race.first-load", "warning")}
    assert told(loop(swap, after=f"%k = add i32 %t, 1\n{mine}")) == {("race.first-load", "warning")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        {"after": "%k = add i32 %t, 1\n%p = getelementptr i32, ptr %o, i32 %k\nstore i32 %begin, ptr %p"},
        {"after": "%k = add i32 %t, 1\n%p = getelementptr i32, ptr %o, i32 %k\nstore i32 %old, ptr %p"},
        {"between": "%k = and i32 %new, 1\n%p = getelementptr i32, ptr %o, i32 %k\n%w = load volatile i32, ptr %p"},
        {"before": "%c = icmp sgt i32 %begin, 1000\nbr i1 %c, label %end, label %go\ngo:", "entry": "go"},
    ],
    ids=["stored", "stored by way of the loop", "an address", "decides whether to try"],
)
def test_a_first_value_that_goes_elsewhere_is_an_error(other):
    """What was read plainly is used without that the compare-and-swap would notice."""
    found = told(loop(**other), grid=2)

    assert ("race.global.read-write", "error") in found or ("race.global.write-read", "error") in found
    assert "race.first-load" not in {name for name, _ in found}


@pytest.mark.slow
def test_a_swap_at_another_place_does_not_notice():
    """The value is compared with what lies elsewhere."""
    swap = (
        "%e = getelementptr i32, ptr %o, i32 1\n" + SWAP.format("%e") + "\n%u = atomicrmw add ptr %o, i32 1 monotonic"
    )

    assert {severity for _, severity in told(loop(swap))} == {"error"}
