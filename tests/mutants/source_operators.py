"""Wrong kernels from a right one: the Mojo text of a solution, changed in one place as a newcomer might write it.

Operators:
    quantity: One quantity for another one of its class: an extent for an extent, an index for an index.
    guard: A condition that is always true, or one clause of it left out.
    else: The block of an `else` or `elif` does nothing.
    bound: `<` for `<=` and the like; a `range` that ends one earlier or one later.
    transposed: The two indices of a subscript or a tile swapped; in `row * size + col` the two that are indices.

A mutant keeps every line where it is. Signatures, docstrings and comments stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.mutants.source_edits import Place, SourceEdit, compare, is_constant, is_subscript
from tests.mutants.source_text import GRID, Quantity, Statement, Token, functions, infer

__all__ = ["OPERATORS", "SourceEdit", "edits"]

OPERATORS = ("quantity", "guard", "else", "bound", "transposed")
_LOGIC = frozenset(["<", "<=", ">", ">=", "==", "!=", "and", "or", "not"])
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def edits(text: str, wanted: Sequence[str]) -> Iterator[SourceEdit]:
    """Yields every mutant of the wanted functions of a file, in the order of their places; each text once."""
    seen, lines = {text}, text.splitlines()
    for function in functions(text, wanted):
        decided = all(map(_is_decided, function.statements))
        for statement in function.statements:
            for edit in _of_statement(Place(text, function, statement)):
                if edit.text not in seen:
                    seen.add(edit.text)
                    yield replace(edit, decided=decided, source_line=lines[edit.line - 1].strip())


def _is_decided(statement: Statement) -> bool:
    """Whether data have no part in which threads come by what a statement decides."""
    known = statement.quantities
    scalars = frozenset(name for name, quantity in known.items() if quantity.kind == "scalar")
    for condition in _conditions(statement):
        sides = [token for token in condition if token.text not in _LOGIC]
        parts = "".join("\n" if token.text in _LOGIC else "." for token in condition).split("\n")
        at = 0
        for part in filter(None, parts):
            if sides[at].text != "True" and infer(sides[at : at + len(part)], known, scalars) is None:
                return False
            at += len(part)
    return statement.keyword != "for" or statement.counts


def _of_statement(place: Place) -> Iterator[SourceEdit]:
    yield from _quantities(place)
    for condition in _conditions(place.statement):
        yield from _guards(place, condition)
        for token in condition:
            if token.text in SHIFTED:
                yield place.edit("bound", token, token, SHIFTED[token.text])
    yield from _ranges(place)
    yield from _transposed(place)
    yield from _otherwise(place)


def _quantities(place: Place) -> Iterator[SourceEdit]:
    statement, line = place.statement, place.statement.tokens
    for at, last, own in _occurrences(statement):
        constant = is_constant(statement, at)
        kind, taken = "extent" if own.kind == "scalar" else own.kind, {own.canonical}
        for other in statement.quantities.values():
            if other.kind != kind or other.canonical in taken or (constant and not other.constant):
                continue
            taken.add(other.canonical)
            edit = place.edit("quantity", line[at], line[last], other.text)
            yield compare(edit, place, (at, last), own, other)


def _occurrences(statement: Statement) -> Iterator[tuple[int, int, Quantity]]:
    """Yields where a quantity is read: its first and last token's numbers."""
    line, known = statement.tokens, statement.quantities
    texts = [token.text for token in line]
    depth = 0
    declared = range(texts.index("=")) if statement.keyword == "var" and "=" in texts else range(0)
    for at, text in enumerate(texts):
        depth += (text in "([{") - (text in ")]}") if len(text) == 1 else 0
        before, after = texts[at - 1] if at else "", texts[at + 1] if at + 1 < len(texts) else ""
        if at in declared or before == "." or (statement.is_constant and at == 1):
            continue
        if text in GRID and after == ".":
            name = f"{text}.{texts[at + 2]}"
            yield at, at + 2, known.get(name, Quantity(name, GRID[text]))
        elif after == "(" and f"{text}()" in known:
            yield at, at + 2, known[f"{text}()"]
        elif text in known and after not in ("(", "[", "."):
            is_keyword = after == "=" and depth > 0
            is_target = at == 0 and re.fullmatch(r"[^=!<>]*=", after)
            is_loop = "for" in texts[:at] and "in" in texts[at:] and statement.keyword == "for"
            converted = known[text].kind != "scalar" or texts[at - 2 : at] == ["Int", "("]
            if not is_keyword and not is_target and not is_loop and converted:
                yield at, at, known[text]


def _conditions(statement: Statement) -> Iterator[list[Token]]:
    """Yields the conditions of a statement that threads evaluate."""
    line = statement.tokens
    if statement.keyword in ("if", "elif", "while") and not statement.is_constant:
        yield line[1:-1]
        return
    for at, token in enumerate(line):
        if token.text == "if":
            end = next((n for n in range(at, len(line)) if line[n].text == "else"), at)
            if end > at + 1:
                yield line[at + 1 : end]


def _guards(place: Place, condition: Sequence[Token]) -> Iterator[SourceEdit]:
    if place.statement.keyword != "while":
        yield place.edit("guard", condition[0], condition[-1], "True")
    for word in ("or", "and"):
        clauses = list(_split(condition, word))
        if len(clauses) > 1:
            for left_out in range(len(clauses)):
                rest = [place.shown(clause) for at, clause in enumerate(clauses) if at != left_out]
                yield place.edit("guard", condition[0], condition[-1], f" {word} ".join(rest))
            return


def _ranges(place: Place) -> Iterator[SourceEdit]:
    line = place.statement.tokens
    for at, token in enumerate(line[:-1]):
        if token.text == "range" and line[at + 1].text == "(":
            arguments = list(_split(line[at + 2 : _closing(line, at + 1)], ","))
            end = arguments[min(1, len(arguments) - 1)]
            for change in ("- 1", "+ 1"):
                yield place.edit("bound", end[0], end[-1], f"{place.shown(end)} {change}")


def _transposed(place: Place) -> Iterator[SourceEdit]:
    line = place.statement.tokens
    for at, token in enumerate(line):
        subscript = token.text == "[" and at and is_subscript(place.statement, at) and line[at - 1].text != "="
        tile = token.text == "(" and at and line[at - 1].text == "]" and _opened_after(line, at - 1) == "tile"
        if not subscript and not tile:
            continue
        indices = list(_split(line[at + 1 : _closing(line, at)], ","))
        if len(indices) == 2 and all(indices) and place.shown(indices[0]) != place.shown(indices[1]):
            swapped = f"{place.shown(indices[1])}, {place.shown(indices[0])}"
            yield place.edit("transposed", indices[0][0], indices[1][-1], swapped)
        elif len(indices) == 1 and indices[0]:
            yield from _swapped_rows(place, indices[0])


def _swapped_rows(place: Place, index: Sequence[Token]) -> Iterator[SourceEdit]:
    """Swaps the two indices of `row * size + col`."""
    terms = list(_split(index, "+"))
    if len(terms) != 2:
        return
    for product, alone in (terms, terms[::-1]):
        factors = list(_split(product, "*"))
        rows = [factor for factor in factors if _is_index(place.statement, factor)]
        if len(factors) == 2 and len(rows) == 1 and _is_index(place.statement, alone):
            size = next(factor for factor in factors if factor is not rows[0])
            new = f"{place.shown(alone)} * {place.shown(size)} + {place.shown(rows[0])}"
            yield place.edit("transposed", index[0], index[-1], new)
            return


def _is_index(statement: Statement, tokens: Sequence[Token]) -> bool:
    found = infer(tokens, statement.quantities)
    return found is not None and found.kind == "index"


def _otherwise(place: Place) -> Iterator[SourceEdit]:
    """Leaves out what an `else` or `elif` does."""
    statement = place.statement
    if statement.keyword not in ("else", "elif") or statement.is_constant:
        return
    inside = [other for other in place.function.statements if statement in other.within]
    if inside and [token.text for token in inside[0].tokens] != ["pass"]:
        yield place.edit("else", inside[0].tokens[0], inside[-1].tokens[-1], "pass")


def _split(tokens: Sequence[Token], word: str) -> Iterator[list[Token]]:
    """Yields the parts of an expression between words outside of its brackets."""
    part: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == word and not depth:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _closing(line: Sequence[Token], at: int) -> int:
    """Returns the number of the bracket that closes the one at a number."""
    depth = 0
    for number in range(at, len(line)):
        depth += (line[number].text in ("(", "[", "{")) - (line[number].text in (")", "]", "}"))
        if not depth:
            return number
    raise ValueError(f"line {line[at].line}: a bracket is not closed")


def _opened_after(line: Sequence[Token], at: int) -> str:
    """Returns the word before the bracket that the one at a number closes."""
    depth = 0
    for number in range(at, 0, -1):
        depth += (line[number].text in (")", "]")) - (line[number].text in ("(", "["))
        if not depth:
            return line[number - 1].text
    return ""
