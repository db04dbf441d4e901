"""All numbers are counted of a block that stands for those that go as it does, and are those that Python counts."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.declined import Reason
from harness.simt.run import saved_memory
from tests.simt.compare import all_counted, ways_natively
from tests.simt.counted import BEHIND
from tests.simt.engines import BARRIER, FAR, IN_BLOCK, LOOKS, OUT, VALUE, WIDE, alike, looks, run

pytestmark = pytest.mark.slow

BLOCKS = 12
# Odd blocks load once more, and give on what they loaded.
ODD = f"""{VALUE}{IN_BLOCK}
  store i32 %v, ptr addrspace(3) %mine
  {BARRIER}
  %odd = and i32 %bx, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %all, label %some
some:
  %x = load i32, ptr addrspace(3) %theirs
  %k = getelementptr i32, ptr %a, i64 %t64
  %y = load i32, ptr %k
  %z = add i32 %x, %y
  br label %all
all:
  %w = phi i32 [ %z, %some ], [ %v, %0 ]{OUT}"""
# The first lane of each warp alone stores, and the others load once more.
DIVIDED = f"""{VALUE}
  %lane = and i32 %t, 31
  %c = icmp eq i32 %lane, 0
  br i1 %c, label %first, label %others
first:
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q
  br label %all
others:
  %j = xor i64 %i, 64
  %k = getelementptr i32, ptr %a, i64 %j
  %y = load i32, ptr %k
  br label %all
all:"""
LOOP_APART = """
  %m = and i32 %t, 3
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %loop ]
  %x = load i32, ptr %p
  %more = add i32 %n, 1
  %on = icmp ule i32 %more, %m
  br i1 %on, label %loop, label %end
end:"""
ROUNDS = LOOP_APART.replace("%m = and i32 %t, 3", "%m = add i32 0, 70")
# Rows of a product: in each round all lanes of a warp load the same word, and one each.
PRODUCT = f"""
  %b64 = zext i32 %bx to i64
  %t64 = zext i32 %t to i64
  br label %loop
loop:
  %n = phi i64 [ 0, %0 ], [ %more, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %w, %loop ]
  %l = getelementptr i32, ptr %a, i64 %n
  %x = load i32, ptr %l
  %m = mul i64 %n, 32
  %at = add i64 %m, %t64
  %r = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %r
  %z = mul i32 %x, %y
  %w = add i32 %sum, %z
  %more = add i64 %n, 1
  %on = icmp ult i64 %more, 8
  br i1 %on, label %loop, label %end
end:{OUT}"""
# Each two lanes have words of one bank.
BANKS = f"""{VALUE}{IN_BLOCK}
  %m = mul i64 %t64, 32
  %k = and i64 %m, 63
  %c = icmp ugt i32 %t, 1
  br i1 %c, label %all, label %first
first:
  %f = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %k
  store i32 %v, ptr addrspace(3) %f
  br label %all
all:
  {BARRIER}
  %l = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %k
  %w = load i32, ptr addrspace(3) %l{OUT}"""
# How many ways its blocks go.
KERNELS = {
    "all alike": (f"{VALUE}\n  %w = add i32 %v, 1{OUT}", 1),
    "odd blocks otherwise": (ODD, 2),
    "warps that are divided": (DIVIDED, 1),
    "a loop": (PRODUCT, 1),
    "two words of a bank": (BANKS, 1),
    "many rounds": (f"{VALUE}{ROUNDS}\n  %w = add i32 %v, 1{OUT}", 1),
    "a barrier that nothing needs": (f"{VALUE}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1),
}


@pytest.mark.parametrize("what", KERNELS)
@pytest.mark.parametrize("block", [WIDE, 2 * WIDE])
@pytest.mark.parametrize("workers", [1, 3])
def test_python_counts_one_block_of_each_way(what, block, workers):
    body, ways = KERNELS[what]
    values = np.arange(1024, dtype=np.int32)
    found = all_counted(body, workers=workers, grid=BLOCKS, block=block, size=1024, values=values, initialised=True)

    assert (found.engine.native, found.engine.python) == (BLOCKS - ways, ways)
    assert found.engine.cause is not None and found.engine.cause.reason is Reason.COUNTED_FOR_OTHERS


@pytest.mark.parametrize("wrong", [(0,), (5,), (1, 2)], ids=str)
def test_a_wrong_block_is_counted_for_itself_alone(wrong):
    found = all_counted(f"{VALUE}{LOOKS}{FAR}", initialised=True, **looks(*wrong))

    assert (found.engine.native, found.engine.python) == (BLOCKS - len(wrong) - 1, len(wrong) + 1)


LOADED = """
  %m = and i32 %v, 31
  %m64 = zext i32 %m to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %m64
  store i32 %v, ptr addrspace(3) %s"""
TURNS = """
  %m = and i32 %t, 1
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %on ]
  %mine = icmp eq i32 %n, %m
  br i1 %mine, label %turn, label %on
turn:
  %x = load i32, ptr %p
  br label %on
on:
  %more = add i32 %n, 1
  %again = icmp ule i32 %more, 1
  br i1 %again, label %loop, label %end
end:"""
# Half of a warp goes round once, the other half twice, before all go round often; none of them asks for anything.
BESIDE = f"""
  %half = and i32 %t, 1
  br label %few
few:
  %n.few = phi i32 [ 0, %0 ], [ %more.few, %few ]
  %more.few = add i32 %n.few, 1
  %on.few = icmp ule i32 %more.few, %half
  br i1 %on.few, label %few, label %then
then:{ROUNDS.replace("%0 ]", "%then ]").replace("%x = load i32, ptr %p", "")}"""
# Half of a warp behind one barrier, the other half behind the next, by the same way.
HALVES = (
    TURNS.replace("%m = and i32 %t, 1", "%half = lshr i32 %t, 4\n  %m = add i32 %half, 1")
    .replace("on:", f"on:\n  {BARRIER}")
    .replace("%more, 1", "%more, 3")
)


@pytest.mark.parametrize(
    "lines",
    [LOADED, LOOP_APART, TURNS, HALVES, BESIDE],
    ids=[
        "places that are loaded",
        "a loop that a warp leaves one by one",
        "turns in a loop",
        "turns behind barriers",
        "many rounds beside a warp that is divided",
    ],
)
def test_where_alike_says_too_little_all_blocks_are_counted(lines):
    found = all_counted(f"{VALUE}{lines}", initialised=True, **looks())

    assert (found.engine.native, found.engine.cause) == (BLOCKS, None)


def test_what_an_order_of_updates_decides_python_counts():
    found = all_counted(f"{VALUE}\n  %old = atomicrmw add ptr %o, i32 1 monotonic", initialised=True, **looks())

    assert (found.engine.native, found.engine.cause.reason) == (0, Reason.COUNTING_ORDER)


@pytest.mark.parametrize(
    ("wanted", "patience", "ran", "told"),
    [
        (("writes_per_output_element",), 60.0, (0, BLOCKS), {"writes_per_output_element", "bank_conflicts"}),
        (("writes_per_output_element",), 0.0, (BLOCKS, 0), {"writes_per_output_element"}),
        ((), 0.0, (BLOCKS, 0), set()),
        (("bank_conflicts",), 0.0, (0, BLOCKS), {"writes_per_output_element", "bank_conflicts"}),
    ],
    ids=["a short launch", "a long launch", "nothing wanted", "what Python alone counts"],
)
def test_more_than_is_wanted_is_counted_unless_it_takes_long(wanted, patience, ran, told, monkeypatch):
    """Where it does, the launch begins anew, and what Python did until then is undone."""
    monkeypatch.setattr(saved_memory, "COUNTING_PATIENCE", patience)
    how = {"initialised": True, **looks()}
    apart = BEHIND.removeprefix(VALUE).partition("\n  %w")[0]  # for longer than a turn of Python's
    body = VALUE + LOOKS + LOADED.replace("%s", "%u").replace("%m", "%q") + apart
    expected, left = run(body, "reference", observers=simt.observers(), **how)
    found, output = run(body, "native", observers=simt.observers(counted=wanted, more=True), **how)

    assert output.tobytes() == left.tobytes()
    alike(found, expected)
    assert (found.engine.native, found.engine.python) == ran
    assert found.counters.keys() & {"writes_per_output_element", "bank_conflicts"} == told
    names = found.counters.keys() - {"steps"}
    assert {name: found.counters[name] for name in names} == {name: expected.counters[name] for name in names}


def test_blocks_that_each_go_their_own_way_are_all_counted():
    body = f"{VALUE}{ROUNDS.replace('%m = add i32 0, 70', '%m = and i32 %bx, 31')}"
    found = all_counted(body, initialised=True, **looks(blocks=40))

    assert (found.engine.native, found.engine.cause) == (40, None)


@pytest.mark.parametrize("first", [0, *(pytest.param(start, marks=pytest.mark.full) for start in range(15, 150, 15))])
def test_of_random_kernels_all_is_counted(first):
    """A third of them at least by machine code; of all of these it is a half."""
    assert sum(map(bool, map(ways_natively, range(first, first + 15)))) >= 5
