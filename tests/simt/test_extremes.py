"""Sizes, counts, addresses and types at their edges: both engines give the same result or the same refusal, and what is
out of bounds by an exact model is never clean. What must be caught is made wrong below, one thing at a time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness import simt
from harness.simt import errors
from harness.simt.native.execution.worker import Worker
from tests.processes import import_path
from tests.simt import random_programs, wrong_extremes
from tests.simt.engines import run

ROOT = Path(__file__).parents[2]
FEW, MANY = 250, 20_000


@pytest.mark.slow
def test_some_kernels_at_their_edges_end_alike_in_both_engines(capfd):
    assert random_programs.main(["--kinds", "extremes", "--seeds", f"0:{FEW}", "--jobs", "1"]) == 0, capfd.readouterr()


@pytest.mark.full
def test_many_kernels_at_their_edges_end_alike_in_both_engines(capfd):
    assert random_programs.main(["--kinds", "extremes", "--seeds", f"{FEW}:{MANY}"]) == 0, capfd.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("wrong", wrong_extremes.WRONG)
def test_an_engine_that_trusts_a_size_is_caught(wrong):
    """In a process of its own, which may end by what is wrong: that is an answer too."""
    command = [sys.executable, "-m", "tests.simt.wrong_extremes", wrong]
    child = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": import_path(ROOT)}, timeout=240
    )

    assert child.returncode != wrong_extremes.SURVIVED, child.stdout


@pytest.mark.parametrize("count", ["i64 -1", "i32 -1", f"i64 {1 << 40}"])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_local_variable_that_no_device_can_hold_is_refused(count, engine):
    with pytest.raises(errors.SimtError, match="bytes"):
        run(f"  %p = alloca i8, {count}\n  %far = getelementptr i8, ptr %p, i64 500000000000\n"
            "  store i8 65, ptr %far", engine)  # fmt: skip


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    "call",
    [
        "call void @llvm.memset.p0.i64(ptr %o, i8 7, i64 -1, i1 false)",
        "call void @llvm.memset.p0.i64(ptr %o, i8 7, i64 %i, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %a, i64 %far, i1 false)",
        "call void @llvm.memmove.p0.p0.i32(ptr %o, ptr %a, i32 -8, i1 false)",
    ],
)
def test_a_length_with_its_top_bit_set_is_out_of_bounds(call, engine):
    result, output = run(f"  %far = or i64 %i, {-1 << 63}\n  {call.replace('%i,', '%far,')}", engine, block=1)

    assert "out-of-bounds" in {finding.id.partition(".")[0] for finding in result.findings}
    assert len(output) == 64


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_constant_address_is_reported_where_it_is_used_and_nowhere_else(engine):
    store = "  store float 1.0, ptr inttoptr (i64 -8 to ptr), align 4"
    guarded = f"  %c = icmp ugt i32 %t, 100000\n  br i1 %c, label %w, label %e\nw:\n{store}\n  br label %e\ne:"

    (used, _), (never, _) = run(store, engine), run(guarded, engine)

    assert "out-of-bounds.pointer.null" in {finding.id for finding in used.findings}
    assert not any("out-of-bounds" in finding.id for finding in never.findings)


def test_a_kernel_that_takes_more_memory_than_there_is_as_machine_code_runs_all_the_same(monkeypatch):
    """The notes of a launch are larger than its buffers, and may not fit."""

    def full(self, memory):
        raise MemoryError

    monkeypatch.setattr(Worker, "_share", full)
    result, output = run("  %q = getelementptr i32, ptr %o, i64 %i\n  store i32 %t, ptr %q", "native")

    assert (result.verdict, result.engine.native) == ("clean", 0)
    assert (output == np.arange(64)).all()


def test_a_vector_of_scalable_length_is_refused_by_name():
    with pytest.raises(simt.SimtError, match="scalable length"):
        run("  %p = alloca <vscale x 4 x i32>", "reference")
