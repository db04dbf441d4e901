"""NVIDIA's shuffles, votes, `activemask`, matches, reductions and elections of a warp.

All with a mask wait for the lanes that it names; none orders memory.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.registry import declare_effect, stateful
from harness.simt.intrinsics.exchanges import Match, Reduction, Shuffle, Vote, check_masks
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import emit_exchange, warp_members

__all__ = ["shuffle_sources"]


def shuffle_sources(mode: str, lane: Integers, operand: Integers, control: Integers) -> tuple[Integers, Booleans]:
    """Return the lane that each lane reads in a mode of `shfl`, and whether that lane is in range.

    The number of a lane that is not in range may be negative or above 31.

    Args:
        mode: `idx`, `up`, `down`, or any other for `bfly`.
        operand: The lane, the distance or the bits to flip; the low five bits count.
        control: The clamp in bits 0 to 4, and the mask of the segment in bits 8 to 12.
    """
    clamp, segment = control & 31, control >> 8 & 31
    last = (lane & segment) | (clamp & ~segment)
    operand = operand & 31
    match mode:
        case "idx":
            source = (lane & segment) | (operand & ~segment)
        case "up":
            return lane - operand, lane - operand >= last
        case "down":
            source = lane + operand
        case _:
            source = lane ^ operand
    return source, source <= last


for mode in ("idx", "up", "down", "bfly"):
    shuffle = partial(
        Shuffle, f"shfl.{mode}", value=1, mask=0, rule=partial(shuffle_sources, mode), rule_operands=(2, 3)
    )
    name = f"llvm.nvvm.shfl.sync.{mode}"
    declare_effect(name, of=shuffle(), compiled=f"shuffle.{mode}")
    declare_effect(f"{name}.i32p", f"{name}.f32p", of=shuffle(returns_predicate=True), compiled=f"shuffle.{mode}")

VOTES = {
    "any": lambda yes, _there: yes != 0,
    "all": lambda yes, there: yes == there,
    "uni": lambda yes, there: (yes == there) | (yes == 0),
    "ballot": lambda yes, _there: yes,
}
for name, decide in VOTES.items():
    declare_effect(
        f"llvm.nvvm.vote.{name}.sync", of=Vote(f"vote.{name}", value=1, mask=0, decide=decide), compiled=f"vote.{name}"
    )
# These wait for no lane. A GPU may return fewer lanes if those of a branch have diverged.
declare_effect("llvm.nvvm.vote.ballot", of=Vote("vote.ballot", decide=VOTES["ballot"]))
declare_effect("llvm.nvvm.activemask", of=Vote("activemask", decide=VOTES["ballot"]))


@stateful("llvm.nvvm.elect.sync", waits=WarpSync(mask=0), exchanges=True, compiled="elect")
def elect_leader(call: Call) -> Result:
    """Elect the lowest active lane of the mask; return (leader's number, whether the lane is the leader).

    Wrong masks are reported by `check_masks`. If observers listen, they get an event of the exchange.
    """
    masks = check_masks(call, 0)
    assert masks is not None
    leader = warp_members(call.lanes, masks).argmax(1).astype(np.int32)
    chosen = leader == call.lanes.get("lane")
    emit_exchange(call, "elect", masks, chosen, leader)
    return (leader, chosen), None


declare_effect("llvm.nvvm.match.any.sync", of=Match("match.any", value=1, mask=0, needs_all=False), compiled="match")
for kind in ("i32p", "i64p"):
    declare_effect(f"llvm.nvvm.match.all.sync.{kind}", of=Match("match.all", value=1, mask=0, needs_all=True))

REDUCTIONS = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "umin": np.minimum,
    "umax": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "fmin": np.fmin,
    "fmax": np.fmax,
}
for name, ufunc in REDUCTIONS.items():
    reduction = Reduction(f"redux.{name}", mask=1, ufunc=ufunc, unsigned=name.startswith("u"))
    compiled = "" if name.startswith("f") else f"reduce.{name}"
    declare_effect(f"llvm.nvvm.redux.sync.{name}", of=reduction, compiled=compiled)
