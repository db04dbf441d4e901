"""What can be declared of an instruction beside the value that it gives.

`Wait` is whatever lanes wait at: a new kind is a class here and its gate in
`run/waits.py`. Operands are named by their position in the call.
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
    """Address spaces that the bits of a constant operand name.

    Attributes:
        bits: Pairs of a bit and the space it stands for.
    """

    operand: int
    bits: tuple[tuple[int, str], ...]

    def named(self, flags: int) -> Spaces:
        """The spaces that a value of the operand names."""
        return frozenset(name for bit, name in self.bits if flags & bit)


class _Meeting:
    """What orders memory for those that meet.

    Attributes:
        spaces: The address spaces that it orders.
    """

    __slots__ = ()
    spaces: Spaces | Flags

    def ordered(self, op: Op) -> Spaces:
        """The address spaces that one call of it orders; all that can be named if its flags are not constant."""
        if isinstance(self.spaces, Flags):
            return self.spaces.named(getattr(op.operands[self.spaces.operand], "value", -1))
        return self.spaces


@dataclass(frozen=True, slots=True)
class Barrier(_Meeting):
    """A barrier of a block: all of its lanes that live meet, or as many as it says.

    Attributes:
        aligned: Whether all lanes of a warp must come together, to one instruction.
        number: The operand that says which of the block's barriers it is; None for 0.
        count: The operand that says how many lanes it takes; None for all that live.
        predicate: The operand that is counted over the lanes that meet, or None.
    """

    spaces: Spaces | Flags
    aligned: bool = True
    number: int | None = None
    count: int | None = None
    predicate: int | None = None


@dataclass(frozen=True, slots=True)
class WarpSync(_Meeting):
    """Lanes of a warp meet.

    Attributes:
        mask: The operand that names the lanes; None for all that live.
    """

    mask: int | None = None
    spaces: Spaces | Flags = NONE


@dataclass(frozen=True, slots=True)
class ClusterBarrier:
    """The barrier of a cluster, where lanes arrive and wait by two instructions."""

    order: Literal["release", "relaxed", "acquire"]


@dataclass(frozen=True, slots=True)
class PhaseWait:
    """The end of a phase of a barrier in shared memory.

    Attributes:
        barrier: The operand with its address.
        parity: The operand with the parity of the phase.
    """

    barrier: int = 0
    parity: int = 1


Wait: TypeAlias = Barrier | WarpSync | ClusterBarrier | PhaseWait


@dataclass(frozen=True, slots=True)
class Fence:
    """Lanes order their own accesses.

    Attributes:
        ordering: `acquire`, `release`, `acq_rel` or `seq_cst`; `proxy` where it orders the ways to memory alone,
            `begin` where it releases that barriers in shared memory have begun, and nothing else.
        scope: `thread`, `warp`, `block`, `cluster`, `device` or `system`.
        spaces: The address spaces concerned.
    """

    ordering: str
    scope: str
    spaces: Spaces = BOTH


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """Memory that an instruction accesses through a pointer.

    Attributes:
        operand: The pointer.
        kind: What it does there.
    """

    operand: int
    kind: Literal["load", "store", "atomic"]
