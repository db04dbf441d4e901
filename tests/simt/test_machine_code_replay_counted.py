"""What replayed blocks do is counted, and taken back where one begins anew."""

from __future__ import annotations

import numpy as np
import pytest

from harness.simt.native.emit.context import SLOTS
from harness.simt.native.execution.worker import Worker
from harness.simt.native.sanitize import counting
from tests.simt.counted import COUNTED
from tests.simt.engines import BARRIER, OUT, VALUE
from tests.simt.replayed import BOUND, NOTED, RIGHT, SET, S, replayed

pytestmark = pytest.mark.slow

# What loads, stores and updates, in loops and vectors.
COUNTABLE = {what: body for what, body in RIGHT.items() if body != NOTED} | COUNTED


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("what", COUNTABLE)
def test_what_replayed_blocks_do_is_counted(what, workers):
    assert replayed(COUNTABLE[what], workers, counters=True)[1]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("bound", [11, 200, 384])
def test_what_a_block_counts_that_begins_anew_is_taken_back(bound, workers):
    """Some of its threads go another way, of which one more store is counted."""
    once = "  store i32 7, ptr addrspace(3) %s\n"
    body = BOUND.replace("{bound}", str(bound)).replace(once, 2 * once)
    assert replayed(body + OUT, workers, counters=True)[1]


def test_blocks_are_not_replayed_that_part_behind_all_shared_memory():
    """Only what is counted of them is not alike."""
    body = f"{VALUE}{S}{SET}\n  {BARRIER}\n  %few = icmp ult i32 %bx, 8\n  br i1 %few, label %first, label %end\n"
    body += f"first:{OUT.replace('%w', '%v')}\n  br label %end\nend:"
    assert not replayed(body, counters=True)[1]
    assert replayed(body)[1]


@pytest.mark.parametrize(("most", "still"), [(20, False), (100, True)])
def test_blocks_that_count_more_than_can_be_taken_back_are_not_replayed(most, still, monkeypatch):
    """The first of them begins anew; a thread loads one element and stores one."""
    left, end = [], Worker.end
    monkeypatch.setattr(counting, "UNDONE", most)
    monkeypatch.setattr(Worker, "end", lambda worker: left.append(worker.slots[SLOTS["replays"]]) or end(worker))
    replayed((BOUND + OUT).replace("{bound}", "384"), counters=True)

    assert left == [still]


# From the sixth block on every other thread loads once more in each round, or goes round as often as it was given.
MORE = f"""{VALUE}
  br label %loop
loop:
  %n = phi i64 [ 0, %0 ], [ %n1, %more ]
  %c = icmp eq i32 %v, 1
  br i1 %c, label %extra, label %more
extra:
  %f = getelementptr i32, ptr %a, i64 200
  %x = load i32, ptr %f
  br label %more
more:
  %k = add i64 %n, %i
  %k1 = urem i64 %k, 384
  %g = getelementptr i32, ptr %a, i64 %k1
  %y = load i32, ptr %g
  %n1 = add i64 %n, 1
  %on = icmp ult i64 %n1, 5
  br i1 %on, label %loop, label %end
end:
  %w = add i32 %v, 1{OUT}"""
OFTEN = f"""{VALUE}
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %loop ]
  %n1 = add i32 %n, 1
  %on = icmp ule i32 %n1, %v
  br i1 %on, label %loop, label %end
end:
  %f = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %f
  %w = add i32 %x, 1{OUT}"""


@pytest.mark.parametrize(("body", "times"), [(MORE, 1), (OFTEN, 600)], ids=["more", "often"])
@pytest.mark.parametrize("counted", [["global_transactions"], ["bank_conflicts", "global_transactions"], None], ids=str)
def test_requests_of_blocks_that_part_on_the_way_to_no_shared_memory_are_counted(body, times, counted):
    values = np.zeros(384, np.int32)
    values[160:] = np.arange(224) % 2 * times
    replayed(body, counters=True, counted=counted, values=values)
