"""Which quantities of a mode follow from one another by the text of its file.

The text are the expressions of constants, the tuples that say how large grid and block are, the layouts of tensors, and
what docstrings say of shapes and launches. A definition that does not hold in every launch is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tests.catalogue.mojo_constants import WARP_SIZE, Form, Forms, combine, evaluate, stated
from tests.catalogue.mojo_functions import split_top
from tests.catalogue.quantities import Subject

__all__ = ["classes", "definitions"]

_GRID = re.compile(r"BLOCKS?_PER_GRID|GRID_DIM")
_BLOCK = re.compile(r"THREADS_PER_BLOCK|(?<!_)BLOCK_DIM_X$")
_X = {"block_dim.x": r"\1", "block_dim.y": "1"}
# What a docstring's sentence says of a launch: extents by their names, as expressions.
_SENTENCES: tuple[tuple[str, Mapping[str, str]], ...] = (
    (r"[Tt]here is one block\b", {"grid_dim.x": "1", "grid_dim.y": "1"}),
    (r"(?:block, of|blocks of) `(\w+)` threads(?! or more)", _X),
    (r"A block has `(\w+)` threads in x(?! and in y)", _X),
    (r"A block has `(\w+)` threads in x and in y", {"block_dim.x": r"\1", "block_dim.y": r"\1"}),
    (r"\((\w+), (\w+)\) threads", {"block_dim.x": r"\1", "block_dim.y": r"\2"}),
    (r"A block is one warp", {"block_dim.x": WARP_SIZE, "block_dim.y": "1"}),
    (r"a block of one thread", {"block_dim.x": "1", "block_dim.y": "1"}),
    (r"the grid `(\w+)` blocks in y", {"grid_dim.x": "1", "grid_dim.y": r"\1"}),
    (r"One cluster of `(\w+)` blocks", {"cluster": r"\1", "grid_dim.x": r"\1", "grid_dim.y": "1"}),
)
_RANKS = {"number": 0, "atom": 1}


def definitions(subject: Subject) -> Iterator[tuple[str, str]]:
    """Yield quantities with expressions that the text says they are; some may not hold."""
    for argument, several in subject.function.shapes.items():
        for extents in several:
            yield f"len({argument})", " * ".join(f"({extent})" for extent in extents)
            yield from ((f"{argument}.shape[{axis}]", extent) for axis, extent in enumerate(extents))
    for pattern, said in _SENTENCES:
        for match in re.finditer(pattern, subject.constraints):
            yield from ((quantity, match.expand(text)) for quantity, text in said.items())
    if not subject.kernel:
        return
    for kind, named in (("grid", _GRID), ("block", _BLOCK)):
        yield from _of_constants(subject, kind, named)
    for grid, block in subject.launch_texts:
        yield from _extents("grid", _looked_up(subject, grid))
        yield from _extents("block", _looked_up(subject, block))


def _of_constants(subject: Subject, kind: str, named: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield what constants say of grid or block; nothing where two that say different things fit."""
    texts = (
        text if text.startswith("(") else name for name, text in stated(subject.file).items() if named.search(name)
    )
    several = [tuple(_extents(kind, text)) for text in texts]
    fitting = {extents for extents in several if extents and all(_holds(subject, *extent) for extent in extents)}
    if len(fitting) == 1:
        yield from fitting.pop()


def _looked_up(subject: Subject, text: str) -> str:
    """The tuple that a name stands for."""
    found = _names(subject).get(text, text)
    return found if found.startswith("(") else text


def _names(subject: Subject) -> dict[str, str]:
    return {**stated(subject.function.text, indented=True), **stated(subject.file)}


def _extents(kind: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the extents of a grid or a block; a tuple's number in x says nothing about other numbers."""
    extents = split_top(text[1:-1]) if len(split_top(text.strip("()"))) > 1 and text.startswith("(") else [text]
    for axis, extent in zip("xy", [*extents, "1"], strict=False):
        if not extent.isdigit() or (extent == "1" and axis == "y"):
            yield f"{kind}_dim.{axis}", extent


def _holds(subject: Subject, quantity: str, text: str) -> bool:
    """Whether an expression is a quantity's value in every launch."""
    return all(
        observation.values[quantity] == evaluate(text, {**_names(subject), **observation.names, **observation.values})
        for observation in subject.observations
    )


def _held(subject: Subject) -> list[tuple[str, str]]:
    """Return the definitions that hold; a name that only docstrings know means one number at each launch."""
    first = subject.observations[0]
    known = {**_names(subject), **first.names, **first.values}
    held, symbols = [], dict[str, str]()
    for name, text in definitions(subject):
        if name not in subject.quantities:
            continue
        if text.isidentifier() and evaluate(text, known) is None:
            if subject.values(symbols.setdefault(text, name)) == subject.values(name):
                held.append((name, text))
        elif _holds(subject, name, text):
            held.append((name, text))
    return held


class _Classes:
    """Sets of things that are the same, joined two at a time."""

    def __init__(self) -> None:
        self._parents: dict[object, object] = {}

    def root(self, node: object) -> object:
        """Return the representative of a node's set."""
        while node in self._parents:
            node = self._parents[node]
        return node

    def join(self, one: object, other: object) -> None:
        """Make the sets of two nodes one."""
        if self.root(one) != self.root(other):
            self._parents[self.root(one)] = self.root(other)


def classes(subject: Subject) -> tuple[tuple[str, ...], ...]:
    """Return the quantities in classes: those of one follow from one another."""
    quantities = subject.quantities
    names = {
        name: text for name, text in _names(subject).items() if name not in quantities or _holds(subject, name, text)
    }
    forms, held = Forms(names), _held(subject)
    for name in subject.function.parameters:  # one with a constant's name in small letters is passed that constant
        constant = name.upper()
        if {name, constant} <= set(quantities) and subject.values(name) == subject.values(constant):
            forms.join(forms.of(name), forms.of(constant))
    for at, (name, text) in enumerate(held):
        for other, another in held[:at]:
            if name == other:
                forms.join(forms.of(text), forms.of(another))
    same, shortest = _Classes(), dict[str, Form]()
    for name in quantities:
        if name.isidentifier():
            same.join(name, forms.of(name))
    for name, text in held:
        form = forms.of(text)
        same.join(name, form)
        if name not in shortest or _rank(form) < _rank(shortest[name]):
            shortest[name] = form
    if "blocks" in quantities:
        grid, block = (
            [shortest.get(f"{kind}_dim.{axis}", ("atom", f"{kind}_dim.{axis}")) for axis in "xy"]
            for kind in ("grid", "block")
        )
        for axis, form in zip("xy", grid, strict=True):
            same.join(f"grid_dim.{axis}", form)
        for axis, form in zip("xy", block, strict=True):
            same.join(f"block_dim.{axis}", form)
        same.join("blocks", combine("Mult", *grid))
        same.join("threads", combine("Mult", *grid, *block))
    found: dict[object, list[str]] = {}
    for name in quantities:
        found.setdefault(same.root(name), []).append(name)
    return tuple(map(tuple, found.values()))


def _rank(form: Form) -> int:
    return _RANKS.get(str(form[0]), 2)
