"""Lanes of a warp that exchange without the others: those that the code names, and no others."""

from __future__ import annotations

from collections.abc import Callable

from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import ANY, Row

__all__ = ["LEFT_PARTS", "PARTS"]

Exchange = Callable[[int, int], str]
SHUFFLE = "%w{0} = call i32 @llvm.nvvm.shfl.sync.{1}.i32(i32 {2}, i32 %v, i32 {3}, i32 {4})"
VOTE = "%k{0} = call i1 @llvm.nvvm.vote.{1}.sync(i32 {2}, i1 %odd)\n  %w{0} = zext i1 %k{0} to i32"
TOGETHER = {
    "a lane across": lambda n, mask: SHUFFLE.format(n, "bfly", mask, 5, 31),
    "a lane below": lambda n, mask: SHUFFLE.format(n, "up", mask, 3, 16 << 8),
    "a lane above": lambda n, mask: SHUFFLE.format(n, "down", mask, 9, 16 << 8 | 31),
    "one lane": lambda n, mask: SHUFFLE.format(n, "idx", mask, 11, 16 << 8 | 31),
    "how many": lambda n, mask: f"%w{n} = call i32 @llvm.nvvm.vote.ballot.sync(i32 {mask}, i1 %odd)",
    "whether any": lambda n, mask: VOTE.format(n, "any", mask),
    "whether all": lambda n, mask: VOTE.format(n, "all", mask),
    "whether all or none": lambda n, mask: VOTE.format(n, "uni", mask),
    "the same": lambda n, mask: f"%w{n} = call i32 @llvm.nvvm.match.any.sync.i32(i32 {mask}, i32 %four)",
    **{
        name: lambda n, mask, name=name: f"%w{n} = call i32 @llvm.nvvm.redux.sync.{name}(i32 %v, i32 {mask})"
        for name in ("add", "xor", "and", "or", "min", "max", "umin", "umax")
    },
}


def _halves(low: Exchange, high: Exchange, first: int = 0xFFFF, second: int = -0x10000, limit: int = 16) -> str:
    """Each half of a warp does something for itself."""
    return f"""{VALUE}
  %odd = trunc i32 %v to i1
  %four = and i32 %v, 3
  %lane = and i32 %t, 31
  %here = icmp ult i32 %lane, {limit}
  br i1 %here, label %low, label %high
low:
  {low(1, first)}
  %x = add i32 %w1, 1
  br label %end
high:
  {high(2, second)}
  br label %end
end:
  %w = phi i32 [ %x, %low ], [ %w2, %high ]{OUT}"""


FEW = f"""{VALUE}
  %c = icmp ult i32 %t, 3
  br i1 %c, label %few, label %end
few:
  {SHUFFLE.format("", "idx", 7, 2, 31)}{OUT}
  br label %end
end:"""
ROUNDS = f"""{VALUE}
  %lane = and i32 %t, 31
  %here = icmp ult i32 %lane, 16
  br i1 %here, label %round, label %end
round:
  %n = phi i32 [ 0, %0 ], [ %m, %round ]
  %x = phi i32 [ %v, %0 ], [ %y, %round ]
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 65535, i32 %x, i32 3, i32 31)
  %y = add i32 %s, %n
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 6
  br i1 %more, label %round, label %end
end:
  %z = phi i32 [ %v, %0 ], [ %y, %round ]
  %w = call i32 @llvm.nvvm.redux.sync.add(i32 %z, i32 -1){OUT}"""


def _by_all(line: str) -> str:
    """A line that all lanes of a warp run."""
    return f"{VALUE}\n  %half = and i32 %t, 16\n  %own = shl i32 65535, %half\n  {line}{OUT}"


ACROSS = TOGETHER["a lane across"]
FAR = SHUFFLE.format(1, "bfly", 65535, 16, 31)
# Not all whom the code names come, or others too.
LEFT = {
    "of the other half": _halves(lambda _n, _mask: FAR, ACROSS),
    "some that are elsewhere": _halves(ACROSS, ACROSS, first=0x1FFFF),
    "fewer than come": _halves(ACROSS, ACROSS, first=0xFFF, limit=16),
    "all of them, at two places": _halves(ACROSS, ACROSS, first=-1, second=-1),
    "a half, where all come": _by_all(SHUFFLE.format("", "bfly", 65535, 1, 31)),
    "each its own half": _by_all(SHUFFLE.format("", "bfly", "%own", 1, 31)),
    "a half that meets": _halves(
        lambda n, mask: f"call void @llvm.nvvm.bar.warp.sync(i32 {mask})\n  %w{n} = add i32 %v, 1", ACROSS
    ),
}
PARTS = (
    *(Row(f"half: {name}", _halves(together, together)) for name, together in TOGETHER.items()),
    Row("a few lanes, the others ended", FEW, {"initialised": True, "block": 32}),
    Row("rounds of a half", ROUNDS),
)
LEFT_PARTS = tuple(Row(f"half: {name}", body, {"initialised": True}, 0, found=ANY) for name, body in LEFT.items())
