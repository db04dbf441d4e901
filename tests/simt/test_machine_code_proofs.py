"""Machine code proves nothing clean in which Python finds something, nor what depends on the order of the threads."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, LANES, OUT, VALUE, both
from tests.simt.snippets import kernel


def alone(line, block=0):
    """A line that one thread of one block runs, then a barrier."""
    return f"""
  %far = sub i32 {block}, %bx
  %there = or i32 %far, %t
  %c = icmp eq i32 %there, 0
  br i1 %c, label %one, label %all
one:
  {line}
  br label %all
all:
  {BARRIER}"""


ADD = "%old = atomicrmw add ptr %o, i32 %v monotonic"
LOCAL = "\n  %l = alloca [4 x i32]\n  %k = and i64 %i, 3\n  %lk = getelementptr [4 x i32], ptr %l, i64 0, i64 %k"
IN_BLOCK_0 = """
  %t64 = zext i32 %t to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %l = alloca i32
  %c = icmp eq i32 %bx, 0
  br i1 %c, label %one, label %all
one:
  store i32 %v, ptr addrspace(3) %s
  store i32 %v, ptr %l
  br label %all
all:"""
ROUND = """
  %l = alloca i32
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %next ]
  BEGIN
  %c = icmp eq i32 %j, 0
  br i1 %c, label %first, label %next
first:
  store i32 %v, ptr %m
  br label %next
next:
  %w = load i32, ptr %m
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 3
  br i1 %more, label %loop, label %end
end:"""
GENERIC = """
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %sg = addrspacecast ptr addrspace(3) %s to ptr
  store i32 %v, ptr %sg"""
TWO = {"grid": 2, "block": 32}

FOUND = {
    "a place set by one block, updated by all": (f"{VALUE}{alone('store i32 5, ptr %o')}\n  {ADD}", "race", TWO),
    "set by the last block": (f"{VALUE}{alone('store i32 5, ptr %o', 1)}\n  {ADD}", "race", TWO),
    "read by one block, updated by all": (f"{VALUE}{alone('%x = load i32, ptr %o')}\n  {ADD}", "race", TWO),
    "a barrier whose number warps choose": (
        f"{VALUE}{IN_TILE}\n  %n = lshr i32 %t, 5\n  {BARRIER.replace('i32 0', 'i32 %n')}{FROM_TILE}{OUT}",
        "deadlock",
        {},
    ),
    "shared memory that another block wrote": (
        f"{VALUE}{IN_BLOCK_0}\n  %w = load i32, ptr addrspace(3) %s{OUT}",
        "uninitialised",
        TWO,
    ),
    "a variable that another block's lane wrote": (
        f"{VALUE}{IN_BLOCK_0}\n  %w = load i32, ptr %l{OUT}",
        "uninitialised",
        TWO,
    ),
    "a variable of a round": (f"{VALUE}{ROUND.replace('BEGIN', '%m = alloca i32')}{OUT}", "uninitialised", {}),
    "a variable whose life begins in each round": (
        f"{VALUE}{ROUND}{OUT}".replace("%m", "%l").replace("BEGIN", "call void @llvm.lifetime.start.p0(i64 4, ptr %l)"),
        "uninitialised",
        {},
    ),
    "a part of a variable": (
        f"{VALUE}{LOCAL}\n  store i32 %v, ptr %lk\n  %w = load i32, ptr %l{OUT}",
        "uninitialised",
        {},
    ),
    "a copy of such a part": (
        f"{VALUE}{LOCAL}\n  %m = alloca [4 x i32]\n  store i32 %v, ptr %lk\n"
        f"  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %l, i64 16, i1 false)\n  %w = load i32, ptr %m{OUT}",
        "uninitialised",
        {},
    ),
    "shared memory by a pointer to any": (f"{VALUE}{GENERIC}{FROM_TILE}{OUT}", "race", {}),
    "an address that is none": (
        f"{VALUE}\n  %n = addrspacecast ptr addrspace(1) poison to ptr\n  %w = load i32, ptr %n{OUT}",
        "uninitialised",
        {},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", FOUND)
def test_what_python_finds_is_not_proved_clean(what):
    body, kind, how = FOUND[what]
    observers = simt.observers(counters=False, redundant=False)  # whose doubts would hide that the others have none
    result = both(body, initialised=True, observers=observers, **how)

    assert result.engine.python
    assert kind in {finding.kind for finding in result.findings}


XOR = "%new = atomicrmw xor ptr %o, i32 -5 monotonic"
HALF = "%h = and i64 %i, 1\n  %oh = getelementptr i16, ptr %o, i64 %h"
OPEN = {
    "one block updates otherwise first": (f"{VALUE}{alone(XOR)}\n  {ADD}", TWO),
    "places that overlap": (f"{VALUE}\n  {HALF}\n  {ADD.replace('%o,', '%oh,')}, align 2", {}),
    "a partial warp": (
        f"{VALUE}\n  %w = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1){OUT}",
        {"block": 37},
    ),
    "a lane that has ended": (
        f"{VALUE}\n  %c = icmp eq i32 %t, 40\n  br i1 %c, label %end, label %go\ngo:\n"
        f"  %w = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1){OUT}\n  br label %end\nend:",
        {},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", OPEN)
def test_what_has_an_order_that_is_not_followed_is_left_to_python(what):
    body, how = OPEN[what]

    assert not both(
        body, initialised=True, observers=simt.observers(counters=False, redundant=False), **how
    ).engine.native


SOMEWHERE = """
  %c = icmp ult i32 %t, {}
  br i1 %c, label %right, label %wrong
wrong:
  {}
right:
  %w = phi i32 [ %v, %0 ]{}{}"""
ASSERTED = "call void @__assertfail(ptr null, ptr null, i32 12, ptr null, i64 1)\n  unreachable"
NOWHERE = {
    "an assertion that does not hold": lambda least: SOMEWHERE.format(least, ASSERTED, "", OUT),
    "an undefined value": lambda least: SOMEWHERE.format(least, "br label %right", ", [ poison, %wrong ]", OUT),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", NOWHERE)
def test_where_no_thread_goes_there_is_nothing_to_be_said(what):
    """Else it is Python's to say it."""
    quiet = {"observers": simt.observers(counters=False), "initialised": True}

    assert both(f"{VALUE}{NOWHERE[what](LANES)}", **quiet).engine.native == 1
    if what == "an undefined value":
        assert both(f"{VALUE}{NOWHERE[what](LANES - 1)}", **quiet).engine.python == 1


def test_an_argument_in_shared_memory_is_each_blocks_own():
    body = f"{IN_BLOCK_0.replace('@tile', '%a').replace('%v', '%t')}\n  %w = load i32, ptr addrspace(3) %s{OUT}"
    text = kernel(body, "ptr addrspace(3) %a, ptr %o")
    arrays = [np.zeros(64, np.int32), np.zeros(64, np.int32)]
    options = simt.Options(engine="native")
    how = {"target": "nvidia:sm_90", "grid": 2, "block": 32, "observers": simt.observers(counters=False)}
    result = launch(text, args=arrays, options=options, **how)

    assert {finding.kind for finding in result.findings} == {"uninitialised"}


def many(last="%i"):
    """More loads than are checked where they stand; the last of another place."""
    lines = [VALUE, "%s0 = add i32 %v, 0"]
    for number in range(120):
        at = last if number == 119 else "%i"
        lines.append(f"%p{number} = getelementptr i32, ptr %a, i64 {at}\n  %v{number} = load i32, ptr %p{number}")
        lines.append(f"%s{number + 1} = add i32 %s{number}, %v{number}")
    return "\n  ".join([*lines, f"%w = xor i32 %s120, 1{OUT}"])


@pytest.mark.slow
def test_what_functions_check_is_found_as_well():
    assert both(many()).engine.native == 1
    result = both(many("%far").replace("%s0 =", "%far = add i64 %i, 9\n  %s0 ="))
    assert {finding.kind for finding in result.findings} >= {"out-of-bounds"}
