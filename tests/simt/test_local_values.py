"""Local variables that only pass values on: loads of them become what was stored, and only where that is certain."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.ir.values import base_of
from harness.simt.native.module import write_module
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE, both, run
from tests.simt.random_locals import random_locals
from tests.simt.snippets import kernel

LOCALS = "\n".join(f"  %{name} = alloca [16 x i8], align 16" for name in ("l", "m", "k"))
# A thread's number is kept, then its address in a list, as Mojo keeps the coordinates of a tile.
KEPT = f"""{VALUE}
  %x = alloca i64
  %y = alloca i64
  %list = alloca [2 x ptr]
  %t64 = zext i32 %t to i64
  store i64 %t64, ptr %x
  store i64 0, ptr %y
  %one = insertvalue [2 x ptr] undef, ptr %x, 0
  %both = insertvalue [2 x ptr] %one, ptr %y, 1
  store [2 x ptr] %both, ptr %list
  %first = load ptr, ptr %list
  %second.at = getelementptr ptr, ptr %list, i64 1
  %second = load ptr, ptr %second.at
  %row = load i64, ptr %first
  %column = load i64, ptr %second
  %place = add i64 %row, %column
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %place
  store i32 %v, ptr addrspace(3) %s
  {BARRIER}"""
# The same number again behind the barrier, of a variable that was stored to once before it.
LATER = """
  %again = load i64, ptr %x
  %r = sub i64 31, %again
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %w = load i32, ptr addrspace(3) %u"""
FOUR_BLOCKS = {"grid": 4, "block": 32, "size": 128}


def written(body):
    """The module of a kernel, and how many local variables its code has."""
    program = compile_kernel(simt.decode(kernel(body, "ptr %a, ptr %o", SHARED)), None, target_of("nvidia:sm_90"))
    names = {variable.number: variable.symbol for variable in program.variables}
    module = write_module(program)
    local = [variable for variable in program.variables if variable.rows == "lane"]
    return len(local), {names[number] for number in module.invariant_variables}, module


def test_shared_memory_is_block_invariant_whatever_its_addresses_passed_through():
    """So that what one block proved of a tile holds for all of them."""
    count, invariant, module = written(f"{KEPT}{LATER}{OUT}")

    assert "tile" in invariant
    assert len(module.removed) == count == 3
    assert both(f"{KEPT}{LATER}{OUT}", **FOUR_BLOCKS).engine.native == 4


def test_variables_that_nobody_loads_take_no_code():
    stored = VALUE + LOCALS + "\n  store i32 %v, ptr %l\n  store ptr %l, ptr %k\n  %w = load i32, ptr %l" + OUT
    plain = VALUE + "\n  %w = add i32 %v, 0" + OUT

    assert len(written(stored)[2].text) <= len(written(plain)[2].text) + 100


def test_a_variable_stays_whose_address_may_go_anywhere():
    chosen = "  %c = icmp eq i32 %t, 3\n  %q1 = select i1 %c, ptr %l, ptr %m\n  %w = load i32, ptr %q1"
    body = f"{VALUE}\n{LOCALS}\n  store i32 %v, ptr %l\n  store i32 7, ptr %m\n{chosen}{OUT}"

    assert len(written(body)[2].removed) == 1  # the third
    assert both(body).engine.native == 1


START = f"{VALUE}\n{LOCALS}\n  store i32 %v, ptr %l\n"
FOUR = "".join(
    f"  %l{place} = getelementptr i8, ptr %l, i64 {4 * place}\n  store i32 {place}, ptr %l{place}\n"
    for place in range(4)
)
SAME = {
    "overwritten": "  store i32 5, ptr %l\n  %w = load i32, ptr %l",
    "overwritten in part": "  store i8 5, ptr %l\n  %w = load i32, ptr %l",
    "overwritten from before": "  store i64 5, ptr %l\n  %h = getelementptr i8, ptr %l, i64 4\n  %w = load i32, ptr %h",
    "at a place that the lane chooses": (
        "  %odd = and i64 %i, 1\n  %lk = getelementptr i32, ptr %l, i64 %odd\n  store i32 5, ptr %lk\n"
        "  %w = load i32, ptr %l"
    ),
    "by either pointer": (
        "  %c = icmp eq i32 %t, 3\n  %q1 = select i1 %c, ptr %l, ptr %m\n  store i32 9, ptr %q1\n"
        "  %w = load i32, ptr %l"
    ),
    "by a pointer of its own": "  store ptr %l, ptr %k\n  %q1 = load ptr, ptr %k\n  store i32 3, ptr %q1\n"
    "  %w = load i32, ptr %l",
    "by a pointer that a branch chose": (
        "  %c = icmp eq i32 %t, 3\n  store ptr %m, ptr %k\n  br i1 %c, label %one, label %all\none:\n"
        "  store ptr %l, ptr %k\n  br label %all\nall:\n  %q1 = load ptr, ptr %k\n  store i32 9, ptr %q1\n"
        "  %w = load i32, ptr %l"
    ),
    "volatile": "  store volatile i32 4, ptr %l\n  %w = load volatile i32, ptr %l",
    "by a copy": "  store i32 6, ptr %m\n  call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr %m, i64 4, i1 false)\n"
    "  %w = load i32, ptr %l",
    "by a fill": "  call void @llvm.memset.p0.i64(ptr %l, i8 3, i64 4, i1 false)\n  %w = load i32, ptr %l",
    "as another type": "  %f = load float, ptr %l\n  %w = fptosi float %f to i32",
    "as a narrower type": "  %b = load i8, ptr %l\n  %w = zext i8 %b to i32",
    "a vector of elements": f"{FOUR}  %z = load <4 x i32>, ptr %l\n  %w = extractelement <4 x i32> %z, i32 2",
    "an element of a vector": (
        "  %z = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %v, i32 2\n  store <4 x i32> %z, ptr %l\n"
        "  %h = getelementptr i8, ptr %l, i64 8\n  %w = load i32, ptr %h"
    ),
    "a boolean": "  %c = icmp slt i32 %v, 9\n  store i1 %c, ptr %m\n  %d = load i1, ptr %m\n  %w = zext i1 %d to i32",
    "a phi that is undefined": (
        "  %c = icmp eq i32 %t, 3\n  br i1 %c, label %one, label %all\none:\n  br label %all\nall:\n"
        "  %phi = phi i32 [ undef, %0 ], [ %v, %one ]\n  store i32 %phi, ptr %m\n  %w = load i32, ptr %m"
    ),
    "undefined": "  store i32 undef, ptr %m\n  %w = load i32, ptr %m",
    "undefined in part": (
        "  %z = insertelement <4 x i32> undef, i32 %v, i32 2\n  store <4 x i32> %z, ptr %m\n"
        "  %h = getelementptr i8, ptr %m, i64 8\n  %w = load i32, ptr %h"
    ),
    "not written": "  %w = load i32, ptr %m",
    "not written as a whole": "  %z = load i64, ptr %l\n  %w = trunc i64 %z to i32",
    "behind its end": "  %h = getelementptr i8, ptr %l, i64 16\n  store i32 1, ptr %h\n  %w = load i32, ptr %h",
    "before its begin": "  %h = getelementptr i8, ptr %l, i64 -4\n  store i32 1, ptr %h\n  %w = load i32, ptr %h",
    "not aligned": "  %h = getelementptr i8, ptr %l, i64 2\n  store i32 1, ptr %h, align 4\n  %w = load i32, ptr %h",
    "in its second life": "  call void @llvm.lifetime.start.p0(i64 16, ptr %l)\n  %w = load i32, ptr %l",
    "after its life": "  call void @llvm.lifetime.end.p0(i64 16, ptr %l)\n  %w = load i32, ptr %l",
}
LOOP = """  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %next ]
  INSIDE
  br label %next
next:
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 3
  br i1 %more, label %loop, label %end
end:"""
SAME |= {
    "of the round before": LOOP.replace(
        "INSIDE", "%w = load i32, ptr %l\n  %z = add i32 %w, 1\n  store i32 %z, ptr %l"
    ),
    "of a round, then of none": LOOP.replace(
        "INSIDE", "%z = load i32, ptr %l\n  store i32 %n, ptr %m\n  %w = load i32, ptr %m\n  store i32 %z, ptr %m"
    ),
    "in each round's life": LOOP.replace(
        "INSIDE",
        "call void @llvm.lifetime.start.p0(i64 16, ptr %m)\n  store i32 %n, ptr %m\n"
        f"  {BARRIER}\n  %w = load i32, ptr %m",
    ),
    "of a life that each round begins again": LOOP.replace(
        "INSIDE",
        "%c = icmp eq i32 %n, 0\n  br i1 %c, label %one, label %all\none:\n  store i32 %v, ptr %m\n  br label %all\n"
        "all:\n  %w = load i32, ptr %m\n  call void @llvm.lifetime.start.p0(i64 16, ptr %m)",
    ),
    "once, before the loop": "  store i32 77, ptr %m\n" + LOOP.replace("INSIDE", "%w = load i32, ptr %m"),
    "on one way only": (
        "  %c = icmp eq i32 %t, 3\n  br i1 %c, label %one, label %all\none:\n  store i32 1, ptr %m\n  br label %all\n"
        "all:\n  %w = load i32, ptr %m"
    ),
    "a pointer, once, before the loop": (
        "  store ptr %l, ptr %k\n" + LOOP.replace("INSIDE", "%q1 = load ptr, ptr %k\n  store i32 %n, ptr %q1")
    )
    + "\n  %w = load i32, ptr %l",
}


# The address of the second of them, which no instruction takes: it has the number after those of the shared arrays.
FORGED = f"%forged = inttoptr i64 {base_of(4)} to ptr\n  store i32 9, ptr %forged"
SAME |= {
    "by a forged address": f"  store i32 5, ptr %m\n  {FORGED}\n  %w = load i32, ptr %m",
    "by a forged address, once, before the loop": "  store i32 5, ptr %m\n"
    + LOOP.replace("INSIDE", f"{FORGED}\n  %whole = load i32, ptr %m\n  %half = load i16, ptr %m")
    + "\n  %wide = zext i16 %half to i32\n  %w = add i32 %whole, %wide",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SAME)
def test_loads_give_what_the_interpreter_loads(what):
    both(f"{START}{SAME[what]}{OUT}", grid=2, block=32)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1030))
def test_random_accesses_of_local_variables_are_the_same_by_both_engines(seed):
    both(f"{VALUE}\n{random_locals(seed)}{OUT}", grid=2, block=32)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a vector of elements", "once, before the loop", "of the round before"])
def test_all_instructions_are_counted(what):
    """Also those of which no code is left."""
    (expected, _), (result, _) = (
        run(f"{START}{SAME[what]}{OUT}", engine, observers=simt.observers()) for engine in ("reference", "native")
    )

    assert result.engine.native == 1
    assert {**result.counters, "steps": 0} == {**expected.counters, "steps": 0}  # those of an engine are its own
