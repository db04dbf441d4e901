"""Barriers in shared memory: phases, arrivals, bytes, tokens, and what they order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness import simt
from tests.simt.built import needs_mojo
from tests.simt.nvidia import launch
from tests.simt.snippets import kernel, recorder

F32 = np.float32
DATA = np.random.default_rng(9).normal(size=1024).astype(F32)
NAME = "llvm.nvvm.mbarrier"
HERE = "scope.cta.space.cta"
SHARED = "@bar = internal addrspace(3) global [4 x i64] undef, align 8\n"
BAR = "ptr addrspace(3) @bar"


@needs_mojo
@pytest.mark.parametrize("seed", [None, 2])
def test_values_go_round_by_tokens(seed):
    x = DATA[:64].copy()
    for _ in range(4):
        x = x + np.roll(x, -1)

    np.testing.assert_array_equal(launch("phases_by_token", 1, 64, np.zeros(64, F32), DATA, seed=seed), x)


@needs_mojo
@pytest.mark.parametrize("seed", [None, 2])
def test_a_producer_fills_tiles_for_a_consumer(seed):
    """The producer's copies arrive at one barrier of a tile; the consumer tells by the other one that it has read."""
    total = np.zeros(32, F32)
    for row in DATA[:256].reshape(8, 32):
        total = total * 2 + row[::-1]

    np.testing.assert_array_equal(launch("pipelined", 1, 64, np.zeros(32, F32), DATA, seed=seed), total)


@needs_mojo
@pytest.mark.parametrize("seed", [None, 2])
def test_blocks_arrive_at_barriers_of_their_peers(seed):
    """What was written before is seen after the wait."""
    out = launch("cluster_phases", 2, 32, np.zeros(128, F32), DATA, seed=seed, cluster=2)
    tripled = DATA[:64] * 3

    np.testing.assert_array_equal(out[:64], tripled)
    np.testing.assert_array_equal(out[64:], np.concatenate([tripled[:31:-1], tripled[31::-1]]))


def run(body, threads=1, observers=None, **options):
    """Launches a body in which %r is what each thread stores."""
    text = f"{body}\n%p = getelementptr i32, ptr %o, i64 %i\nstore i32 %r, ptr %p\n"
    output = np.full(threads, -1, np.int32)
    result = simt.launch(
        kernel(text, globals_=SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=threads,
        args=[output],
        observers=simt.observers() if observers is None else observers,
        options=simt.Options(**options),
    )
    return result, output.tolist()


def ids(result):
    """The findings, in order."""
    return [finding.id for finding in result.findings]


def test_a_phase_ends_with_its_last_arrival():
    """By parity: that of the phase before the first one has ended, that of the first one when two have arrived."""
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 2)
      %a = call i1 @{NAME}.test.wait.parity.{HERE}({BAR}, i32 1)
      %b = call i1 @{NAME}.test.wait.parity.{HERE}({BAR}, i32 0)
      %k = call i64 @{NAME}.arrive.shared({BAR})
      %c = call i1 @{NAME}.test.wait.shared({BAR}, i64 %k)
      %l = call i64 @{NAME}.arrive.shared({BAR})
      %d = call i1 @{NAME}.test.wait.shared({BAR}, i64 %k)
      %e = call i1 @{NAME}.test.wait.parity.{HERE}({BAR}, i32 0)
      %f = call i1 @{NAME}.test.wait.parity.{HERE}({BAR}, i32 1)
      %n = call i32 @{NAME}.pending.count(i64 %l)
      %v0 = insertelement <6 x i1> poison, i1 %a, i64 0
      %v1 = insertelement <6 x i1> %v0, i1 %b, i64 1
      %v2 = insertelement <6 x i1> %v1, i1 %c, i64 2
      %v3 = insertelement <6 x i1> %v2, i1 %d, i64 3
      %v4 = insertelement <6 x i1> %v3, i1 %e, i64 4
      %v5 = insertelement <6 x i1> %v4, i1 %f, i64 5
      %bits = bitcast <6 x i1> %v5 to i6
      %wide = zext i6 %bits to i32
      %high = shl i32 %n, 8
      %r = or i32 %wide, %high"""
    result, output = run(body)

    assert (result.verdict, output) == ("clean", [0b011001 | 1 << 8])


def test_those_who_drop_out_are_not_waited_for_again():
    """Of two, one drops: the first phase takes both, the second one alone."""
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 2)
      %k = call i64 @{NAME}.arrive.drop.shared({BAR})
      %l = call i64 @{NAME}.arrive.shared({BAR})
      %m = call i64 @{NAME}.arrive.shared({BAR})
      %d = call i1 @{NAME}.test.wait.shared({BAR}, i64 %m)
      %r = zext i1 %d to i32"""

    assert run(body)[1] == [1]


@pytest.mark.parametrize(("come", "ended"), [(0, 0), (12, 0), (16, 1)])
def test_a_phase_waits_for_the_bytes_that_it_expects(come, ended):
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 1)
      %k = call i64 @{NAME}.arrive.expect.tx.{HERE}({BAR}, i32 16)
      call void @{NAME}.complete.tx.{HERE}({BAR}, i32 {come})
      %d = call i1 @{NAME}.test.wait.shared({BAR}, i64 %k)
      %r = zext i1 %d to i32"""
    result, output = run(body)

    assert output == [ended]
    assert ids(result) == ([] if ended else ["mbarrier.left"])


def test_bytes_may_come_before_they_are_expected():
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 1)
      call void @{NAME}.complete.tx.{HERE}({BAR}, i32 16)
      %k = call i64 @{NAME}.arrive.expect.tx.{HERE}({BAR}, i32 16)
      %d = call i1 @{NAME}.test.wait.shared({BAR}, i64 %k)
      %r = zext i1 %d to i32"""

    assert run(body)[1] == [1]


def test_one_more_than_a_phase_takes_is_told():
    """The bytes of the phase are still to come, and nobody is pending any more."""
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 1)
      %k = call i64 @{NAME}.arrive.expect.tx.{HERE}({BAR}, i32 16)
      %l = call i64 @{NAME}.arrive.shared({BAR})
      call void @{NAME}.complete.tx.{HERE}({BAR}, i32 16)
      %r = add i32 0, 0"""

    assert ids(run(body)[0]) == ["mbarrier.crowd"]


@pytest.mark.parametrize("drop", ["", ".drop"])
@pytest.mark.parametrize("count", [3, 2])
def test_an_arrival_that_must_not_end_a_phase_is_told_where_it_does(count, drop):
    """Two arrive so at once; where a third one lacks, that ends it."""
    more = f"call i64 @{NAME}.arrive.shared({BAR})" if count > 2 else "add i64 0, 0"
    result, _ = run(f"""
      call void @{NAME}.init.shared({BAR}, i32 {count})
      %s = call i64 @{NAME}.arrive{drop}.noComplete.shared({BAR}, i32 2)
      %u = {more}
      %d = call i1 @{NAME}.test.wait.parity.{HERE}({BAR}, i32 0)
      %r = zext i1 %d to i32""")

    assert ids(result) == ["mbarrier.no-end"] * (count == 2)


def test_a_barrier_for_nobody_is_told():
    body = f"call void @{NAME}.init.shared({BAR}, i32 0)\n%r = add i32 0, 0"

    assert ids(run(body)[0]) == ["mbarrier.count"]


def test_a_phase_that_never_ends_says_what_lacks():
    """In a loop that waits without asking, too."""
    loop = (
        "{\\0A .reg .pred P1; LAB_WAIT:\\0A mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1;\\0A @P1 bra DONE;"
        " bra LAB_WAIT; DONE:\\0A }"
    )
    body = f"""
      call void @{NAME}.init.shared({BAR}, i32 3)
      %k = call i64 @{NAME}.arrive.shared({BAR})
      call void asm sideeffect "{loop}", "r,r"({BAR}, i32 0)
      %r = add i32 0, 0"""
    result, _ = run(body)
    finding = next(candidate for candidate in result.findings if candidate.id == "mbarrier.never-ends")

    assert isinstance(result.fault, simt.Deadlock)
    assert "2 of 3 arrivals and 0 bytes are missing" in str(finding)


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_observers_hear_of_arrivals_and_waits_by_phase(seed):
    watch, events = recorder("phase")
    body = f"""
      %first = icmp eq i32 %t, 0
      br i1 %first, label %begin, label %begun
    begin:
      call void @{NAME}.init.shared({BAR}, i32 64)
      br label %begun
    begun:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %k = call i64 @{NAME}.arrive.shared({BAR})
      br label %wait
    wait:
      %d = call i1 @{NAME}.test.wait.shared({BAR}, i64 %k)
      br i1 %d, label %go, label %wait
    go:
      %r = add i32 0, 1"""
    result, output = run(body, 64, (watch, *simt.observers()), seed=seed)
    arrived = [event for _, event in events if event.kind == "arrive"]
    waited = [event for _, event in events if event.kind == "wait"]

    assert (result.verdict, output) == ("clean", [1] * 64)
    assert sum(event.lanes.n for event in arrived) == sum(event.lanes.n for event in waited) == 64
    assert {int(phase) for event in (*arrived, *waited) for phase in event.phases} == {0}


@pytest.mark.slow
def test_a_grid_may_be_of_hundreds_of_chunks():
    """Their barriers have numbers of their own, as long as a word has room for them."""
    text = (Path(__file__).parents[1] / "hazards" / "mbarrier" / "parity_not_flipped.ll").read_text()
    result = simt.launch(
        text,
        kernel="clean",
        target="nvidia:sm_90",
        grid=140,
        block=64,
        args=[np.zeros(64 * 140, np.int32)],
        observers=simt.observers(),
        options=simt.Options(chunk_lanes=64),
    )

    assert (result.verdict, result.fault) == ("clean", None)


@pytest.mark.parametrize(
    "use",
    [
        "call void @{NAME}.init.shared({place}, i32 2)",
        "call void @{NAME}.inval.shared({place})",
        'call void asm sideeffect "{{.reg .pred p; wait: mbarrier.try_wait.parity.shared.b64 p, [$0], 0; '
        '@!p bra wait;}}", "r,~{{memory}}"(i32 %far)',
    ],
)
def test_an_invalid_pointer_counts_once_for_each_thread(use):
    """An operation that looks the barrier up and then stores or waits there accesses memory once."""
    place = "ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bar, i64 4096)"
    head = f"%near = ptrtoint {BAR} to i32\n%far = add i32 %near, 4096\n%r = add i32 0, 0\n"
    result, _ = run(head + use.format(NAME=NAME, place=place), threads=3)

    assert [(found.kind, found.count) for found in result.findings] == [("out-of-bounds", 3)]


@pytest.mark.parametrize("use", [f"test.wait.parity.{HERE}({{}}, i32 0)", "test.wait.shared({}, i64 0)"])
def test_a_copy_of_a_barriers_word_is_no_barrier(use):
    """The word in memory is a mark; its counts are elsewhere. A number that is no token is not told as well."""
    place = "ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bar, i64 8)"
    result, output = run(f"""
      call void @{NAME}.init.shared({BAR}, i32 1)
      %w = load i64, {BAR}
      store i64 %w, {place}
      %d = call i1 @{NAME}.{use.format(place)}
      %r = zext i1 %d to i32""")

    assert (ids(result), output, result.fault) == (["mbarrier.nothing"], [1], None)
