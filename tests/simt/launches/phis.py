"""Phis that take nothing defined on some path, as clang leaves after loops that it unrolls."""

from __future__ import annotations

from tests.simt.engines import BARRIER, OUT, VALUE
from tests.simt.launches.row import NOTHING, Row

__all__ = ["PHIS", "WRONG_PHIS"]

# A thread with an odd number goes round a loop; after it %k is defined for these threads alone.
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


def _choice(end: str, undefined: str = "poison") -> str:
    return CHOICE.format(undefined=undefined) + end + OUT


def _rounds(rounds: int, which: str) -> tuple[str, str]:
    """Return a row's name and body; both phis of `MOVED` change places in each round, at once."""
    return f"phi: {which} after {rounds}", _choice(MOVED.format(rounds=rounds, which=which))


# Here the code for blocks of one shape runs most of them, and the last one uses what it has not defined.
BLOCKS = "  %late = icmp sge i32 %v, 1780\n  %if = or i1 %odd, %late\n"
MANY = {"grid": 28, "size": 28 * 64}
PHIS = (
    *(Row(f"phi: {name} where nobody uses it", _choice(USED.format(if_="%odd"), name)) for name in ("undef", "poison")),
    *(Row(*_rounds(n, which)) for n, which in ((1, "y"), (2, "x"))),
    Row("phi: outlives a barrier", _choice(KEPT, "undef")),
    Row("phi: blocks that do not use it", _choice(BLOCKS + USED.format(if_="%odd")), MANY),
)
WRONG_PHIS = (
    *(
        Row(f"phi: {name} and used", _choice(USED.format(if_="true"), name), NOTHING, 0, None)
        for name in ("undef", "poison")
    ),
    *(Row(*_rounds(n, which), NOTHING, 0, None) for n, which in ((1, "x"), (2, "y"))),
    Row("phi: the last block uses it", _choice(BLOCKS + USED.format(if_="%if")), MANY, lambda count: count < 28, None),
)
