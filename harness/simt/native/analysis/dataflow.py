"""`Dataflow`, fixed-point base class of `uniformity` and `block_invariance`; result type `BlockInvariance`.

`Dataflow` propagates values that may differ to their users; a subclass says which instructions begin it.
"""

from typing import NamedTuple

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment

__all__ = ["NOTHING_INVARIANT", "BlockInvariance", "Dataflow"]


class BlockInvariance(NamedTuple):
    """The shared variables, by number, that all blocks of one control path access alike.

    Attributes:
        branches: The numbers of the segments after which blocks may diverge on a path to these variables.
        differs: The numbers of all segments after which blocks may diverge.
        common_segments: The numbers of the segments that all blocks reach alike.
    """

    variables: frozenset[int]
    branches: frozenset[int]
    differs: frozenset[int]
    common_segments: frozenset[int]


NOTHING_INVARIANT = BlockInvariance(*[frozenset[int]()] * 4)


class Dataflow:
    """Finds the values that may differ; a value is examined again only if one of its operands varies.

    So the time is linear in the number of operands, whatever the order of the segments.

    Attributes:
        definitions: The instruction that defines a value, by the value's number.
        varied: The numbers of the values that may differ.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.segments = program, program.segments
        self.definitions = {op.result: op for segment in self.segments for op in segment.ops if op.result is not None}
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
        """Compute `varied` to a fixed point: examine every instruction, then what uses the values that may differ."""
        for segment in self.segments:
            for op in segment.ops:
                self._look(op)
        while self._pending or self._look_again():
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

    def _look_again(self) -> bool:
        """Look once more at what does not follow from values alone; return whether there may be anything new."""
        return False

    def _varies(self, value: Value) -> bool:
        return isinstance(value, Ref) and value.number in self.varied

    def _takes(self, op: Op) -> bool:
        return any(map(self._varies, op.operands))
