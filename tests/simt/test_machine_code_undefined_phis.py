"""Machine code runs phis that take nothing defined on some way, as clang leaves behind loops that it unrolls."""

from __future__ import annotations

import pytest

from tests.simt.engines import BARRIER, OUT, VALUE, both

# A thread with an odd number goes round a loop; behind it %k is defined for these threads alone.
CHOICE = f"""{VALUE}
  %odd = trunc i32 %t to i1
  br i1 %odd, label %loop, label %behind
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %loop ]
  %sum = phi i32 [ %v, %0 ], [ %sum1, %loop ]
  %sum1 = add i32 %sum, %n
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, %t
  br i1 %more, label %loop, label %behind
behind:
  %k = phi i32 [ {{undefined}}, %0 ], [ %sum1, %loop ]
"""
USED = """  br i1 {if_}, label %use, label %end
use:
  %twice = add i32 %k, %k
  br label %end
end:
  %w = phi i32 [ %v, %behind ], [ %twice, %use ]"""
# The same once more, through a second phi in a loop, a swap with another, and a barrier.
MOVED = """  br label %again
again:
  %x = phi i32 [ %k, %behind ], [ %y, %again ]
  %y = phi i32 [ %v, %behind ], [ %x, %again ]
  %c = phi i32 [ 0, %behind ], [ %c1, %again ]
  %c1 = add i32 %c, 1
  %on = icmp ult i32 %c1, {rounds}
  br i1 %on, label %again, label %end
end:
  %w = add i32 %{which}, 1"""
KEPT = f"""  br i1 %odd, label %one, label %other
one:
  br label %meet
other:
  br label %meet
meet:
  %d = phi i32 [ %k, %one ], [ %v, %other ]
  {BARRIER}
  %w = add i32 %d, 1"""


@pytest.mark.parametrize("undefined", ["undef", "poison"])
def test_a_phi_may_be_undefined_where_nobody_uses_it(undefined: str) -> None:
    result = both(CHOICE.format(undefined=undefined) + USED.format(if_="%odd") + OUT)

    assert (result.verdict, result.engine.native) == ("clean", 1)


@pytest.mark.parametrize("undefined", ["undef", "poison"])
def test_one_that_is_used_is_found_by_the_interpreter(undefined: str) -> None:
    result = both(CHOICE.format(undefined=undefined) + USED.format(if_="true") + OUT)

    assert result.engine.native == 0 and result.findings


@pytest.mark.parametrize(("rounds", "which", "native"), [(1, "y", 1), (1, "x", 0), (2, "x", 1), (2, "y", 0)])
def test_what_a_phi_hands_on_is_as_undefined(rounds: int, which: str, native: int) -> None:
    """Both change places in each round, at once."""
    result = both(CHOICE.format(undefined="poison") + MOVED.format(rounds=rounds, which=which) + OUT)

    assert (result.engine.native, bool(result.findings)) == (native, not native)


def test_a_phi_that_outlives_a_barrier_is_defined() -> None:
    assert both(CHOICE.format(undefined="undef") + KEPT + OUT).engine.native == 1


def test_blocks_that_go_as_one_before_them_use_no_undefined_phi() -> None:
    """Here the code for blocks of one shape runs most of them, and the last one uses what it has not defined."""
    body = CHOICE.format(undefined="poison") + "  %late = icmp sge i32 %v, 1780\n  %if = or i1 %odd, %late\n"
    clean, wrong = (both(body + USED.format(if_=if_) + OUT, grid=28, size=28 * 64) for if_ in ("%odd", "%if"))

    assert (clean.engine.native, clean.engine.python) == (28, 0)
    assert wrong.findings and wrong.engine.python >= 1
