"""Emit the LLVM function that a lane runs between two waits: control flow, phis, values stored across waits."""

from harness.simt.compile.graph import Ref, Value
from harness.simt.compile.segments import Segment
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import leaves
from harness.simt.native.emit.context import ROUNDS, SLOTS, load_slot
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import IrValue
from harness.simt.native.kernel.plan import BarrierInterval, KernelPlan, is_partly_undefined
from harness.simt.native.lower import asynchronous_copies as copies
from harness.simt.native.lower import call_frames as frames
from harness.simt.native.lower.local_memory import begin
from harness.simt.native.lower.mbarriers import check_arrivals
from harness.simt.native.lower.table import LOWERINGS
from harness.simt.native.sanitize.clusters import begin_arrival, check_arrival
from harness.simt.native.sanitize.control_path import (
    PATH,
    WAYS,
    check_same_path,
    compare_with_previous_block,
    take_turn,
)
from harness.simt.native.sanitize.counting import begin_counting, end_counting, note_edge, note_rounds

__all__ = ["EPOCHS", "GIVEN", "STATE", "Lane", "branch_instruction"]

EPOCHS = (
    "i32 %now, i32 %now.far, i32 %birth, i32 %since, i32 %since.far, i32 %cluster, i32 %phase, i32 %open, "
    "i32 %met.near, i32 %met.far"
)
STATE = f"i1 %again, i64 %row.0, i64 %block, i64 %rank, {EPOCHS}, ptr %need, ptr %need.far"
GIVEN = STATE.replace("%row.0", "%row")


class Lane:
    """Emits the function of a lane for one barrier interval."""

    def __init__(self, plan: KernelPlan, interval: BarrierInterval) -> None:
        self.plan, self.interval, self.body, self.types = plan, interval, plan.body, plan.types

    def written(self) -> list[str]:
        """Emit the LLVM function for the interval and return its lines, which replace `body.lines`.

        The emitted function returns the number of the segment before which the lane waits, -1 at the kernel's end, or
        -2 if a check fails or the lane comes to an `unreachable`. For lockstep see `kernel.lockstep`.

        Raises:
            Declined: An instruction, or what it is applied to, has no compiled form.
        """
        body, k, interval = self.body, self.interval.entry.number, self.interval
        body.lines = lines = [f"define internal i32 @lane{k}({self.signature()}) alwaysinline {{"]
        self._heads("table", "own", "count", "threads", "spill", "snapshot", "reached")
        variables = {"path": ("i64", self.plan.unawaited), "ways": ("i64", interval.chooses)}
        variables["came"] = ("i8", body.arrives)
        for name, ty in ((name, ty) for name, (ty, there) in variables.items() if there):
            body.line(f"%{name} = alloca {ty}")
            body.line(f"store {ty} 0, ptr %{name}")
        copies.begin_flight(body, within=k in self.plan.warps)
        begin_arrival(body)
        frames.begin_frames(body, k)
        begin_counting(body, k)
        self._emit_interval()
        lines.append("bad:\n  ret i32 -2\n}")
        return lines

    def signature(self) -> str:
        """Return the function's parameters as LLVM text, without parentheses.

        They are the context, the lane, `STATE`, the leaves of `interval.uniform_in`, and for each leaf of
        `interval.uniform_out` a pointer to which the function stores it.
        """
        more = "".join(f", {ty} %u.{number}.{leaf}" for number, leaf, ty in self.interval.uniform_in)
        more += "".join(f", ptr %o.{number}.{leaf}" for number, leaf, _ in self.interval.uniform_out)
        return f"ptr %ctx, i64 %lane, {STATE}{more}"

    def _heads(self, *names: str) -> None:
        """Emit a load of each slot in `names`, as `%` and its name; then `%cluster.of`, `%row` and `%who`.

        `%cluster.of` is the number of blocks in a cluster. `%row` (i64) is the lane's number among all lanes that
        run, and `%who` (i32) its number in its cluster.
        """
        body = self.body
        for name in names:
            body.lines += load_slot(name)
        body.line(f"%cluster.of.at = getelementptr i64, ptr %ctx, i64 {SLOTS['cluster']}")
        body.line("%cluster.of = load i64, ptr %cluster.of.at, align 8, !invariant.load !0")
        body.line("%row = add i64 %row.0, %lane")
        body.line("%who = trunc i64 %lane to i32")

    def _emit_interval(self) -> None:
        body, lines, interval, plan = self.body, self.body.lines, self.interval, self.plan
        brought = interval.live
        if interval.can_repeat:
            body.line("%fuel = alloca i64")
            body.line(f"%total = getelementptr i64, ptr %ctx, i64 {SLOTS['fuel']}")
            fuel = body.new("load i64, ptr %total")
            body.line(f"%begun = call i64 @llvm.smin.i64(i64 {fuel}, i64 {ROUNDS})")
            body.line("store i64 %begun, ptr %fuel")
        for number in sorted(interval.defined | brought | body.params | self._others()):
            for leaf, (ty, _) in enumerate(leaves(self.types[number])):
                body.line(f"%r{number}.{leaf} = alloca {text(ty)}")
            if number in body.doubtful:
                body.line(f"%undefined{number} = alloca i1")
                body.line(f"store i1 false, ptr %undefined{number}")
        body.values = {}
        for number in sorted(body.params):
            for leaf, (ty, _) in enumerate(leaves(self.types[number])):
                self._set_variable(number, leaf, body.param(number, leaf, ty))
        for number in sorted(brought):
            for leaf in range(len(leaves(self.types[number]))):
                once = number in plan.once
                self._set_variable(
                    number, leaf, f"%u.{number}.{leaf}" if once else body.load_kept(number, leaf, "%lane")
                )
        self._again()
        ends: set[int] = set()
        self._begin(ends)
        for segment in interval.inside:
            self._segment(segment, ends)
        for target in sorted(ends):
            lines.append(f"w{target}:")
            body.values = {}
            for number in sorted(self._needed(target) & interval.defined):
                for leaf in range(len(leaves(self.types[number]))):
                    self._keep(number, leaf, self._kept_value(number, leaf))
            self._stop(target)

    def _kept_value(self, number: int, leaf: int) -> str:
        return self.body.raw(Ref(number, self.types[number]), leaf)

    def _needed(self, target: int) -> set[int]:
        return self.plan.live(self.plan.segments[target]) if target >= 0 else set()

    def _others(self) -> set[int]:
        """Return the numbers of the values that lanes recompute, since they were not kept."""
        return set()

    def _again(self) -> None:
        """Emit what recomputes the values of `_others`."""

    def _begin(self, _ends: set[int]) -> None:
        self.body.line(f"br label %s{self.interval.entry.number}")

    def _keep(self, number: int, leaf: int, value: str) -> None:
        if number in self.plan.once:
            ty, _ = leaves(self.types[number])[leaf]
            self.body.line(f"store {text(ty)} {value}, ptr %o.{number}.{leaf}")
        else:
            self.body.keep(number, leaf, "%lane", value)

    def _stop(self, where: int) -> None:
        """Emit the end of the function at a wait (a segment's number) or the kernel's end (-1).

        It has checks of copies, arrivals and control paths, then counts, the rounds used up, and the `ret`. The caller
        has stored the values that lanes keep.
        """
        copies.check_flight(self.body, within=where in self.plan.warps)
        check_arrival(self.body, waits=where in self.plan.waits)
        check_arrivals(self.body, where in self.plan.phases)
        if where in self.plan.unawaited:
            check_same_path(self.body)
        interval, matters = self.interval, self.body.asks or self.plan.turning
        end_counting(self.body, differs=interval.differs, looped=interval.looped and matters, chooses=interval.chooses)
        if self.interval.chooses:
            self._compared()
        self._halt(where)

    def _compared(self) -> None:
        compare_with_previous_block(self.body)

    def _halt(self, where: int) -> None:
        if self.interval.can_repeat:
            spent = self.body.new(f"sub i64 %begun, {self.body.new('load i64, ptr %fuel')}")
            note_rounds(self.body, IrValue("i64", spent))
            fuel = self.body.new(f"sub i64 {self.body.new('load i64, ptr %total')}, {spent}")
            self.body.line(f"store i64 {fuel}, ptr %total")
        self.body.line(f"ret i32 {where}")

    def _set_variable(self, number: int, leaf: int, value: str) -> None:
        ty, _ = leaves(self.types[number])[leaf]
        self.body.line(f"store {text(ty)} {value}, ptr %r{number}.{leaf}")

    def _segment(self, segment: Segment, ends: set[int]) -> None:
        body, k = self.body, segment.number
        body.lines.append(f"s{k}:")
        body.values = {}
        body.here = self.plan.origins[k]
        if k not in self.interval.always:
            self.plan.note_reached([k])
        if self.plan.unawaited and segment.loop is not None:
            take_turn(body, PATH, k + 1)
        for op in segment.ops:
            if op.opcode not in LOWERINGS:
                raise Declined(Reason.OPCODE, opcode=op.opcode)
            LOWERINGS[op.opcode](body, op)
            if op.opcode == "alloca" and segment.loop is not None:
                begin(body, op, "")
            if op.result in self.interval.defined:
                assert op.result is not None
                for leaf in range(len(leaves(op.type))):
                    self._set_variable(op.result, leaf, body.raw(Ref(op.result, op.type), leaf))
        self._end_piece(segment)
        match segment.term:
            case "exit":
                ends.add(-1)
                body.line("br label %w-1")
            case "unreachable":
                body.line("br label %bad")
            case _:
                self._leave(segment, ends)

    def _end_piece(self, segment: Segment) -> None:
        """Emit what follows the instructions of a segment."""

    def _note_edge_taken(self, segment: Segment, edge: int) -> None:
        """Emit, at the start of one of several edges, that the lane's control paths change.

        The path for counters changes if accesses are counted, `%ways` if blocks may diverge after the segment.

        Args:
            edge: The index of the edge in `segment.edges`.
        """
        note_edge(self.body, segment.number, edge)
        if self.plan.origins[segment.number] in self.body.invariance.branches:
            take_turn(self.body, WAYS, (segment.number << 8) + edge + 1)

    def _leave(self, segment: Segment, ends: set[int]) -> None:
        body = self.body
        labels = [f"e{segment.number}.{place}" for place in range(len(segment.edges))]
        if segment.term == "jump":
            body.line(f"br label %{labels[0]}")
        else:
            assert segment.condition is not None
            body.line(branch_instruction(segment, body.value(segment.condition), labels))
        values = dict(body.values)
        for place, (label, (target, moves)) in enumerate(zip(labels, segment.edges, strict=True)):
            body.lines.append(f"{label}:")
            body.values = dict(values)
            if len(labels) > 1:
                self._note_edge_taken(segment, place)
            self._edge(segment.number, target, moves, ends)

    def _edge(self, number: int, target: int, moves: tuple[Value, ...], ends: set[int]) -> None:
        """Emit an edge of the control-flow graph: the target's phis get their values, and control goes to the target.

        If lanes stop before the target, control goes to the label `w` with the target's number instead. Otherwise a
        check fails if the lane goes back too often in this interval.

        Args:
            number: The segment that the edge comes from; an edge to this or an earlier segment goes back.
            moves: The values of the target's phis.
            ends: Gets the target's number if lanes stop before the target.
        """
        body = self.body
        leaf_values = [[body.moved_value(value, leaf) for leaf in range(len(leaves(value.type)))] for value in moves]
        undefined = [self._undefined(value) for value in moves]  # before any of them changes
        for (phi, _), names, is_undefined in zip(self.plan.segments[target].phis, leaf_values, undefined, strict=True):
            for leaf, name in enumerate(names):
                self._set_variable(phi, leaf, name)
            if phi in body.doubtful:
                body.line(f"store i1 {is_undefined}, ptr %undefined{phi}")
        if target in self.plan.stops:
            ends.add(target)
            body.line(f"br label %w{target}")
            return
        if self.interval.can_repeat and target <= number:
            fuel = body.new(f"sub i64 {body.new('load i64, ptr %fuel')}, 1")
            body.line(f"store i64 {fuel}, ptr %fuel")
            body.unless(body.new(f"icmp sle i64 {fuel}, 0"))
        body.line(f"br label %s{target}")

    def _undefined(self, value: Value) -> str:
        """Return `true`, `false` or the name of an i1: whether any part of a value that a phi takes is undefined.

        Emits a load if the value is itself a phi that may be undefined; else the code alone decides.
        """
        if isinstance(value, Ref) and value.number in self.body.doubtful:
            return self.body.new(f"load i1, ptr %undefined{value.number}")
        return str(is_partly_undefined(self.body, value)).lower()


def branch_instruction(segment: Segment, condition: str, labels: list[str]) -> str:
    """Return the text of the `br` or `switch` at the end of a segment, which must have a condition; emits nothing.

    Args:
        condition: The name of the condition's value.
        labels: One for each edge, without `%`: of true and false, or of the `switch`'s default and then its cases.
    """
    assert segment.condition is not None
    ty = text(segment.condition.type)
    if segment.term == "branch":
        return f"br i1 {condition}, label %{labels[0]}, label %{labels[1]}"
    cases = " ".join(
        f"{ty} {case % (1 << int(ty[1:]))}, label %{label}"
        for case, label in zip(segment.cases, labels[1:], strict=True)
    )
    return f"switch {ty} {condition}, label %{labels[0]} [ {cases} ]"
