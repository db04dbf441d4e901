"""Blocks on several cores: what they leave, what is said of them and what is counted is the same with any number."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.execution.blocks import meet
from harness.simt.native.execution.worker import Worker
from harness.simt.native.module import write_module
from harness.simt.observing.counters import Counters
from harness.simt.targets import target_of
from tests.simt.engines import (
    BARRIER,
    FIFTH,
    IN_BLOCK,
    LOOKS,
    OUT,
    UPDATE,
    VALUE,
    WIDE,
    WORKERS,
    at_once,
    both,
    looks,
    made,
    run,
)
from tests.simt.snippets import kernel

THROUGH = f"""{IN_BLOCK}
  store i32 %v, ptr addrspace(3) %mine
  {BARRIER}
  %w = load i32, ptr addrspace(3) %theirs"""
# Where blocks that look nowhere wrong have an element of their own, the others store to the fifth.
SAME = f"{FIFTH}\n  store i32 %t, ptr %g"
# The first of two blocks adds to its element; so does the other one, to that, or finds the greater.
TWICE = """
  %c = icmp eq i32 %bx, 2
  %j = zext i32 %t to i64
  %g = getelementptr i32, ptr %o, i64 %j"""


@pytest.fixture(autouse=True)
def all_begin_at_once():
    """Else they would begin once a launch takes long."""
    with at_once():
        yield


@pytest.fixture
def each_its_own(monkeypatch):
    """The second and the third block are run by different workers of two."""
    both_there, right = threading.Barrier(2, timeout=20), Worker.run

    def run(self, code, blocks):
        if blocks[0]:
            both_there.wait()
        right(self, code, blocks)

    monkeypatch.setattr(Worker, "run", run)


def with_each(body, **how):
    """What came of a launch with each number of workers, all but whose number was found to be alike."""
    results = [both(body, workers=workers, **how) for workers in WORKERS]
    assert len({(repr(one.findings), str(one.counters), one.engine) for one in results}) == 1
    return results[0]


@pytest.mark.slow
@pytest.mark.parametrize("observers", [None, ()])
def test_a_clean_launch_is_the_same(observers):
    result = with_each(VALUE + THROUGH + OUT, **looks(blocks=200), observers=observers)

    assert (result.engine.native, result.verdict) == (200, "clean")


@pytest.mark.slow
def test_what_is_counted_is_the_same():
    names = "shared_loads", "bank_conflicts", "global_transactions", "reads_per_input_element", "global_stores"
    counted = [
        run(VALUE + THROUGH + OUT, engine, **looks(blocks=50), observers=[Counters(names)], workers=workers)[0]
        for engine, workers in (("reference", 1), *(("native", number) for number in WORKERS))
    ]

    assert {one.engine.native for one in counted} == {0, 49}  # one runs once more for all
    assert len({str([one.counters[name] for name in names]) for one in counted}) == 1


@pytest.mark.slow
def test_blocks_of_two_workers_that_write_one_place_are_found(each_its_own):
    values = looks(1, 2, blocks=3)
    values["values"] -= values["values"] // 384 * 384  # no thread looks far away
    body = VALUE + SAME.replace("%v, 384", "%bx, 1")
    result = both(body, initialised=True, workers=2, **values)

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"race"}


@pytest.mark.slow
def test_a_block_that_reads_what_another_workers_block_writes_is_found(each_its_own):
    body = f"""{VALUE}
  %one = icmp eq i32 %bx, 1
  br i1 %one, label %write, label %on
write:
  store i32 %v, ptr %o
  br label %on
on:
  %two = icmp eq i32 %bx, 2
  br i1 %two, label %read, label %end
read:
  %x = load i32, ptr %o
  br label %end
end:"""
    result = both(body, initialised=True, workers=2, **looks(blocks=3))

    assert not result.engine.native
    assert "race" in {finding.kind for finding in result.findings}


@pytest.mark.slow
def test_updates_of_one_kind_by_two_workers_are_all_made():
    """Two of them seldom come at the same time, so it is looked whether the code has atomic ones."""
    result, left = run(UPDATE, "native", initialised=True, workers=2, values=np.zeros(WIDE * 900), grid=900, block=WIDE)
    program = compile_kernel(simt.decode(kernel(UPDATE, "ptr %o")), None, target_of("nvidia:sm_90"))

    assert (result.engine.native, left[0]) == (900, 900 * WIDE - 1)
    assert "atomicrmw add" in write_module(program).text


@pytest.mark.slow
@pytest.mark.parametrize(("second", "alike"), [("add", True), ("max", False)])
def test_updates_of_two_kinds_by_two_workers_are_not_proved(each_its_own, second, alike):
    body = f"""{VALUE}{TWICE}
  br i1 %c, label %other, label %one
one:
  %x = atomicrmw add ptr %g, i32 1 monotonic
  br label %end
other:
  %y = atomicrmw {second} ptr %g, i32 1 monotonic
  br label %end
end:"""
    result = both(body, initialised=True, workers=2, **looks(blocks=3))

    assert bool(result.engine.native) == alike


@pytest.mark.slow
@pytest.mark.parametrize(("most", "others"), [(96 << 10, 0), (128 << 10, 1), (1 << 20, 7)])
def test_there_are_no_more_workers_than_there_is_memory_for(monkeypatch, most, others):
    """Of 3,200 elements each has cells of 16 bytes."""
    began = []
    monkeypatch.setattr(Worker, "joins", lambda self, other: began.append(self))
    run(VALUE + THROUGH + OUT, "native", workers=8, max_bytes=most, chunk_lanes=WIDE, **looks(blocks=100))

    assert len(began) == others


def test_what_fails_in_one_worker_ends_all(monkeypatch):
    right, ran = Worker.run, []

    def fails(self, code, blocks):
        ran.append(blocks)
        if blocks[0] == 50:
            raise RuntimeError
        right(self, code, blocks)

    monkeypatch.setattr(Worker, "run", fails)
    with pytest.raises(RuntimeError):
        run(VALUE + LOOKS, "native", initialised=True, workers=2, **looks(blocks=1000))

    assert len(ran) < 1000


@pytest.mark.slow
def test_what_a_worker_keeps_for_the_next_launch_shows_in_none():
    """In blocks that look wrong all threads store to one place."""
    body = f"""{VALUE}{IN_BLOCK}
  %c = icmp ult i32 %v, 384
  %n = select i1 %c, i64 %t64, i64 0
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %n
  store i32 %v, ptr addrspace(3) %s
  {BARRIER}
  %w = load i32, ptr addrspace(3) %theirs{OUT}"""
    module, ran = simt.decode(made(body)), []
    for how in (looks(), looks(2), looks(), looks(*range(12)), looks(), looks(blocks=5), looks(3, blocks=6), looks()):
        ran.append(both(module, **how).engine.native)
        ran.append(both(module, **how, workers=2).engine.native)

    assert ran == [12, 12, 11, 11, 12, 12, 0, 0, 12, 12, 5, 5, 5, 5, 12, 12]


CELLS = {
    "nobody": ([], False),
    "one alone": ([(0, 1, 5, 1, 6)], False),
    "two that read": ([(0, 0, 0, 1, 6), (1, 0, 0, 1, 6)], False),
    "one that reads and one that writes": ([(0, 0, 0, 1, 6), (1, 2, 6, 0, 0)], True),
    "two that write": ([(0, 1, 6, 0, 0), (1, 2, 6, 0, 0)], True),
    "updates of a kind": ([(0, 1 | 9 << 16, 6, 0, 0), (1, 0xFFFF | 9 << 16, 6, 0, 0)], False),
    "updates of two kinds": ([(0, 1 | 9 << 16, 6, 0, 0), (1, 1 | 8 << 16, 6, 0, 0)], True),
    "an update and a store": ([(0, 1 | 9 << 16, 6, 0, 0), (1, 1, 6, 0, 0)], True),
    "updates, one where its block wrote otherwise": (
        [(0, 1 | 9 << 16, 6, 0, 0), (1, 1 | 9 << 16 | -(1 << 31), 6, 0, 0)],
        True,
    ),
    "both where their blocks wrote otherwise": ([(n, 1 | 9 << 16 | -(1 << 31), 6, 0, 0) for n in (0, 1)], True),
    "updates, and one that reads": ([(0, 1 | 9 << 16, 6, 0, 0), (1, 1 | 9 << 16, 6, 1, 5)], True),
}


@pytest.mark.parametrize("place", [0, 20_000])
@pytest.mark.parametrize("what", CELLS)
def test_workers_meet_where_one_wrote(what, place):
    touched, expected = CELLS[what]
    tables = [np.zeros((20_001, 4), np.int32) for _ in range(3)]
    for table, *cell in touched:
        tables[table][place] = cell

    assert meet(tables) == expected


@pytest.mark.slow
@pytest.mark.parametrize("begun", [1, 2])
def test_a_launch_is_run_by_as_many_workers_as_there_is_memory_for(begun, monkeypatch):
    """A program may have a limit of its own, in which more shadow cells have no room."""
    workers, begin = [], Worker.begin

    def begin_some(self, *arguments, **how):
        if len(workers) == begun:
            raise MemoryError
        workers.append(self)
        return begin(self, *arguments, **how)

    monkeypatch.setattr(Worker, "begin", begin_some)
    result = both(VALUE + THROUGH + OUT, workers=4, **looks(blocks=20))

    assert (result.engine.native, len(workers)) == (20, begun)
