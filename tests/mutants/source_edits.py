"""A change of a solution's text, and the probes that compare what it changes with what it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.mutants.source_text import GRID, Function, Quantity, Statement, Token, infer

__all__ = ["Place", "SourceEdit", "compare", "is_constant", "is_subscript"]

_BOUNDS = frozenset(
    [
        *("=", "+=", "-=", "*=", "//=", ",", "<", "<=", ">", ">=", "==", "!=", ":"),
        *("and", "or", "not", "if", "elif", "while", "else", "in", "return", "from"),
    ]
)
_AGREE = """

def _agree(own: Int, other: Int) -> Int:
    if own != other:
        _trap["llvm.trap", NoneType]()
    return own


from std.sys.intrinsics import llvm_intrinsic as _trap
"""


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """A change of a solution's text in one place.

    Attributes:
        operator: One of `OPERATORS`.
        function: Whose text it is.
        line: The line's number, from 1.
        column: The column, from 1.
        old: The text that is replaced.
        new: What stands in its place.
        text: The whole changed file.
        probe: The file as it was, which also evaluates the changed expression and traps where the values differ; empty
            if there is no such file.
        reached: The file as it was, which traps wherever the expression is evaluated; empty as `probe` is.
        constants: Whether one constant of the compiler replaces another one.
        decided: Whether quantities alone decide which threads evaluate it: all conditions and ranges of the function
            are made of them.
        source_line: The line of the solution, without the blanks around it.
    """

    operator: str
    function: str
    line: int
    column: int
    old: str
    new: str
    text: str
    probe: str = ""
    reached: str = ""
    constants: bool = False
    decided: bool = False
    source_line: str = ""

    @property
    def name(self) -> str:
        """The operator and the change, without the place."""
        return f"{self.operator}: {_in_one_line(self.old)} -> {_in_one_line(self.new)}"

    def __str__(self) -> str:
        return f"line {self.line}:{self.column}: {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of a function of a file."""

    text: str
    function: Function
    statement: Statement

    def edit(self, operator: str, first: Token, last: Token, new: str) -> SourceEdit:
        """Replaces the text from one token to another one; line breaks in it are kept behind the new text."""
        old = self.text[first.start : last.end]
        kept = new + "\n" * (old.count("\n") - new.count("\n"))
        changed = _with_imports(self.text[: first.start] + kept + self.text[last.end :], new)
        return SourceEdit(operator, self.function.name, first.line, first.column + 1, old, new, changed)

    def shown(self, tokens: Sequence[Token]) -> str:
        """Returns the text of tokens as the file has it."""
        return self.text[tokens[0].start : tokens[-1].end]


def compare(edit: SourceEdit, place: Place, span: tuple[int, int], own: Quantity, other: Quantity) -> SourceEdit:
    """Adds the probes, where a function can be called: what is compared is the sum or product around the quantity."""
    line = place.statement.tokens
    if is_constant(place.statement, span[0]) or (own.constant and other.constant):
        return replace(edit, constants=own.constant and other.constant)
    first, last = span if own.kind == "scalar" else _arithmetic_around(place.statement, *span)
    start, end = line[first].start, line[last].end
    value = place.text[start:end]
    changed = value[: line[span[0]].start - start] + edit.new + value[line[span[1]].end - start :]
    if own.kind == "scalar":
        value = f"Int({value})"

    def with_call(*values: str) -> str:
        text = place.text[:start] + f"_agree({', '.join(values)})" + place.text[end:]
        return _with_imports(text.rstrip("\n"), edit.new) + _AGREE

    # A value and one more differ wherever they are evaluated.
    return replace(edit, probe=with_call(value, changed), reached=with_call(value, f"{value} + 1"))


def _arithmetic_around(statement: Statement, first: int, last: int) -> tuple[int, int]:
    """Returns the first and last token of the whole sum or product that a quantity is a part of."""
    line, (left, right) = statement.tokens, (first, last)
    depth = 0
    while left and (depth or line[left - 1].text not in _BOUNDS | {"(", "["}):
        left -= 1
        depth += (line[left].text in (")", "]")) - (line[left].text in ("(", "["))
    while right + 1 < len(line) and (depth or line[right + 1].text not in _BOUNDS | {")", "]"}):
        right += 1
        depth += (line[right].text in ("(", "[")) - (line[right].text in (")", "]"))
    known = {name: quantity for name, quantity in statement.quantities.items() if quantity.kind != "scalar"}
    return (left, right) if infer(line[left : right + 1], known) else (first, last)


def is_constant(statement: Statement, at: int) -> bool:
    """Whether the compiler must know what stands at a token: it lies in a `comptime` statement or in parameters."""
    if statement.is_constant:
        return True
    line, depth = statement.tokens, 0
    for number in range(at - 1, -1, -1):
        text = line[number].text
        depth += (text in (")", "]")) - (text in ("(", "["))
        if depth < 0:
            if text == "[" and number and not is_subscript(statement, number):
                return True
            depth = 0
    return False


def is_subscript(statement: Statement, at: int) -> bool:
    """Whether a bracket holds indices: behind a variable, not behind a function, a method or a type."""
    line = statement.tokens
    if at == 0 or not (line[at - 1].is_name or line[at - 1].text in (")", "]")):
        return True  # a list
    name, dotted = line[at - 1].text, at > 1 and line[at - 2].text == "."
    if name in (")", "]"):
        return name == ")"
    return name == "ptr" if dotted else name in statement.values


def _with_imports(text: str, new: str) -> str:
    """Adds to the import of the thread's numbers what the new text needs and the file does not import."""
    for name in (*GRID, "lane_id"):
        pattern = r"(from max\.gpu import )(\(?)([^\n(]*|(?<=\()[^)]*)"
        imports = re.search(pattern, text)
        if re.search(rf"\b{name}\b", new) and imports and not re.search(rf"\b{name}\b", imports[0]):
            text = re.sub(pattern, rf"\g<1>\g<2>{name}, \g<3>", text, count=1)
    return text


def _in_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
