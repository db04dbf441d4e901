"""Clusters by both engines: random kernels, and what no row of the table of launches holds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.launches.clusters import ARRIVE, BARRIER, MEET, POINTERS, STORED_FIRST, WAIT, cluster_row
from tests.simt.launches.row import ANY, check
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow


def drawn(seed):
    """The lines of a kernel whose blocks touch their own memory, others' and what all share, in some order."""
    chooser, lines, arrived = random.Random(seed), [], False
    for number in range(chooser.randrange(4, 14)):
        what = chooser.choices(("load", "store", "update", "barrier", "arrive", "meet"), (4, 4, 1, 2, 2, 3))[0]
        place = POINTERS[chooser.choices(list(POINTERS), (4, 2, 4, 2, 1))[0]]
        match what:
            case "load":
                lines.append(f"%l{number} = load i32, {place}")
            case "store":
                lines.append(f"store i32 %t, {place}")
            case "update":
                lines.append(f'%u{number} = atomicrmw add {place}, i32 1 syncscope("cluster") monotonic')
            case "barrier" if not arrived:
                lines.append(BARRIER)
            case "arrive" | "meet":
                lines += [WAIT] if arrived else [MEET] if what == "meet" else [ARRIVE]
                arrived = not arrived and what == "arrive"
    return "".join(f"\n  {line}" for line in [*lines, *([WAIT] if arrived else []), *chooser.choice(([], [MEET]))])


@pytest.mark.parametrize("first", [0, *(pytest.param(start, marks=pytest.mark.full) for start in range(40, 800, 40))])
def test_random_kernels_are_the_same(first):
    """Some of those that nothing is to be said of run as machine code."""
    compiled = []
    for seed in range(first, first + 40):
        body = STORED_FIRST + drawn(seed)
        check(cluster_row(f"random {seed}", body, compiled=lambda blocks: compiled.append(blocks) or True, found=ANY))

    assert 8 in compiled


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("memory", ["%p", "%l"], ids=["global", "local"])
def test_only_a_block_s_memory_has_a_place_in_a_peer(engine, memory):
    """Also where the peer is the block itself."""
    body = f"""
  %l = alloca i32
  store i32 1, ptr %l
  %p = getelementptr i32, ptr %a, i64 %i
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %g = call ptr @llvm.nvvm.mapa(ptr {memory}, i32 %rank)
  %w = load i32, ptr %g
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %w, ptr %q"""
    result = launch(
        kernel(body, "ptr %a, ptr %o"),
        target="nvidia:sm_90",
        grid=4,
        block=32,
        cluster=2,
        args=[np.arange(128, dtype=np.int32), np.zeros(128, np.int32)],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )

    assert [finding.id for finding in result.findings] == ["out-of-bounds.pointer.nowhere"]
