"""Find import statements of older releases, and where their names come from with Mojo 1.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from harness.build.migration import table
from harness.build.migration.table import RewriteRule
from harness.build.migration.tokens import SourceStatement, Token

__all__ = ["Imports", "Moved", "Renamed", "scan"]

_PLACES = {(place.module, name): place for place in table.PLACES for name in place.names}
_RENAMED = {(module, rule.old): rule for module, rule in table.RENAMED}
_GONE = {(module, rule.old): rule for modules, rule in table.GONE for module in modules}
_NewText = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Moved:
    """A statement that imports from elsewhere.

    Attributes:
        rule: The first thing that moved.
        edits: Start, end and new text of each.
        prefix: The names of a module that is used by its whole path, if the statement is `import a.b`.
        now: That module's new path.
    """

    rule: RewriteRule
    edits: tuple[_NewText, ...]
    prefix: tuple[str, ...] = ()
    now: str = ""


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name that has another one now, imported without an alias: its uses change with the import."""

    rule: RewriteRule
    edits: tuple[_NewText, ...]


@dataclass(slots=True)
class Imports:
    """The imports of a text that older releases spell otherwise.

    Attributes:
        moved: Statements that change.
        renamed: Names whose uses change too.
        remarks: Offsets of names that are nowhere now, and what to write.
        positions: The offsets of all import statements.
    """

    moved: list[Moved] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    remarks: list[tuple[int, RewriteRule]] = field(default_factory=list)
    positions: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Name:
    """An imported name: its token, and the tokens of the whole item with its alias."""

    token: Token
    item: tuple[Token, ...]

    @property
    def is_renamed(self) -> bool:
        return len(self.item) > 1


def scan(text: Sequence[SourceStatement], names: set[str], is_local: Callable[[str], bool]) -> Imports:
    """Return the changes and remarks that the import statements of a text need, and the offsets of all such statements.

    Imports of local modules, and relative imports, are left alone; their offsets are in the result too.

    Args:
        text: All statements of the text.
        names: All identifiers of the text. If a renamed import's new name is among them, it is imported `as` the old
            name. Otherwise its uses are to be renamed too, by the caller.
        is_local: Returns True if a top-level module of this name lies beside the file. It is asked about the first name
            of each module's path.
    """
    result = Imports()
    for statement in text:
        code = statement.code
        if not code or code[0].text not in ("from", "import"):
            continue
        result.positions.add(statement.tokens[0].start)
        if code[0].text == "import":
            result.moved += _scan_plain_import(code, is_local)
        elif len(code) > 1 and code[1].kind == "name" and not is_local(code[1].text):
            _scan_from_import(statement, names, result)
    return result


def destination(module: str) -> tuple[str, RewriteRule | None]:
    """Return a module's new dotted path, and the rule that says so; a submodule moves with its package.

    Returns the module itself and None if it did not move.
    """
    for rule in table.MODULES:
        if module == rule.old or module.startswith(f"{rule.old}."):
            return rule.new + module[len(rule.old) :], rule
    return module, None


def _scan_plain_import(code: Sequence[Token], is_local: Callable[[str], bool]) -> Iterator[Moved]:
    """Yield what changes in `import a.b, c as d`; `is_local` is as in `scan`."""
    for item in _split_items(code[1:]):
        if item[0].kind != "name" or is_local(item[0].text):
            continue
        path = [token for token in item if token.text != "."]
        names = tuple(token.text for token in path)
        alias = "as" in names
        names = names[: names.index("as")] if alias else names
        now, rule = destination(".".join(names))
        if rule is None or not names:
            continue
        # `import math` makes the name `math`; a longer path is used as a whole.
        new = f"{now} as {names[0]}" if len(names) == 1 and not alias else now
        edit = (path[0].start, path[len(names) - 1].end, new)
        yield Moved(rule, (edit,), () if alias else names, now)


def _scan_from_import(statement: SourceStatement, names: set[str], result: Imports) -> None:
    """Add what a `from` import needs to `result`: a new module, a split into one statement a module, new names.

    A name that no module has any more gets a remark, and so does a statement with comments that would be split.
    `names` is as in `scan`.
    """
    code = statement.code
    at = next((number for number, token in enumerate(code) if token.text == "import"), 0)
    if not at:
        return
    path, imported = code[1:at], [token for token in code[at + 1 :] if token.text not in "()"]
    module, rule = destination("".join(token.text for token in path))
    rules = [rule] if rule else []
    groups: dict[str, list[str]] = {}
    inline: list[_NewText] = []
    has_comments = len(code) < len(statement.tokens)
    for item in _split_items(imported):
        name = _Name(item[0], tuple(item))
        word = name.token.text
        text = word if not name.is_renamed else f"{word} as {item[-1].text}"
        if removed := _GONE.get((module, word)):
            result.remarks.append((name.token.start, removed))
        place = _PLACES.get((module, word))
        if place:
            rules.append(RewriteRule(place.release, f"{module}.{word}", f"{place.now}.{word}"))
        if renamed := _RENAMED.get((module, word)):
            if name.is_renamed or renamed.new in names:
                text = f"{renamed.new} as {item[-1].text}"
                rules.append(renamed)
                inline.append((item[0].start, item[-1].end, text))
            else:
                text = renamed.new
                result.renamed.append(Renamed(renamed, ((name.token.start, name.token.end, renamed.new),)))
        groups.setdefault(place.now if place else module, []).append(text)
    if not rules or not groups:  # an import of nothing is the compiler's to report
        return
    if len(groups) == 1:
        (now,) = groups
        old = "".join(token.text for token in path)
        edits = [(path[0].start, path[-1].end, now)] if now != old else []
        result.moved.append(Moved(rules[0], (*edits, *inline)))
        return
    if has_comments:  # which of the lines they belong to is not known
        result.remarks += [(path[0].start, rule) for rule in rules]
        return
    lines = [f"from {now} import {', '.join(group)}" for now, group in groups.items()]
    end = code[-1].end
    # The whole statement is written anew, with the names that changed in it.
    inside = [each for each in result.renamed if code[0].start <= each.edits[0][0] < end]
    result.renamed[:] = [Renamed(each.rule, ()) if each in inside else each for each in result.renamed]
    result.moved.append(Moved(rules[0], ((code[0].start, end, f"\n{statement.indent}".join(lines)),)))


def _split_items(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Split tokens at every comma, also at commas inside brackets; yield each item's tokens, but no empty item."""
    item: list[Token] = []
    for token in tokens:
        if token.text == ",":
            if item:
                yield item
            item = []
        else:
            item.append(token)
    if item:
        yield item
