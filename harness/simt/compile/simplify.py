"""Fewer blocks: empty ones are jumped over, straight lines are joined; one where lanes meet at the end of a loop."""

from collections.abc import Callable, Iterable, Mapping

from harness.simt.compile.graph import Edge, FlatBlock, Ref, Value
from harness.simt.ir.types import Type

__all__ = ["simplify"]


def simplify(entry: FlatBlock, blocks: Iterable[FlatBlock], value: Callable[[Type], Ref]) -> list[FlatBlock]:
    """The blocks that can be reached, joined; the first is the entry. `value` makes one of a type."""
    _return(blocks)
    _thread(blocks)
    _meet(entry, value)
    return _join(entry)


def _return(blocks: Iterable[FlatBlock]) -> None:
    """Lets lanes end where they return, and not where all that return come together."""
    for block in blocks:
        if block.term == "jump" and not (target := block.edges[0].target).ops and target.term == "exit":
            block.term, block.edges = "exit", []


def _meet(entry: FlatBlock, value: Callable[[Type], Ref]) -> None:
    """Lets lanes that go round a loop by several ways meet before its head: it is the lowest block, and runs first.

    Without this the first lanes there would be in the next round while others are still in this one.
    """
    for head, ways in _backward(entry):
        if len({id(block) for block, _ in ways}) > 1:
            again = [value(ty) for _, ty in head.phis]
            latch = FlatBlock(f"{head.name}.again", [(ref.number, ref.type) for ref in again], function=head.function)
            latch.term, latch.edges = "jump", [Edge(head, tuple(again))]
            for _, edge in ways:
                edge.target = latch


def _backward(entry: FlatBlock) -> list[tuple[FlatBlock, list[tuple[FlatBlock, Edge]]]]:
    """The blocks that edges go back to, each with those edges and where they start."""
    found: dict[int, tuple[FlatBlock, list[tuple[FlatBlock, Edge]]]] = {}
    seen, above = {id(entry)}, {id(entry)}
    stack = [(entry, iter(entry.edges))]
    while stack:
        block, rest = stack[-1]
        for edge in rest:
            if id(edge.target) in above:
                if edge.target.resumes is not None:
                    continue  # a function's end: it leads back to all that call it
                found.setdefault(id(edge.target), (edge.target, []))[1].append((block, edge))
            elif id(edge.target) not in seen:
                seen.add(id(edge.target))
                above.add(id(edge.target))
                stack.append((edge.target, iter(edge.target.edges)))
                break
        else:
            above.discard(id(block))
            stack.pop()
    return list(found.values())


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
            if target.function != block.function:
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
        block.rename(resolve)
