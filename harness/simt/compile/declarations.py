"""Data classes of an instruction's facts: what it waits for (barriers, lanes, phases), its fences, its accesses.

A new kind of `Wait` needs a class here and a gate in `run/sync_gates.py`. Operands are positions in the call.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from harness.simt.compile.graph import Op

__all__ = [
    "BOTH",
    "NONE",
    "Barrier",
    "ClusterBarrier",
    "Fence",
    "Flags",
    "MemoryAccess",
    "PhaseWait",
    "Spaces",
    "Wait",
    "WarpSync",
]

Spaces: TypeAlias = frozenset[str]
BOTH: Spaces = frozenset({"global", "shared"})
NONE: Spaces = frozenset()


@dataclass(frozen=True, slots=True)
class Flags:
    """A constant operand whose bits name address spaces.

    Attributes:
        bits: Pairs of a bit and the space it stands for.
    """

    operand: int
    bits: tuple[tuple[int, str], ...]

    def spaces_of(self, flags: int) -> Spaces:
        """Return the address spaces that a value of the operand names."""
        return frozenset(name for bit, name in self.bits if flags & bit)


class _Synchronisation:
    """A synchronisation of lanes that also orders their accesses to some address spaces.

    Attributes:
        spaces: The address spaces that it orders.
    """

    __slots__ = ()
    spaces: Spaces | Flags

    def ordered_spaces(self, op: Op) -> Spaces:
        """Return the address spaces that one call orders: `spaces`, or if it is `Flags`, what the call's flags name.

        Flags that are not constant count as all set.
        """
        if isinstance(self.spaces, Flags):
            return self.spaces.spaces_of(getattr(op.operands[self.spaces.operand], "value", -1))
        return self.spaces


@dataclass(frozen=True, slots=True)
class Barrier(_Synchronisation):
    """A barrier of a block: all live lanes wait for each other, or as many as an operand says.

    Attributes:
        aligned: Whether all lanes of a warp must execute the same barrier instruction together.
        number: The operand with the number of the block's barrier; None for barrier 0.
        count: The operand with the number of lanes that take part; None for all live lanes.
        predicate: The operand that is counted over the lanes that take part, or None.
    """

    spaces: Spaces | Flags
    aligned: bool = True
    number: int | None = None
    count: int | None = None
    predicate: int | None = None


@dataclass(frozen=True, slots=True)
class WarpSync(_Synchronisation):
    """Lanes of a warp wait for each other.

    Attributes:
        mask: The operand with the mask of lanes; None for all live lanes.
    """

    mask: int | None = None
    spaces: Spaces | Flags = NONE


@dataclass(frozen=True, slots=True)
class ClusterBarrier:
    """An arrival at the barrier of a cluster, or the wait for it."""

    order: Literal["release", "relaxed", "acquire"]


@dataclass(frozen=True, slots=True)
class PhaseWait:
    """A wait for the end of a phase of an mbarrier.

    Attributes:
        barrier: The operand with the address of the mbarrier.
        parity: The operand with the parity of the phase.
    """

    barrier: int = 0
    parity: int = 1


Wait: TypeAlias = Barrier | WarpSync | ClusterBarrier | PhaseWait


@dataclass(frozen=True, slots=True)
class Fence:
    """Lanes order their own accesses, without waiting.

    Attributes:
        ordering: `acquire`, `release`, `acq_rel` or `seq_cst`; `proxy` if it only orders accesses through different
            proxies, `begin` if it only releases the initialisation of mbarriers.
        scope: `thread`, `warp`, `block`, `cluster`, `device` or `system`.
        spaces: The address spaces concerned.
    """

    ordering: str
    scope: str
    spaces: Spaces = BOTH


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """An access through a pointer operand of an instruction.

    Attributes:
        operand: The position of the pointer.
        kind: What the instruction does to the memory.
    """

    operand: int
    kind: Literal["load", "store", "atomic"]
