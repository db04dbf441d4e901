"""Fewer blocks: empty ones are jumped over, straight lines are joined."""

from collections.abc import Iterable, Mapping

from harness.simt.compile.graph import FlatBlock, Ref, Value

__all__ = ["simplify"]


def simplify(entry: FlatBlock, blocks: Iterable[FlatBlock]) -> list[FlatBlock]:
    """The blocks that can be reached, joined; the first is the entry."""
    _thread(blocks)
    return _join(entry)


def _thread(blocks: Iterable[FlatBlock]) -> None:
    """Lets edges jump over blocks that hold nothing but a jump."""
    for block in blocks:
        for edge in block.edges:
            seen: set[int] = set()
            while (
                not edge.target.ops
                and not edge.target.phis
                and edge.target.resumes is None
                and edge.target.term == "jump"
                and id(edge.target) not in seen
            ):
                seen.add(id(edge.target))
                onward = edge.target.edges[0]
                edge.moves = onward.moves
                edge.target = onward.target


def _join(entry: FlatBlock) -> list[FlatBlock]:
    """Drops blocks that nothing reaches and joins straight lines."""
    ways: dict[int, int] = {}
    order, stack = [], [entry]
    seen = {id(entry)}
    while stack:
        block = stack.pop()
        order.append(block)
        for edge in block.edges:
            ways[id(edge.target)] = ways.get(id(edge.target), 0) + 1
            if id(edge.target) not in seen:
                seen.add(id(edge.target))
                stack.append(edge.target)
    renamed: dict[int, Value] = {}
    gone: set[int] = set()
    for block in order:
        if id(block) in gone:
            continue
        while block.term == "jump":
            target = block.edges[0].target
            if ways[id(target)] != 1 or target is block or target is entry or target.resumes is not None:
                break
            for (number, _), value in zip(target.phis, block.edges[0].moves, strict=True):
                renamed[number] = value
            gone.add(id(target))
            block.ops += target.ops
            block.term, block.site = target.term, target.site
            block.condition, block.cases = target.condition, target.cases
            block.edges = target.edges
    kept = [block for block in order if id(block) not in gone]
    if renamed:
        _rename(kept, renamed)
    return kept


def _rename(blocks: Iterable[FlatBlock], renamed: Mapping[int, Value]) -> None:
    def resolve(operand: Value) -> Value:
        while type(operand) is Ref and operand.number in renamed:
            operand = renamed[operand.number]
        return operand

    for block in blocks:
        if block.condition is not None:
            block.condition = resolve(block.condition)
        for op in block.ops:
            op.operands = tuple(map(resolve, op.operands))
        for edge in block.edges:
            edge.moves = tuple(map(resolve, edge.moves))
