"""Simplify a control-flow graph: thread jumps, merge chains, exit where lanes return, give each loop one latch."""

from collections.abc import Callable, Iterable, Mapping

from harness.simt.compile.graph import BasicBlock, Edge, Ref, Value
from harness.simt.ir.types import Type

__all__ = ["simplify"]


def simplify(entry: BasicBlock, blocks: Iterable[BasicBlock], value: Callable[[Type], Ref]) -> list[BasicBlock]:
    """Simplify the graph in place, and return the reachable blocks, the entry first; `value` makes a new value of a
    type.

    Blocks that only jump vanish if they have no phis, chains become one block, each loop gets one latch, and a block
    that jumps to an empty exit block exits itself.
    """
    _exit_at_returns(blocks)
    _thread_jumps(blocks)
    _merge_latches(entry, value)
    return _merge_chains(entry)


def _exit_at_returns(blocks: Iterable[BasicBlock]) -> None:
    """Make blocks that jump to an empty exit block exit themselves, so that lanes end where they return. In place."""
    for block in blocks:
        if block.term == "jump" and not (target := block.edges[0].target).ops and target.term == "exit":
            block.term, block.edges = "exit", []


def _merge_latches(entry: BasicBlock, value: Callable[[Type], Ref]) -> None:
    """Give each loop head a single latch, where lanes of all back edges converge before the next iteration. In place.

    A head whose back edges all come from one block stays as it is.

    The head is the lowest block and runs first: without a latch the first lanes there would start the next iteration
    while others are still in this one.
    """
    for head, back_edges in _find_back_edges(entry):
        if len({id(block) for block, _ in back_edges}) > 1:
            again = [value(ty) for _, ty in head.phis]
            latch = BasicBlock(f"{head.name}.again", [(ref.number, ref.type) for ref in again], function=head.function)
            latch.term, latch.edges = "jump", [Edge(head, tuple(again))]
            for _, edge in back_edges:
                edge.target = latch


def _find_back_edges(entry: BasicBlock) -> list[tuple[BasicBlock, list[tuple[BasicBlock, Edge]]]]:
    """Return each block that back edges lead to, with (block, edge) for each of these edges.

    Edges to a block where a call returns do not count, nor do blocks that the entry does not lead to.
    """
    headers: dict[int, tuple[BasicBlock, list[tuple[BasicBlock, Edge]]]] = {}
    visited, above = {id(entry)}, {id(entry)}
    stack = [(entry, iter(entry.edges))]
    while stack:
        block, rest = stack[-1]
        for edge in rest:
            if id(edge.target) in above:
                if edge.target.resumes is not None:
                    continue  # an edge from a function's end back to a caller is no loop
                headers.setdefault(id(edge.target), (edge.target, []))[1].append((block, edge))
            elif id(edge.target) not in visited:
                visited.add(id(edge.target))
                above.add(id(edge.target))
                stack.append((edge.target, iter(edge.target.edges)))
                break
        else:
            above.discard(id(block))
            stack.pop()
    return list(headers.values())


def _thread_jumps(blocks: Iterable[BasicBlock]) -> None:
    """Redirect edges, in place, past blocks that contain only a jump: no phis, and no call returns there."""
    for block in blocks:
        for edge in block.edges:
            visited: set[int] = set()
            while (
                not edge.target.ops
                and not edge.target.phis
                and edge.target.resumes is None
                and edge.target.term == "jump"
                and id(edge.target) not in visited
            ):
                visited.add(id(edge.target))
                onward = edge.target.edges[0]
                edge.moves = onward.moves
                edge.target = onward.target


def _merge_chains(entry: BasicBlock) -> list[BasicBlock]:
    """Return the reachable blocks, each merged with a successor that it jumps to and that has no other predecessor.

    Blocks of different functions, and blocks where a call returns, are not merged. The blocks change in place.
    """
    predecessors: dict[int, int] = {}
    order, stack = [], [entry]
    visited = {id(entry)}
    while stack:
        block = stack.pop()
        order.append(block)
        for edge in block.edges:
            predecessors[id(edge.target)] = predecessors.get(id(edge.target), 0) + 1
            if id(edge.target) not in visited:
                visited.add(id(edge.target))
                stack.append(edge.target)
    renamed: dict[int, Value] = {}
    merged: set[int] = set()
    for block in order:
        if id(block) in merged:
            continue
        while block.term == "jump":
            target = block.edges[0].target
            if predecessors[id(target)] != 1 or target is block or target is entry or target.resumes is not None:
                break
            if target.function != block.function:
                break
            for (number, _), value in zip(target.phis, block.edges[0].moves, strict=True):
                renamed[number] = value
            merged.add(id(target))
            block.ops += target.ops
            block.term, block.site = target.term, target.site
            block.condition, block.cases = target.condition, target.cases
            block.edges = target.edges
    remaining = [block for block in order if id(block) not in merged]
    if renamed:
        _replace_values(remaining, renamed)
    return remaining


def _replace_values(blocks: Iterable[BasicBlock], renamed: Mapping[int, Value]) -> None:
    def resolve(operand: Value) -> Value:
        while type(operand) is Ref and operand.number in renamed:
            operand = renamed[operand.number]
        return operand

    for block in blocks:
        block.replace_values(resolve)
