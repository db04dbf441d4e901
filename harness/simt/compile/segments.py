"""Pieces of blocks that lanes run without waiting, and what lives across them."""

from dataclasses import dataclass, field

from harness.simt.compile import registry
from harness.simt.compile.graph import Ref
from harness.simt.compile.order import loop_contiguous

__all__ = ["Segment", "find_live", "segments_of"]

EXITS = frozenset({"llvm.nvvm.exit", "llvm.amdgcn.endpgm"})


@dataclass(slots=True, eq=False)
class Segment:
    """A piece of a block.

    Attributes:
        gate: (kind, mask operand, op) of what lanes wait for first, or None.
        live: The values needed here or later, as a bit set of value numbers.
        stores: The values made here that are needed later.
        loop: The number of the outermost loop it is in, or None.
        reads: Whether it can see what other lanes write.
    """

    number: int
    phis: list
    ops: list
    gate: tuple | None = None
    term: str = "jump"
    condition: object = None
    cases: tuple = ()
    edges: list = field(default_factory=list)
    site: object = None
    live: int = 0
    stores: tuple = ()
    loop: int | None = None
    reads: bool = False
    members: int = 0


def intrinsic_of(op):
    """The registered handler of a call, or None."""
    callee = op.attrs["callee"]
    name = getattr(callee, "name", None)
    if name is None:
        return None
    return registry.find(name)


def segments_of(graph) -> list:
    """Cuts blocks where lanes wait, and numbers the pieces in the order they run."""
    order, loops = loop_contiguous(graph.blocks, lambda block: [edge.target for edge in block.edges])
    segments, first = [], {}
    for block in order:
        first[id(block)] = len(segments)
        current = Segment(len(segments), block.phis, [])
        segments.append(current)
        gated = None
        for op in block.ops:
            if op.opcode == "call":
                found = intrinsic_of(op)
                if found is not None and found.gate:
                    mask = op.operands[found.mask] if found.mask is not None else None
                    gate = found.gate, mask
                    if found.gate != "warp" or gated != gate:
                        following = Segment(len(segments), [], [], (*gate, op))
                        current.edges = [(following.number, ())]
                        current = following
                        segments.append(current)
                        gated = gate if found.gate == "warp" else None
            current.ops.append(op)
            current.reads |= op.opcode in ("load", "atomicrmw", "cmpxchg", "call")
        current.term, current.condition = block.term, block.condition
        current.cases, current.site = block.cases, block.site
        current.edges = [(edge.target, edge.moves) for edge in block.edges]
        if current.term == "unreachable" and current.ops:
            last = current.ops[-1]
            if last.opcode == "call":
                callee = getattr(last.attrs["callee"], "name", "").removeprefix("@")
                if callee in EXITS:
                    current.term = "exit"
        for number in range(first[id(block)], len(segments)):
            segments[number].loop = loops.get(id(block))
    for segment in segments:
        segment.edges = [
            (target if isinstance(target, int) else first[id(target)], moves) for target, moves in segment.edges
        ]
    return segments


def _uses(segment):
    """The values a segment takes from before it, and those it makes."""
    made = {number for number, _ in segment.phis}
    used = set()

    def use(operand):
        if type(operand) is Ref and operand.number not in made:
            used.add(operand.number)

    for op in segment.ops:
        for operand in op.operands:
            use(operand)
        if op.opcode == "call":
            use(op.attrs["callee"])
        if op.result is not None:
            made.add(op.result)
    use(segment.condition)
    for _, moves in segment.edges:
        for operand in moves:
            use(operand)
    if segment.gate and segment.gate[1] is not None:
        use(segment.gate[1])
    return used, made


def find_live(segments):
    """Finds which values are needed in or after each segment."""
    facts = []
    for segment in segments:
        used, made = _uses(segment)
        bits = sum(1 << n for n in used)
        facts.append((bits, sum(1 << n for n in made), made))
    changed = True
    while changed:
        changed = False
        for segment in reversed(segments):
            out = 0
            for target, _ in segment.edges:
                out |= segments[target].live
            used, made, _ = facts[segment.number]
            live = used | (out & ~made)
            if live != segment.live:
                segment.live = live
                changed = True
    for segment in segments:
        out = 0
        for target, _ in segment.edges:
            out |= segments[target].live
        segment.stores = tuple(sorted(n for n in facts[segment.number][2] if out >> n & 1))
