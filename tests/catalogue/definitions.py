"""Which quantities of a mode follow from one another by the text of its file.

The text are the expressions of constants, the tuples that say how large grid and block are, the layouts of tensors, and
what docstrings say of shapes and launches. A definition that does not hold in every launch is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tests.catalogue.mojo_constants import WARP_SIZE, Form, Forms, combine, evaluate, stated
from tests.catalogue.mojo_functions import split_top
from tests.catalogue.quantities import Subject

__all__ = ["EXTENTS", "classes", "definitions", "unused_axes"]

EXTENTS = ("grid_dim.x", "grid_dim.y", "block_dim.x", "block_dim.y")

_GRID = re.compile(r"BLOCKS?_PER_GRID|GRID_DIM")
_BLOCK = re.compile(r"THREADS_PER_BLOCK|(?<!_)BLOCK_DIM_X$")
# What a docstring's sentence says of a launch: by which name an extent goes. That there is one block, or a block of one
# thread, explains nothing: a documented kernel has to be wrong elsewhere.
_SENTENCES: tuple[tuple[str, Mapping[str, str]], ...] = (
    (r"(?:block, of|blocks of) `(\w+)` threads(?! or more)", {"block_dim.x": r"\1"}),
    (r"A block has `(\w+)` threads in x(?! and in y)", {"block_dim.x": r"\1"}),
    (r"A block has `(\w+)` threads in x and in y", {"block_dim.x": r"\1", "block_dim.y": r"\1"}),
    (r"\((\w+), (\w+)\) threads", {"block_dim.x": r"\1", "block_dim.y": r"\2"}),
    (r"A block is one warp", {"block_dim.x": WARP_SIZE}),
    (r"the grid `(\w+)` blocks in y", {"grid_dim.y": r"\1"}),
    (r"[Cc]lusters? of `(\w+)` blocks", {"cluster": r"\1"}),
)


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
        yield from _of_launch(subject, "grid", grid)
        yield from _of_launch(subject, "block", block)


def _of_launch(subject: Subject, kind: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield what a function of the host says of a launch; a 1 that it states itself no further launch can change."""
    local = stated(subject.function.text, indented=True)
    text = local.get(text, text)
    if text == "1":
        yield from ((f"{kind}_dim.{axis}", text) for axis in "xy")
    else:
        known = stated(subject.file).get(text, "")
        yield from _extents(kind, known if known.startswith("(") else text)


def _of_constants(subject: Subject, kind: str, named: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield what the constants that fit the documented launch say of grid or block; nothing if two differ."""
    first = subject.observations[0]
    fitting = set()
    for name, text in stated(subject.file).items():
        if named.search(name):
            value = evaluate(text, {**first.names, **first.values})
            x, y = (*value, 1)[:2] if isinstance(value, tuple) else (value, 1)
            if (x, y) == (first.values[f"{kind}_dim.x"], first.values[f"{kind}_dim.y"]):
                fitting.add(text if isinstance(value, tuple) else name)
    if len(fitting) == 1:
        yield from _extents(kind, fitting.pop())


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


def unused_axes(subject: Subject) -> str:
    """Return the axes, of x and y, in which each launch has one block of one thread."""
    return "".join(
        axis
        for axis in "xy"
        if {value for kind in ("grid", "block") for value in subject.values(f"{kind}_dim.{axis}")} == {1}
    )


def classes(subject: Subject) -> tuple[tuple[str, ...], ...]:
    """Return the quantities in classes: those of one follow from one another."""
    names = {
        name: text
        for name, text in _names(subject).items()
        if name not in subject.quantities or _holds(subject, name, text)
    }
    forms, held = Forms(names), _held(subject)
    _join_names(subject, forms, held)
    same, shortest = _Classes(), dict[str, Form]()
    for name in filter(str.isidentifier, subject.quantities):
        same.join(name, forms.of(name))
    for name, text in held:
        form = forms.of(text)
        same.join(name, form)
        shortest[name] = min(shortest.get(name, form), form, key=_rank)
    if subject.kernel:
        _join_extents(subject, same, shortest)
    found: dict[object, list[str]] = {}
    for name in subject.quantities:
        found.setdefault(same.root(name), []).append(name)
    return tuple(map(tuple, found.values()))


def _join_names(subject: Subject, forms: Forms, held: Sequence[tuple[str, str]]) -> None:
    """Make names one that stand for one number: two that define one quantity, and a parameter with its constant.

    A parameter that has a constant's name in small letters is passed that constant.
    """
    for name in subject.function.parameters:
        constant = name.upper()
        if {name, constant} <= set(subject.quantities) and subject.values(name) == subject.values(constant):
            forms.join(forms.of(name), forms.of(constant))
    for (name, text), (other, another) in combinations(held, 2):
        if name == other:
            forms.join(forms.of(text), forms.of(another))


def _join_extents(subject: Subject, same: _Classes, shortest: Mapping[str, Form]) -> None:
    """Make the numbers of blocks and of threads what the extents are multiplied; those of an unused axis are 1."""
    unused = unused_axes(subject)
    factors = {}
    for name in EXTENTS:
        form = shortest.get(name, ("atom", name))
        same.join(name, form)
        factors[name] = ("number", 1) if name[-1] in unused else form
    same.join("blocks", combine("Mult", *(factors[name] for name in EXTENTS[:2])))
    same.join("threads", combine("Mult", *factors.values()))


def _rank(form: Form) -> int:
    return {"number": 0, "atom": 1}.get(str(form[0]), 2)
