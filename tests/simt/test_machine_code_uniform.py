"""What the threads of a block have alike is kept once; an argument that nothing is stored to has no cells."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast
from unittest import mock

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.compile.segments import Segment
from harness.simt.native.analysis import uniformity
from harness.simt.native.analysis.provenance import Provenance
from harness.simt.native.analysis.uniformity import find_uniform_values
from harness.simt.native.execution import launch_memory as shared
from harness.simt.native.module import write_module
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE, both, run
from tests.simt.snippets import kernel


def compiled(body):
    return compile_kernel(simt.decode(kernel(body, "ptr %a, ptr %o", SHARED)), None, target_of("nvidia:sm_90"))


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (((1, 2), (1,), ()), {0: 2, 1: None, 2: None}),  # an endless loop beside the end
        (((1, 3), (2,), (1,), ()), {0: 3, 1: None, 2: None, 3: None}),  # one of two segments
        (((1,), (2,), ()), {0: 1, 1: 2, 2: None}),  # behind the first segment are all
        (((1, 2), (3,), (3,), (4, 1), ()), {0: 3, 1: 3, 2: 3, 3: 4, 4: None}),  # two paths, and a loop with an exit
    ],
)
def test_the_segment_where_all_paths_meet_is_none_in_an_endless_loop(targets, expected):
    segments = [
        cast(Segment, SimpleNamespace(number=number, edges=[(target, ()) for target in after]))
        for number, after in enumerate(targets)
    ]

    assert uniformity._post_dominators(segments) == expected


ROUNDS = f"""{VALUE}
  br label %loop
loop:
  %k = phi i32 [ 8, %0 ], [ %k2, %loop ]
  {BARRIER}
  %k2 = sdiv i32 %k, {{by}}
  %more = icmp sgt i32 %k2, 0
  br i1 %more, label %loop, label %end
end:
  %w = add i32 %k, %v{OUT}"""
# Each makes %k, another number in each thread.
APART = {
    "a thread's number": "\n  %k = add i32 %t, 0",
    "data": "\n  %k = add i32 %v, 0",
    "how often a thread goes round": """
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %t
  br i1 %more, label %loop, label %behind
behind:""",
    "the way that a thread takes": """
  %odd = trunc i32 %t to i1
  br i1 %odd, label %yes, label %no
yes:
  br label %behind
no:
  br label %behind
behind:
  %k = phi i32 [ 5, %yes ], [ 6, %no ]""",
    "what lanes exchange": "\n  %k = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)",
}
BEHIND = f"\n  {BARRIER}\n  %w = add i32 %k, 1{OUT}"


def values():
    return np.arange(64, dtype=np.int32)[::-1].copy()


def test_what_threads_count_alike_is_kept_once():
    """And is right."""
    body = ROUNDS.replace("{by}", "2")
    phis = {phi for segment in compiled(body).segments for phi, _ in segment.phis}
    assert phis and phis <= find_uniform_values(compiled(body)).values
    assert both(body, grid=2, block=32, values=values()).engine.native == 2


def test_what_threads_count_each_for_themselves_is_not():
    body = ROUNDS.replace("{by}", "%step").replace(VALUE, VALUE + "\n  %step = add i32 %t, 2")
    phis = {phi for segment in compiled(body).segments for phi, _ in segment.phis}
    assert phis and not phis & find_uniform_values(compiled(body)).values


@pytest.mark.slow
@pytest.mark.parametrize("how", APART)
def test_what_differs_is_kept_for_each_thread(how):
    text = kernel(f"{VALUE}{APART[how]}{BEHIND}", "ptr %a, ptr %o", SHARED)
    result, output = run(simt.decode(text), "native", grid=2, block=32, values=values(), observers=())
    expected, left = run(simt.decode(text), "reference", grid=2, block=32, values=values(), observers=())
    assert (result.engine.native, expected.engine.native) == (2, 0)
    assert len(set(output.tolist())) > 1 and output.tolist() == left.tolist()


def test_the_lanes_below_are_counted_by_each_lane():
    """An intrinsic of AMD's that takes a mask, and yet tells lanes apart."""
    below = "\n  %k = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)"
    how = {"grid": 1, "block": 64, "values": values(), "target": "amd:gfx942", "observers": ()}
    wait = "\n  call void @llvm.amdgcn.s.barrier()\n"
    text = f"{VALUE}{below}{wait}  %w = add i32 %k, 1{OUT}"
    (result, output), (_, left) = (run(text, engine, **how) for engine in ("native", "reference"))
    assert result.engine.native == 1
    assert len(set(output.tolist())) > 1 and output.tolist() == left.tolist()


STORE = "\n  store i32 %v, ptr %q"
# How a kernel comes to the address that it stores to, and whether its code tells which argument's it is.
KNOWN = {
    "a place in it": ("\n  %q = getelementptr i32, ptr %o, i64 %i" + STORE, True),
    "an update": (f"{OUT.replace('%w', '%v')}\n  %old = atomicrmw add ptr %o, i32 1 monotonic", True),
    "one of two": (
        "\n  %odd = trunc i32 %t to i1\n  %q = select i1 %odd, ptr %o, ptr %a" + STORE,
        False,
    ),
    "a number": ("\n  %n = ptrtoint ptr %o to i64\n  %q = inttoptr i64 %n to ptr" + STORE, False),
}


@pytest.mark.parametrize("how", KNOWN)
def test_it_is_known_where_a_kernel_may_store(how):
    body, known = KNOWN[how]
    program = compiled(VALUE + body)
    (_, taken), (_, given) = ((number, param) for number, param in program.params)
    assert (taken.name, given.name) == ("%a", "%o")
    expected = {Provenance(program.params[1][0], 0)} if known else {None}
    assert write_module(program).stored == expected


NEXT = """
  %n = add i64 %i, 1
  %p = getelementptr i32, ptr %a, i64 %n
  %w = load i32, ptr %p"""


def test_arguments_that_overlap_are_watched_both():
    """A thread loads what the one behind it stores."""
    memory = np.arange(65, dtype=np.int32)
    text = kernel(NEXT + OUT, "ptr %a, ptr %o", SHARED)
    options = simt.Options(engine="native")
    result = simt.launch(
        simt.decode(text),
        target="nvidia:sm_90",
        grid=2,
        block=32,
        args=[memory, memory[:64]],
        observers=simt.observers(counters=False),
        options=options,
    )
    assert {found.kind for found in result.findings} == {"race"}


@pytest.mark.slow
def test_what_is_only_read_has_no_cells():
    """They are 16 bytes for each four."""
    seen = []

    def keeps(self, *given, right=shared.LaunchMemory.__init__):
        right(self, *given)
        seen.append(self.form.cells)

    chosen = "\n  %o2 = select i1 true, ptr %o, ptr %a"
    how = {"target": "nvidia:sm_90", "grid": 2, "block": 32, "options": simt.Options(engine="native")}
    with mock.patch.object(shared.LaunchMemory, "__init__", keeps):
        for place in ("%o", "%o2"):
            stored = OUT.replace("%w", "%v").replace("ptr %o,", f"ptr {place},")
            text = kernel(VALUE + chosen + stored, "ptr %a, ptr %o")
            assert simt.launch(text, args=[np.ones(64, np.int32), np.ones(64, np.int32)], **how).engine.native
    assert seen == [64 + 2, 2 * (64 + 2)]
