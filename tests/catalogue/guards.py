"""Conditions of a solution that no thread of any launch fails, so that a kernel without them is right by coincidence.

A condition compares what follows from a thread's place with a number that follows from the launch. Both only grow with
the place, so the corners of block and grid decide. What depends on a loop or on data is not looked at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from tests.catalogue.mojo_constants import evaluate, expression
from tests.catalogue.mojo_functions import function_of
from tests.catalogue.quantities import Observation, Subject

__all__ = ["PLACES", "Guard", "guards", "idle_axes", "is_made_of", "read_comparisons"]

_CONDITION = re.compile(r"\b(?:el)?if\s+(?!target\b)([^\n]+?)(?::\n|\s+else\b)")
_VARIABLE = re.compile(r"^\s+(?:var|comptime)\s+(\w+)(?:\s*:[^=\n]+)?\s*=\s*([^\n]+)", re.MULTILINE)
_CHANGED = re.compile(r"^\s+(\w+)\s*(?:[-+*]|//|<<|>>)?=(?!=)", re.MULTILINE)
PLACES = ("thread_idx.x", "thread_idx.y", "block_idx.x", "block_idx.y")
_OPERATORS = {ast.Lt: int.__lt__, ast.LtE: int.__le__, ast.Gt: int.__gt__, ast.GtE: int.__ge__}


@dataclass(frozen=True, slots=True)
class Guard:
    """A comparison of a solution that decides which threads go on.

    Attributes:
        kernel: The kernel.
        text: The comparison.
        numbers: The quantities that it compares a place with.
        needed: Whether it holds for some threads of some launch and not for others.
    """

    kernel: str
    text: str
    numbers: frozenset[str]
    needed: bool


def guards(subject: Subject, solution: str) -> Iterator[Guard]:
    """Yield the comparisons of a kernel's solution that its threads' places decide, each once."""
    variables, comparisons = read_comparisons(subject, solution)
    for shown, tree in comparisons.items():
        outcomes = {
            outcome for observation in subject.observations for outcome in _outcomes(tree, variables, observation)
        }
        if None not in outcomes and any(is_made_of(place, tree, variables) for place in (*PLACES, "lane_id()")):
            numbers = _numbers(tree, variables).intersection(subject.quantities)
            yield Guard(subject.kernel, shown, frozenset(numbers), len(outcomes) > 1)


def read_comparisons(subject: Subject, solution: str) -> tuple[Mapping[str, str], Mapping[str, ast.Compare]]:
    """Return a kernel's variables that never change, and the comparisons of its conditions, both by their text."""
    text = function_of(solution, subject.kernel).text
    changed = set(_CHANGED.findall(text))
    variables = {name: value for name, value in _VARIABLE.findall(text) if name not in changed}
    conditions = (expression(condition) for condition in _CONDITION.findall(text))
    return variables, {
        ast.unparse(tree): tree for condition in conditions if condition for tree in _comparisons(condition)
    }


def _comparisons(condition: ast.expr) -> Iterator[ast.Compare]:
    """Yield the comparisons of two numbers that a condition is made of."""
    for node in ast.walk(condition):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
                yield ast.Compare(left=left, ops=[operator], comparators=[right])


def is_made_of(name: str, tree: ast.AST, variables: Mapping[str, str]) -> bool:
    """Whether an expression, its variables looked up, mentions a name such as `thread_idx.x`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Call) and ast.unparse(node) == name:
            return True
        if isinstance(node, ast.Name) and node.id in variables:
            inner = expression(variables[node.id])
            if inner is not None and is_made_of(name, inner, variables):
                return True
    return False


def _numbers(tree: ast.AST, variables: Mapping[str, str]) -> set[str]:
    """Return the names that an expression is made of, looked up among a kernel's variables."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            inner = expression(variables[node.id]) if node.id in variables else None
            found |= {node.id} if inner is None else _numbers(inner, variables)
    return found


def _outcomes(tree: ast.Compare, variables: Mapping[str, str], observation: Observation) -> Iterator[bool | None]:
    """Yield what a comparison is at each corner of block and grid; None where it cannot be known."""
    compare = _OPERATORS.get(type(tree.ops[0]))
    sides = [ast.unparse(side) for side in (tree.left, tree.comparators[0])]
    if compare is None or "%" in ast.unparse(tree) or "block_dim.x" not in observation.values:
        yield None
        return
    extents = (name.replace("thread_idx", "block_dim").replace("block_idx", "grid_dim") for name in PLACES)
    last = [observation.values[extent] - 1 for extent in extents]
    known = {**variables, **observation.names, **observation.values}
    for place in product(*((0, end) for end in last)):
        names = {**known, **dict(zip(PLACES, place, strict=True)), "lane_id()": min(place[0], observation.width - 1)}
        left, right = (evaluate(side, names) for side in sides)
        yield compare(left, right) if isinstance(left, int) and isinstance(right, int) else None


def idle_axes(subject: Subject) -> str:
    """Return the axes in which some launch has more threads than the longest tensor has elements there."""
    return "".join(axis for axis in "xy" if any(_is_idle(at, axis) for at in subject.observations))


def _is_idle(observation: Observation, axis: str) -> bool:
    values, length = observation.values, observation.length(axis)
    return 0 < length < values.get(f"grid_dim.{axis}", 0) * values.get(f"block_dim.{axis}", 0)
