"""Which values of a kernel may differ: between blocks (`evenness`), or between the lanes of one (`uniform`)."""

from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment

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
    """Looks for them, value by value: a value is looked at again only when one that it is made from varies.

    So the time is linear in the number of operands, whatever the order of the segments.

    Attributes:
        made: The instruction that makes a value, by its number.
        varied: The numbers of those that may differ.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.segments = program, program.segments
        self.made = {op.result: op for one in self.segments for op in one.ops if op.result is not None}
        self.varied: set[int] = set()
        self.users: dict[int, list[Op]] = {}
        self._moved: dict[int, list[int]] = {}  # by a value the phis that take it
        self._deciding: dict[int, list[Segment]] = {}
        self._pending: list[int] = []
        for segment in self.segments:
            for op in segment.ops:
                for number in value_numbers(op.operands):
                    self.users.setdefault(number, []).append(op)
            for target, moves in segment.edges:
                for (phi, _), value in zip(self.segments[target].phis, moves, strict=True):
                    if isinstance(value, Ref):
                        self._moved.setdefault(value.number, []).append(phi)
            if isinstance(segment.condition, Ref):
                self._deciding.setdefault(segment.condition.number, []).append(segment)

    def settle(self) -> None:
        """Follow what varies from one value to the next, until nothing is new."""
        for segment in self.segments:
            for op in segment.ops:
                self._look(op)
        while self._pending or self._remain():
            while self._pending:
                number = self._pending.pop()
                for op in self.users.get(number, ()):
                    self._look(op)
                for phi in self._moved.get(number, ()):
                    self._vary(phi)
                for segment in self._deciding.get(number, ()):
                    self._part(segment)

    def _look(self, op: Op) -> None:
        if op.result is not None and op.result not in self.varied and self._differs(op):
            self._vary(op.result)

    def _vary(self, number: int) -> None:
        """Note that a value may differ."""
        if number not in self.varied:
            self.varied.add(number)
            self._pending.append(number)

    def _differs(self, op: Op) -> bool:
        """Return whether what an instruction makes may differ, as far as is known."""
        raise NotImplementedError

    def _part(self, segment: Segment) -> None:
        """Take note that a segment branches by what varies."""

    def _remain(self) -> bool:
        """Look once more at what does not follow from values alone; return whether there may be anything new."""
        return False

    def _varies(self, value: Value) -> bool:
        return isinstance(value, Ref) and value.number in self.varied

    def _takes(self, op: Op) -> bool:
        return any(map(self._varies, op.operands))
