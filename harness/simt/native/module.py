"""The LLVM IR module of a kernel: a function for each stretch between waits, and what leads through them."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from harness.simt.compile.declarations import ClusterBarrier, PhaseWait, Wait, WarpSync
from harness.simt.compile.graph import Ref, Value
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.errors import Unsupported
from harness.simt.ir.site import Line
from harness.simt.ir.types import Int, Type, leaves
from harness.simt.native import intrinsics as _intrinsics
from harness.simt.native import updates as _updates
from harness.simt.native.arithmetic import LOWERINGS
from harness.simt.native.barriers import of_barriers
from harness.simt.native.body import NOTHING, Alike, Body, Traced
from harness.simt.native.cells import cells
from harness.simt.native.clusters import CLUSTERS, noted, set_out, stopped
from harness.simt.native.counting import COUNT, begun, ended, went
from harness.simt.native.declined import Declined
from harness.simt.native.evenness import alike
from harness.simt.native.grain import grain_of
from harness.simt.native.layout import COUNTED, FIXED, Layout
from harness.simt.native.local import begin
from harness.simt.native.parts import lanes_of, led, parts_of
from harness.simt.native.phases import halted
from harness.simt.native.places import Place
from harness.simt.native.pieces import inside_of, pieces_of, unawaited
from harness.simt.native.runtime import driver, head
from harness.simt.native.text import text
from harness.simt.native.warp import snapshot
from harness.simt.native.uniform import uniform
from harness.simt.native.ways import begun_here, came_together, compared, turned

__all__ = ["Written", "written"]

LOADED = (_intrinsics, _updates)  # their lowerings are in the table
LONGEST = 4_000_000  # characters of a module: compiling more takes too long
ROUNDS = 1 << 24  # how often a lane goes round within a stretch, before Python looks whether that ever ends
EPOCHS = "i32 %now, i32 %far, i32 %birth, i32 %since, i32 %cluster, i32 %phase, i32 %open"
STATE = f"i64 %row.0, i64 %rank, {EPOCHS}, ptr %need"
GIVEN = STATE.replace("%row.0", "%row")


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A kernel as native code.

    Attributes:
        text: The module.
        layout: What it takes from a launch.
        lines: The lines of the source that have barriers.
        warps: Whether lanes of a warp wait for one another.
        ways: Whether a block may have to go as the one before it.
        notes: See `Body`.
        traced, strong, stored: See there.
    """

    text: str
    layout: Layout
    lines: tuple[Line, ...]
    warps: bool
    ways: bool
    notes: frozenset[str]
    traced: tuple[Traced, ...]
    strong: set[int]
    stored: set[Place | None]


def written(program: Program, notes: frozenset[str] = frozenset()) -> Written:
    """Writes the module of a kernel.

    Args:
        notes: See `Body`.

    Raises:
        Declined: Something in it has no native form.
    """
    if program.graph.calls:
        raise Declined("a call that stands alone")
    if program.clocked:
        raise Declined("what depends on time")
    try:
        return _Module(program, noted(program, notes)).written()
    except Unsupported as error:
        raise Declined(str(error)) from None


class _Module:
    def __init__(self, program: Program, notes: frozenset[str]) -> None:
        self.program = program
        self.pieces, self.origins = pieces_of(program)
        self.layout = Layout(program)
        self.body = Body(program, self.layout, notes)
        self.layout.grain = grain_of(self.body)
        self.entries = [piece for piece in self.pieces if piece.number == 0 or piece.gate is not None]
        self.parts = parts_of(self.entries)
        self.body.alike = self._alike()
        self.once = frozenset() if self.parts else uniform(program)  # kept once for those that go together
        self.body.declared.add("declare i64 @llvm.smin.i64(i64, i64)")
        self.types = program.graph.types
        self.unawaited = unawaited(program, self.pieces)
        self.waits, self.phases, self.warps = map(self._before, (ClusterBarrier, PhaseWait, WarpSync))

    def _before(self, wait: type[Wait]) -> list[int]:
        """The pieces that lanes wait before in some way."""
        return [piece.number for piece in self.pieces if piece.gate and isinstance(piece.gate.wait, wait)]

    def _alike(self) -> Alike:
        """What is looked at in one block for all."""
        found = NOTHING if self.body.arrives else alike(self.program)
        # A block that goes another way begins anew, alone and uncounted.
        return NOTHING if found.ways and (self.parts or self.body.notes & (COUNTED | {CLUSTERS})) else found

    def written(self) -> Written:
        entries = self.entries
        if self.parts and (self.unawaited or self.body.notes & (COUNTED | {CLUSTERS})):
            raise Declined("an exchange of a part of a warp beside others, counters or clusters")
        # The first stretch is the block's, whose lanes need not come in warps.
        self.left: dict[str, str] = {}  # what lanes leave once for all, by name, with its type
        stretches = [line for piece in entries for line in self._stretch(piece)]
        functions = [line for piece in entries for line in self._lane(piece)]
        lines, barriers = of_barriers(self.program, entries, self.origins)
        parts = [
            "!0 = !{}",
            cells(clusters=CLUSTERS in self.body.notes),
            *([COUNT] if "elements" in self.body.notes else ()),
            *functions,
            *self._dispatch(entries, stretches),
            *barriers,
            driver(self.warps, self.waits, self.phases, self.body.alike),
            *sorted(self.body.declared),
        ]
        text = "\n".join(parts)
        if len(text) > LONGEST:
            raise Declined("its length")
        body = self.body
        warps, ways = bool(self.warps), bool(body.alike.ways)
        return Written(text, self.layout, lines, warps, ways, body.notes, tuple(body.traced), body.strong, body.stored)

    def _dispatch(self, entries: list[Segment], stretches: list[str]) -> Iterator[str]:
        cases = " ".join(f"i32 {piece.number}, label %k{piece.number}" for piece in entries)
        name, more = ("some", f"{GIVEN}, i32 %set, ptr %where") if self.parts else ("stretch", GIVEN)
        yield f"define internal i32 @{name}(ptr %ctx, i32 %pc, i64 %from, i64 %to, {more}) {{"
        yield from (line for slot in ("threads", "spill", "snapshot", "reached") for line in head(slot))
        yield from (f"  {name} = alloca {ty}" for name, ty in sorted(self.left.items()))
        yield f"  switch i32 %pc, label %bad [ {cases} ]"
        yield from stretches
        yield "bad:\n  ret i32 -2\n}"
        if self.parts:
            yield from led(self.parts, GIVEN)

    def _stretch(self, piece: Segment) -> Iterator[str]:
        """The lanes of a group, one after another, all to the same wait."""
        k = piece.number
        yield f"k{k}:"
        first = piece.ops[0] if piece.ops else None
        found = None if first is None else intrinsic_of(first)
        if piece.gate is not None and found is not None and found.exchanges:
            assert first is not None
            for number in {one.number for one in first.operands if isinstance(one, Ref)} - self.body.params:
                yield from snapshot(self.body, k, number)
        if self.parts:
            yield lanes_of(k, GIVEN)
            return
        if self._chooses(piece):
            yield from begun_here(k)
        body = self.body
        body.lines, brought, left = [], self._brought(piece), self._left(piece)
        self._reached(self._always(piece))
        values = [body.load_kept(number, leaf, "%from") for number, leaf, _ in brought]
        more = "".join(f", {ty} {value}" for (_, _, ty), value in zip(brought, values, strict=True))
        more += "".join(f", ptr %o.{number}.{leaf}" for number, leaf, _ in left)
        self.left |= {f"%o.{number}.{leaf}": ty for number, leaf, ty in left}
        yield from body.lines
        yield f"""  br label %l{k}
l{k}:
  %lane{k} = phi i64 [ %from, %k{k} ], [ %next{k}, %m{k} ]
  %before{k} = phi i32 [ -3, %k{k} ], [ %went{k}, %m{k} ]
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {GIVEN}{more})
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %c{k}
c{k}:
  %first{k} = icmp eq i32 %before{k}, -3
  %same{k} = icmp eq i32 %before{k}, %went{k}
  %fine{k} = or i1 %first{k}, %same{k}
  br i1 %fine{k}, label %m{k}, label %bad
m{k}:
  %next{k} = add nuw i64 %lane{k}, 1
  %more{k} = icmp ult i64 %next{k}, %to
  br i1 %more{k}, label %l{k}, label %o{k}
o{k}:"""
        body.lines = []
        for number, leaf, ty in left:
            body.keep(number, leaf, "%from", body.new(f"load {ty}, ptr %o.{number}.{leaf}"))
        yield from body.lines
        yield f"  ret i32 %went{k}"

    def _brought(self, entry: Segment) -> list[tuple[int, int, str]]:
        """What its lanes find alike, as (value number, leaf, type)."""
        return self._leaves(self._live(entry) & self.once)

    def _left(self, entry: Segment) -> list[tuple[int, int, str]]:
        """What its lanes leave alike where they come to a wait."""
        inside = inside_of(self.pieces, entry)
        targets = {target for piece in inside for target, _ in piece.edges if self.pieces[target].gate is not None}
        live = {number for target in targets for number in self._live(self.pieces[target])}
        return self._leaves(live & self.once & _held(inside))

    def _leaves(self, numbers: Set[int]) -> list[tuple[int, int, str]]:
        parts = ((number, leaf, ty) for number in sorted(numbers) for leaf, (ty, _) in enumerate(leaves(self.types[number])))
        return [(number, leaf, text(ty)) for number, leaf, ty in parts]

    def _always(self, entry: Segment) -> list[int]:
        """The pieces that each lane goes through, from the first one on to where it may choose."""
        if self.parts:
            return []
        found = [entry.number]
        while (piece := self.pieces[found[-1]]).term == "jump":
            ((target, _),) = piece.edges
            if self.pieces[target].gate is not None or target in found:
                break
            found.append(target)
        return found

    def _reached(self, pieces: Sequence[int]) -> None:
        """Notes that lanes come to them."""
        for number in dict.fromkeys(self.origins[piece] for piece in pieces):
            self.body.line(f"store i8 1, ptr {self.body.new(f'getelementptr i8, ptr %reached, i64 {number}')}")

    def _chooses(self, entry: Segment) -> bool:
        """Whether lanes may go otherwise than those of another block, before they wait."""
        return any(self.origins[piece.number] in self.body.alike.ways for piece in inside_of(self.pieces, entry))

    # A lane.

    def _lane(self, entry: Segment) -> list[str]:
        body, k = self.body, entry.number
        inside = inside_of(self.pieces, entry)
        more = "".join(f", {ty} %u.{number}.{leaf}" for number, leaf, ty in self._brought(entry))
        more += "".join(f", ptr %o.{number}.{leaf}" for number, leaf, _ in self._left(entry))
        body.lines = lines = [f"define internal i32 @lane{k}(ptr %ctx, i64 %lane, {STATE}{more}) alwaysinline {{"]
        for name in ("table", "own", "count", "threads", "spill", "snapshot", "reached"):
            lines += head(name)
        body.line(f"%cluster.of.at = getelementptr i64, ptr %ctx, i64 {FIXED['cluster']}")
        body.line("%cluster.of = load i64, ptr %cluster.of.at, align 8, !invariant.load !0")
        body.line("%row = add i64 %row.0, %lane")
        body.line("%who = trunc i64 %lane to i32")
        self.chooses = self._chooses(entry)
        own = {"path": ("i64", self.unawaited), "flight": ("i8", self.program.copies), "came": ("i8", body.arrives)}
        own["ways"] = ("i64", self.chooses)
        for name, ty in ((name, ty) for name, (ty, there) in own.items() if there):
            body.line(f"%{name} = alloca {ty}")
            body.line(f"store {ty} 0, ptr %{name}")
        set_out(body)
        begun(body, k)
        self._way(entry, inside)
        lines.append("bad:\n  ret i32 -2\n}")
        return lines

    def _way(self, entry: Segment, inside: list[Segment]) -> None:
        body, lines = self.body, self.body.lines
        held, brought = _held(inside), self._live(entry)
        self.noted = set(self._always(entry))
        self.turns = self._turns(inside)
        if self.turns:
            body.line("%fuel = alloca i64")
            body.line(f"%total = getelementptr i64, ptr %ctx, i64 {FIXED['fuel']}")
            left = body.new("load i64, ptr %total")
            body.line(f"%begun = call i64 @llvm.smin.i64(i64 {left}, i64 {ROUNDS})")
            body.line("store i64 %begun, ptr %fuel")
        for number in sorted(held | brought | self.body.params):
            for leaf, (ty, _) in enumerate(leaves(self.types[number])):
                body.line(f"%r{number}.{leaf} = alloca {text(ty)}")
        body.values = {}
        for number in sorted(self.body.params):
            for leaf, (ty, _) in enumerate(leaves(self.types[number])):
                self._put(number, leaf, self._param(number, leaf, ty))
        for number in sorted(brought):
            for leaf in range(len(leaves(self.types[number]))):
                once = number in self.once
                self._put(number, leaf, f"%u.{number}.{leaf}" if once else body.load_kept(number, leaf, "%lane"))
        body.line(f"br label %s{entry.number}")
        ends: set[int] = set()
        for piece in inside:
            self._piece(piece, ends)
        for target in sorted(ends):
            lines.append(f"w{target}:")
            body.values = {}
            for number in sorted(self._live(self.pieces[target])):
                for leaf in range(len(leaves(self.types[number]))):
                    if number in held:
                        self._keep(number, leaf, body.raw(Ref(number, self.types[number]), leaf))
            self._stop(target)

    def _keep(self, number: int, leaf: int, value: str) -> None:
        if number in self.once:
            ty, _ = leaves(self.types[number])[leaf]
            self.body.line(f"store {text(ty)} {value}, ptr %o.{number}.{leaf}")
        else:
            self.body.keep(number, leaf, "%lane", value)

    def _stop(self, where: int) -> None:
        """The lane comes to a wait, or to its end; what it went round is taken from what all may."""
        if self.program.copies:  # and waits for all that it began to copy
            self.body.unless(self.body.new(f"icmp ne i8 {self.body.new('load i8, ptr %flight')}, 0"))
        stopped(self.body, waits=where in self.waits)
        halted(self.body, where in self.phases)
        if where in self.unawaited:
            came_together(self.body)
        ended(self.body)
        if self.chooses:
            compared(self.body)
        if self.turns:
            spent = self.body.new(f"sub i64 %begun, {self.body.new('load i64, ptr %fuel')}")
            left = self.body.new(f"sub i64 {self.body.new('load i64, ptr %total')}, {spent}")
            self.body.line(f"store i64 {left}, ptr %total")
        self.body.line(f"ret i32 {where}")

    def _param(self, number: int, leaf: int, ty: Type) -> str:
        slot = self.layout.params[number, leaf]
        if ty == Int(1):
            return self.body.new(f"trunc i8 {self.body.slot(slot, 'i8')} to i1")
        return self.body.slot(slot, text(ty))

    def _live(self, piece: Segment) -> set[int]:
        numbers = {number for number in range(piece.live.bit_length()) if piece.live >> number & 1}
        return numbers - self.body.params

    def _turns(self, inside: Sequence[Segment]) -> bool:
        """Whether lanes may come to a piece again before they wait."""
        left = {piece.number: {target for target, _ in piece.edges if self.pieces[target].gate is None} for piece in inside}
        while ends := [number for number, targets in left.items() if not targets & left.keys()]:
            for number in ends:
                del left[number]
        return bool(left)

    def _put(self, number: int, leaf: int, value: str) -> None:
        ty, _ = leaves(self.types[number])[leaf]
        self.body.line(f"store {text(ty)} {value}, ptr %r{number}.{leaf}")

    def _piece(self, piece: Segment, ends: set[int]) -> None:
        body, k = self.body, piece.number
        body.lines.append(f"s{k}:")
        body.values = {}
        body.here = self.origins[k]
        if k not in self.noted:
            self._reached([k])
        if self.unawaited and piece.loop is not None:
            turned(body, "path", k + 1)
        for op in piece.ops:
            if op.opcode not in LOWERINGS:
                raise Declined(op.opcode)
            LOWERINGS[op.opcode](body, op)
            if op.opcode == "alloca" and piece.loop is not None:
                begin(body, op)
            if op.result in piece.stores:
                assert op.result is not None
                for leaf in range(len(leaves(op.type))):
                    self._put(op.result, leaf, body.raw(Ref(op.result, op.type), leaf))
        match piece.term:
            case "exit":
                self._stop(-1)
            case "unreachable":
                body.line("br label %bad")
            case _:
                self._leave(piece, ends)

    def _leave(self, piece: Segment, ends: set[int]) -> None:
        body = self.body
        labels = [f"e{piece.number}.{place}" for place in range(len(piece.edges))]
        if piece.term == "jump":
            body.line(f"br label %{labels[0]}")
        else:
            assert piece.condition is not None
            condition, ty = body.value(piece.condition), text(piece.condition.type)
            if piece.term == "branch":
                body.line(f"br i1 {condition}, label %{labels[0]}, label %{labels[1]}")
            else:
                bits = int(ty[1:])
                cases = " ".join(
                    f"{ty} {case % (1 << bits)}, label %{label}"
                    for case, label in zip(piece.cases, labels[1:], strict=True)
                )
                body.line(f"switch {ty} {condition}, label %{labels[0]} [ {cases} ]")
        values = dict(body.values)
        for place, (label, (target, moves)) in enumerate(zip(labels, piece.edges, strict=True)):
            body.lines.append(f"{label}:")
            body.values = dict(values)
            if len(labels) > 1:
                went(body, piece.number, place)
                if self.origins[piece.number] in body.alike.ways:
                    turned(body, "ways", (piece.number << 8) + place + 1)
            self._edge(piece.number, target, moves, ends)

    def _edge(self, number: int, target: int, moves: tuple[Value, ...], ends: set[int]) -> None:
        body = self.body
        if any(body.holes(value, leaf) for value in moves for leaf in range(len(leaves(value.type)))):
            body.unless("true")  # undefined on this way
        taken = [[body.raw(value, leaf) for leaf in range(len(leaves(value.type)))] for value in moves]
        for (phi, _), names in zip(self.pieces[target].phis, taken, strict=True):
            for leaf, name in enumerate(names):
                self._put(phi, leaf, name)
        if self.pieces[target].gate is not None:
            ends.add(target)
            body.line(f"br label %w{target}")
            return
        if self.turns and target <= number:
            left = body.new(f"sub i64 {body.new('load i64, ptr %fuel')}, 1")
            body.line(f"store i64 {left}, ptr %fuel")
            body.unless(body.new(f"icmp sle i64 {left}, 0"))
        body.line(f"br label %s{target}")


def _held(inside: Sequence[Segment]) -> set[int]:
    """The values that lanes make anew there."""
    return {number for piece in inside for number in (*(phi for phi, _ in piece.phis), *piece.stores)}
