"""Kernels of twelve blocks that go alike, and how they are run by the code of long launches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

import numpy as np

from harness import simt
from harness.simt.native import attempt
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.execution.worker import Worker
from tests.simt.engines import BARRIER, OUT, VALUE, WIDE, alike, at_once, run

__all__ = ["APART", "BLOCKS", "BOUND", "NOTED", "RIGHT", "SET", "SUM", "TILE", "S", "long_from_the_start", "replayed"]

BLOCKS = 12
T64 = "\n  %t64 = zext i32 %t to i64"
TILE = "getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64"
S = f"{T64}\n  %s = {TILE} %t64"
SET = "\n  store i32 %v, ptr addrspace(3) %s"
# Halves are added up as long as there are any: all threads go round together.
SUM = f"""{VALUE}{S}{SET}
  {BARRIER}
  br label %loop
loop:
  %half = phi i32 [ 16, %0 ], [ %next, %more ]
  %c = icmp ult i32 %t, %half
  br i1 %c, label %add, label %more
add:
  %far = add i32 %t, %half
  %f64 = zext i32 %far to i64
  %r = {TILE} %f64
  %x = load i32, ptr addrspace(3) %r
  %y = load i32, ptr addrspace(3) %s
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %s
  br label %more
more:
  {BARRIER}
  %next = lshr i32 %half, 1
  %on = icmp ne i32 %next, 0
  br i1 %on, label %loop, label %end
end:
  %w = load i32, ptr addrspace(3) @tile{OUT}"""
# In turns each thread takes what one or the other neighbour gave.
TURNS = f"""{VALUE}{S}{SET}
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %behind ]
  %sum = phi i32 [ 0, %0 ], [ %w, %behind ]
  {BARRIER}
  switch i32 %n, label %same [ i32 1, label %low
    i32 2, label %high ]
same:
  br label %take
low:
  br label %take
high:
  br label %take
take:
  %by = phi i32 [ 0, %same ], [ 1, %low ], [ 2, %high ]
  %u = xor i32 %t, %by
  %u64 = zext i32 %u to i64
  %r = {TILE} %u64
  %x = load i32, ptr addrspace(3) %r
  br label %behind
behind:
  %m = mul i32 %x, %by
  %w = add i32 %sum, %m
  %n1 = add i32 %n, 1
  %on = icmp ult i32 %n1, 4
  br i1 %on, label %loop, label %end
end:{OUT}"""
# All threads go round as often, between two waits.
TOGETHER = f"""{VALUE}
  br label %loop
loop:
  %n = phi i64 [ 0, %0 ], [ %n1, %loop ]
  %w = phi i32 [ %v, %0 ], [ %more, %loop ]
  %f = getelementptr i32, ptr %a, i64 %n
  %x = load i32, ptr %f
  %m = mul i32 %w, 3
  %more = add i32 %m, %x
  %n1 = add i64 %n, 1
  %on = icmp ult i64 %n1, 5
  br i1 %on, label %loop, label %end
end:{OUT}"""
# Each thread goes round as often as its number says.
APART = f"""{VALUE}
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %loop ]
  %w = phi i32 [ %v, %0 ], [ %more, %loop ]
  %more = add i32 %w, %n
  %n1 = add i32 %n, 1
  %on = icmp ult i32 %n1, %t
  br i1 %on, label %loop, label %end
end:{OUT}"""
# Blocks part, and touch what is theirs behind it.
PARTED = f"""{VALUE}{S}{SET}
  {BARRIER}
  %few = icmp ult i32 %bx, 8
  br i1 %few, label %first, label %others
first:
  %w1 = load i32, ptr addrspace(3) %s
  br label %all
others:
  br label %all
all:
  %w = phi i32 [ %w1, %first ], [ %v, %others ]{OUT}"""
NOTED = (
    VALUE
    + OUT.replace("%w", "%v")
    + f"\n  %c = icmp ugt i32 %bx, 6\n  br i1 %c, label %late, label %end\nlate:\n  {BARRIER}\n  br label %end\nend:"
)
# Threads give through memory that blocks share.
GLOBAL = f"""{VALUE}
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q
  {BARRIER}
  %u = xor i64 %i, 1
  %r = getelementptr i32, ptr %o, i64 %u
  %x = load i32, ptr %r
  {BARRIER}
  store i32 %x, ptr %q"""
# Of the threads some go on together, by what all have alike.
WITHIN = f"""{VALUE}{S}
  %c = icmp ult i32 %t, 8
  %odd = icmp eq i32 %bn, 32
  br i1 %c, label %some, label %all
some:
  br i1 %odd, label %one, label %other
one:
  store i32 %v, ptr addrspace(3) %s
  br label %all
other:
  br label %all
all:
  {BARRIER}
  %w = add i32 %v, 1{OUT}"""
RIGHT = {
    "memory of the device": GLOBAL,
    "a choice that some make alike": WITHIN,
    "a sum": SUM,
    "a choice that all make": TURNS,
    "a loop that all leave together": TOGETHER,
    "a loop that each leaves by itself": APART,
    "blocks that part": PARTED,
    "a barrier that later blocks come to": NOTED,
}
# A thread gives what it loaded to the next one, but for those that the bound leaves out.
BOUND = f"""{VALUE}{S}
  %bound = icmp ult i32 %b1, {{bound}}
  br i1 %bound, label %some, label %none
some:{SET}
  br label %all
none:
  store i32 7, ptr addrspace(3) %s
  br label %all
all:
  {BARRIER}
  %u = xor i64 %t64, 1
  %r = {TILE} %u
  %w = load i32, ptr addrspace(3) %r"""


@contextmanager
def long_from_the_start(name: str = "replays") -> Iterator[list[bool]]:
    """Each launch counts as a long one. Gives what is in one slot as they begin: whether blocks might be replayed."""
    found, begin = [], Worker.begin

    def begun(self, *given, **how):
        seen = begin(self, *given, **how)
        if not self.slots[SLOTS["tallies"]]:  # in lockstep there is nothing to replay
            found.append(bool(self.slots[SLOTS[name]]))
        return seen

    with mock.patch.object(attempt, "LONG", 0.0), mock.patch.object(Worker, "begin", begun):
        yield found


def replayed(body, workers=1, counters=False, counted=None, **how):
    """(result of machine code, whether blocks might be replayed), once the reference was found to say the same.

    Args:
        counters: Whether to count, too.
        counted: What of that is wanted; None for all.
    """
    how = {"grid": BLOCKS, "block": WIDE, "values": np.arange(384, dtype=np.int32), "size": 384, **how}
    how = {"initialised": True, **how}
    observers = partial(simt.observers, counters=counters, counted=counted)
    expected, left = run(body, "reference", observers=observers(), **how)
    with long_from_the_start() as might, at_once():
        result, output = run(body, "native", workers=workers, observers=observers(), **how)
    assert output.tobytes() == left.tobytes()
    alike(result, expected)
    names = counted or expected.counters.keys() - {"steps"}
    assert {name: result.counters[name] for name in names} == {name: expected.counters[name] for name in names}
    return result, all(might)
