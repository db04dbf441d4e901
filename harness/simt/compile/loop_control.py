"""Analyse which values decide whether lanes leave a loop, and after how many iterations they can.

The control slice of a loop is the set of values that its branches are computed from. If nothing in the slice comes from
memory, other lanes or a clock, then lanes that start an iteration with the same slice as before take the same branches
again, and never leave. The same holds for addresses of accesses: no later iteration leaves an array.

If each branch out of a loop compares a counter with a loop-invariant value, arithmetic modulo the counter's width gives
the number of iterations until the first of them can be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.simt.compile import registry
from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.ir.module import Const
from harness.simt.ir.types import bits_of

__all__ = ["NEVER", "CounterExit", "LoopControl", "analyse_loop", "iterations_until_exit"]

NEVER = 1 << 65  # iterations: more than a counter of 64 bits can count
EVERYTHING = -1  # all values, as a bit set
# Kinds of intrinsics whose result depends on operands alone.
COMPUTED = ("pure", "typed", "emitted", "lanes", "ignored")
EFFECTS = frozenset({"load", "store", "atomicrmw", "cmpxchg", "fence", "va_arg"})
OPPOSITE = {"eq": "ne", "slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt"}
OPPOSITE |= {right: left for left, right in OPPOSITE.items()}
MIRRORED = {"slt": "sgt", "sle": "sge", "ult": "ugt", "ule": "uge", "eq": "eq", "ne": "ne"}
MIRRORED |= {right: left for left, right in MIRRORED.items()}


@dataclass(frozen=True, slots=True)
class CounterExit:
    """A branch out of a loop that compares a counter with a loop-invariant value.

    Attributes:
        predicate: The `icmp` predicate under which lanes leave, with the counter on its left.
        counter: The position of the counter among the phis of the loop's head.
        offset: The constant added to the counter before the comparison.
        step: The constant that each iteration adds to the counter.
        bits: The width of the counter.
        bound: The value that it is compared with.
    """

    predicate: str
    counter: int
    offset: int
    step: int
    bits: int
    bound: Value


@dataclass(frozen=True, slots=True)
class LoopControl:
    """The values that decide whether lanes leave a loop; sets of values are bit sets of their numbers.

    Attributes:
        control: The control slice of the outermost loop around it.
        closed: Whether the slice depends only on itself, on constants and on values from before that loop.
        addresses: The values that the addresses of accesses are computed from.
        repeats: Whether these are closed in the same sense.
        observed: The values that branches and instructions with an effect, including loads, are computed from.
        exits: The branches out of the loop, if each compares a counter; else None. A loop without exits is endless.
    """

    control: int
    closed: bool
    addresses: int
    repeats: bool
    observed: int
    exits: tuple[CounterExit, ...] | None


@dataclass(slots=True)
class _Loop:
    """The segments of a loop, and the definitions of its values."""

    members: dict[int, Segment]
    head: int
    ops: dict[int, Op] = field(default_factory=dict)
    phis: dict[int, tuple[int, int]] = field(default_factory=dict)  # number: (segment, position)
    moves: dict[int, list[Sequence[Value]]] = field(default_factory=dict)  # by segment: from inside the loop
    visiting: set[int] = field(default_factory=set)  # phis

    def is_defined_inside(self, value: Value) -> bool:
        """Return whether a value is defined in the loop; others are loop-invariant."""
        return isinstance(value, Ref) and (value.number in self.ops or value.number in self.phis)

    def sources(self, number: int) -> list[Value]:
        """Return the values that a phi of the loop takes along edges from inside it; KeyError for any other number."""
        segment, position = self.phis[number]
        return [moves[position] for moves in self.moves.get(segment, ())]

    def closure(self, values: Iterable[Value | None]) -> tuple[int, bool]:
        """Return (bit set of `values` and all that they depend on, whether all instructions among them are repeatable).

        Loop-invariant values are in the set, but not what they depend on.
        """
        todo, visited, closed = value_numbers(values), set[int](), True
        while todo:
            number = todo.pop()
            if number in visited:
                continue
            visited.add(number)
            if number in self.phis:
                todo += value_numbers(self.sources(number))
            elif number in self.ops:
                closed = closed and _is_repeatable(self.ops[number])
                todo += value_numbers(self.ops[number].operands)
        return sum(1 << number for number in visited), closed

    def counter_base(self, value: Value) -> tuple[int, int] | None:
        """Return (phi of the head, offset) if a value is such a phi plus constants on all paths; else None."""
        total = 0
        while isinstance(value, Ref):
            number = value.number
            if number in self.phis:
                return self._merged_base(number, total)
            op = self.ops.get(number)
            if op is None or op.opcode not in ("add", "sub"):
                return None
            left, right = op.operands
            if op.opcode == "add" and isinstance(left, Const):
                left, right = right, left
            if not isinstance(right, Const):
                return None
            total += right.value if op.opcode == "add" else -right.value
            value = left
        return None

    def _merged_base(self, number: int, total: int) -> tuple[int, int] | None:
        """Return (base, its offset + `total`) of a phi: itself, with offset 0, at the head or if it is in `visiting`.

        Elsewhere it is what `counter_base` gives for all its sources; None if they differ.
        """
        if self.phis[number][0] == self.head or number in self.visiting:
            return number, total
        self.visiting.add(number)
        bases = {self.counter_base(source) for source in self.sources(number)}
        self.visiting.discard(number)
        if len(bases) != 1 or (base := bases.pop()) is None:
            return None
        return base[0], base[1] + total


def analyse_loop(segments: Sequence[Segment], head: int) -> LoopControl:
    """Analyse what decides whether lanes leave a loop, given the number of its head segment.

    All but `exits` describes the outermost loop around it: lanes enter an inner loop many times, often with the same
    values, but the outermost only once. If the outermost has calls that are not inlined, `closed` and `repeats` are
    False, all values are in `observed`, and `exits` is None.
    """
    outermost = {each.number: each for each in segments if each.loop == segments[head].loop}
    code = _collect_definitions(outermost, head)
    conditions = [segment.condition for segment in outermost.values()]
    control, closed = code.closure(conditions)
    addresses, repeats = code.closure(value for segment in outermost.values() for value in _addresses(segment))
    effects = (op for segment in outermost.values() for op in segment.ops if not _is_repeatable(op))
    observed, _ = code.closure([*conditions, *(operand for op in effects for operand in op.operands)])
    if any(op.opcode.startswith("call.") for segment in outermost.values() for op in segment.ops):
        return LoopControl(control, False, addresses, False, EVERYTHING, None)  # functions keep values elsewhere
    exits = _counter_exits(_collect_definitions(_loop_segments(segments, head), head))
    return LoopControl(control, closed, addresses, repeats, observed, exits)


def _collect_definitions(members: dict[int, Segment], head: int) -> _Loop:
    """Return the loop of some segments and a head, with the definitions of its values."""
    code = _Loop(members, head)
    for number, segment in members.items():
        code.ops |= {op.result: op for op in segment.ops if op.result is not None}
        code.phis |= {phi: (number, position) for position, (phi, _) in enumerate(segment.phis)}
        for target, moves in segment.edges:
            code.moves.setdefault(target, []).append(moves)
    return code


def _loop_segments(segments: Sequence[Segment], head: int) -> dict[int, Segment]:
    """Return, by number, a loop's segments: its head, and the higher ones that it leads to and that lead back."""
    loop = segments[head].loop
    # A loop begins with its head, so lower segments are only in loops around it.
    inside = {each.number: each for each in segments[head:] if each.loop == loop}
    before: dict[int, list[int]] = {}
    for number, segment in inside.items():
        for target, _ in segment.edges:
            before.setdefault(target, []).append(number)
    ahead = _reachable(head, lambda number: [target for target, _ in inside[number].edges if target in inside])
    back = _reachable(head, lambda number: before.get(number, []))
    return {number: inside[number] for number in sorted(ahead & back)}


def _reachable(start: int, following: Callable[[int], Iterable[int]]) -> set[int]:
    """Return `start` and all numbers that `following` leads to."""
    reached, todo = {start}, [start]
    while todo:
        for number in following(todo.pop()):
            if number not in reached:
                reached.add(number)
                todo.append(number)
    return reached


def _is_repeatable(op: Op) -> bool:
    """Return whether an instruction has no effect, and always gives a lane the same result for the same operands.

    So reading a thread's index is repeatable; a load is not, nor a call of an unknown function.
    """
    if op.opcode != "call":
        return op.opcode not in EFFECTS and not op.opcode.startswith("call.")
    intrinsic = intrinsic_of(op)
    if intrinsic is None or intrinsic.varies or intrinsic.exchanges or intrinsic.accesses:
        return False
    return intrinsic.kind in COMPUTED


def _addresses(segment: Segment) -> Iterable[Value]:
    """Yield the addresses of a segment's accesses, and all operands of its other instructions with an effect."""
    for op in segment.ops:
        if op.opcode in registry.OPCODES:
            yield from (op.operands[access.operand] for access in registry.OPCODES[op.opcode])
        elif not _is_repeatable(op):
            yield from op.operands


def _counter_exits(code: _Loop) -> tuple[CounterExit, ...] | None:
    """Return all branches out of a loop, maybe `()`; None unless each compares a counter, and can also stay inside."""
    steps = _counter_steps(code)
    exits = []
    for segment in code.members.values():
        inside = [target in code.members for target, _ in segment.edges]
        if all(inside):
            continue
        if segment.term != "branch" or not any(inside) or not isinstance(segment.condition, Ref):
            return None
        leave = _counter_exit(code, segment.condition, not inside[0], steps)
        if leave is None:
            return None
        exits.append(leave)
    return tuple(exits)


def _counter_steps(code: _Loop) -> Mapping[int, tuple[int, int]]:
    """Return (position among the head's phis, constant) of each of them to which each iteration adds it, by number."""
    steps = {}
    for position, (number, ty) in enumerate(code.members[code.head].phis):
        bases = {code.counter_base(source) for source in code.sources(number)}
        base = bases.pop() if len(bases) == 1 else None
        if base is not None and base[0] == number and bits_of(ty):
            steps[number] = position, base[1]
    return steps


def _counter_exit(code: _Loop, condition: Ref, holds: bool, steps: Mapping[int, tuple[int, int]]) -> CounterExit | None:
    """Return the exit that is taken when `condition` is `holds`; None unless it compares a counter and an invariant."""
    op = code.ops.get(condition.number)
    while op is not None and op.opcode == "xor" and isinstance(op.operands[1], Const) and bits_of(op.type) == 1:
        holds = holds != bool(op.operands[1].value & 1)
        op = code.ops.get(op.operands[0].number) if isinstance(op.operands[0], Ref) else None
    if op is None or op.opcode != "icmp":
        return None
    predicate, (left, right) = op.attrs["predicate"], op.operands
    if code.is_defined_inside(right):
        left, right, predicate = right, left, MIRRORED[predicate]
    counter = code.counter_base(left)
    if counter is None or code.is_defined_inside(right) or counter[0] not in steps:
        return None
    if not isinstance(right, Ref | Const):
        return None
    position, step = steps[counter[0]]
    bits = bits_of(left.type)
    return CounterExit(predicate if holds else OPPOSITE[predicate], position, counter[1], step, bits, right)


def iterations_until_exit(leave: CounterExit, counter: int, bound: int) -> int:
    """Return a lower bound of the further iterations after which a lane can leave the loop by an exit.

    Args:
        leave: The branch.
        counter: The lane's counter at the start of the iteration.
        bound: The value that it is compared with.

    Returns:
        0 if the lane can leave in this iteration; `NEVER` only if it cannot leave at all.
    """
    size = 1 << leave.bits
    at, bound, step = (counter + leave.offset) % size, bound % size, leave.step % size
    if leave.predicate == "ne":
        return 0 if at != bound else (1 if step else NEVER)
    if leave.predicate == "eq":
        return _steps_until_equal(at, bound, step, size)
    least = size >> 1 if leave.predicate[0] == "s" else 0  # the lowest number, as bits
    low, high = {  # the half-open range in which the predicate holds, as distances from the lowest number
        "lt": (0, (bound - least) % size),
        "le": (0, (bound - least) % size + 1),
        "gt": ((bound - least) % size + 1, size),
        "ge": ((bound - least) % size, size),
    }[leave.predicate[1:]]
    if low >= high:
        return NEVER
    place = (at - least) % size
    if low <= place < high:
        return 0
    if not step:
        return NEVER
    ahead, back = (low - place) % size, (place - (high - 1)) % size
    return -(-ahead // step) if step < size >> 1 else -(-back // (size - step))


def _steps_until_equal(at: int, bound: int, step: int, size: int) -> int:
    """Return how many steps of `step` lead from `at` to `bound` modulo `size`, a power of two; `NEVER` if none do."""
    if at == bound:
        return 0
    shared = step & -step  # the greatest power of two in the step
    if not step or (bound - at) % shared:
        return NEVER
    rest = size // shared
    return (bound - at) // shared * pow(step // shared, -1, rest) % rest
