"""Which values of a kernel may differ: between blocks (`evenness`), or between the lanes of one (`uniform`)."""

from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.compile.program import Program

__all__ = ["NOTHING_INVARIANT", "BlockInvariance", "Dataflow"]


class BlockInvariance(NamedTuple):
    """The shared variables, by number, that blocks touch alike whose lanes go the same ways.

    Attributes:
        ways: The numbers of the segments behind which they may go otherwise, on a way to these variables.
        differs: Those of all behind which blocks may go otherwise.
        settled: Those that they come to alike.
    """

    variables: frozenset[int]
    ways: frozenset[int]
    differs: frozenset[int]
    settled: frozenset[int]


NOTHING_INVARIANT = BlockInvariance(*[frozenset[int]()] * 4)


class Dataflow:
    """Looks for them, round by round, until nothing is new.

    Attributes:
        made: The instruction that makes a value, by its number.
        varied: The numbers of those that may differ.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.segments = program, program.segments
        self.made = {op.result: op for one in self.segments for op in one.ops if op.result is not None}
        self.varied: set[int] = set()

    def settle(self) -> None:
        """Goes through all of it as long as there is anything new."""
        while self._round():
            pass

    def _round(self) -> bool:
        """Goes through all of it; whether anything is new."""
        raise NotImplementedError

    def _varies(self, value: Value) -> bool:
        return isinstance(value, Ref) and value.number in self.varied

    def _takes(self, op: Op) -> bool:
        return any(map(self._varies, op.operands))
