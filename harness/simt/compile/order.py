"""Order basic blocks for execution: topologically, each loop contiguous.

Lower blocks run first. So lanes that left a loop wait for those still in it, and the code after the loop runs once,
with all of them.
See: https://llvm.org/docs/ConvergentOperations.html
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import TypeVar

__all__ = ["order_for_convergence"]

Block = TypeVar("Block")


def order_for_convergence(
    blocks: Sequence[Block], successors: Callable[[Block], Iterable[Block]]
) -> tuple[list[Block], dict[int, int]]:
    """Order blocks topologically with each loop contiguous, the entry before all that it leads to.

    Within a loop its head comes first, and inner loops are contiguous, too. Blocks that the entry does not lead to are
    ordered with the others, and may come before it.

    Args:
        blocks: The blocks; the first is the entry.
        successors: Maps a block to the blocks after it.

    Returns:
        The blocks in order; and the number, from 1, of the outermost loop of each block in a loop, by `id(block)`.
        Blocks outside loops are not in the second.
    """
    loops: dict[int, int] = {}
    order: list[Block] = []
    nodes = {id(block): block for block in blocks}
    following = {id(block): [id(target) for target in successors(block)] for block in blocks}
    numbers = count(1)

    def place(members: set[int], entry: int | None, outermost: int | None) -> None:
        for header, *rest in _components(members, entry, following):
            loop = outermost
            if loop is None and (rest or header in following[header]):
                loop = next(numbers)
            order.append(nodes[header])
            if loop is not None:
                loops[header] = loop
            if rest:
                place(set(rest), None, loop)

    place(set(nodes), id(blocks[0]), None)
    return order, loops


def _postorder(members: set[int], entry: int | None, following: Mapping[int, list[int]]) -> list[int]:
    """Return the members in postorder of a depth-first search that starts at the entry, if there is one.

    It goes on from the members that no other leads to, and then from the rest; edges out of the members are left out.
    """
    visited: set[int] = set()
    result = []
    starts = [entry] if entry is not None else []
    targets = {t for m in members for t in following[m] if t in members}
    starts += [m for m in following if m in members and m not in targets]
    starts += [m for m in following if m in members]
    for start in starts:
        if start in visited:
            continue
        visited.add(start)
        stack = [(start, iter(following[start]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target in members and target not in visited:
                    visited.add(target)
                    stack.append((target, iter(following[target])))
                    break
            else:
                result.append(node)
                stack.pop()
    return result


def _components(members: set[int], entry: int | None, following: Mapping[int, list[int]]) -> list[list[int]]:
    """Return strongly connected components in topological order (Kosaraju); each begins with its first-reached node."""
    post = _postorder(members, entry, following)
    before: dict[int, list[int]] = {node: [] for node in members}
    for node in members:
        for target in following[node]:
            if target in members:
                before[target].append(node)
    assigned: set[int] = set()
    components = []
    for root in reversed(post):
        if root in assigned:
            continue
        component, stack = [], [root]
        assigned.add(root)
        while stack:
            node = stack.pop()
            component.append(node)
            for source in before[node]:
                if source not in assigned:
                    assigned.add(source)
                    stack.append(source)
        components.append(component)
    return components
