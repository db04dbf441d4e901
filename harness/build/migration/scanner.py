"""Find older spellings in a Mojo text by its tokens: names, keywords, decorators; for imports it calls `imports`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from harness.build.migration import imports, table
from harness.build.migration.edits import Edit, Remark, Replacement, Scan
from harness.build.migration.table import RewriteRule
from harness.build.migration.tokens import SourceStatement, Token, statements

__all__ = ["Scanner"]

_DECLARING = ("def", "fn", "struct", "trait", "alias", "comptime", "var", "ref", "for")
_KEYWORDS = {rule.old: rule for rule in table.KEYWORDS}
_ARGUMENTS = {rule.old: rule for rule in table.ARGUMENTS}
_TRIVIAL = ("@", "register_passable", "(", '"trivial"', ")")


class Scanner:
    """Scans one text."""

    def __init__(self, text: str, is_local: Callable[[str], bool]) -> None:
        self._text, self._is_local = text, is_local
        self._statements = list(statements(text))
        self._code = [token for statement in self._statements for token in statement.code]
        self._names = {token.text for token in self._code if token.kind == "name"}
        self._imports = [
            (statement.tokens[0].start, statement.tokens[-1].end)
            for statement in self._statements
            if statement.tokens[0].text in ("from", "import")
        ]
        self._changes: list[Replacement] = []
        self._remarks: list[Remark] = []
        self._declared = set(self._declarations())

    def scan(self) -> Scan:
        """Return the replacements and the remarks for the whole text, each sorted by offset. Call it only once: both
        are collected in the scanner.
        """
        found_imports = imports.scan(self._statements, self._names, self._is_local)
        for renamed in found_imports.renamed:
            self._add(renamed.rule, [*self._edits(renamed.edits), *self._uses(renamed.rule)])
        for moved in found_imports.moved:
            self._add(moved.rule, [*self._edits(moved.edits), *self._dotted(moved.prefix, moved.now)])
        self._remarks += [Remark(start, rule) for start, rule in found_imports.remarks]
        in_imports = found_imports.positions
        for number, statement in enumerate(self._statements):
            if statement.tokens[0].start not in in_imports:
                self._scan_statement(number, statement)
        for rule in table.NAMES:
            if rule.old in self._names and rule.old not in self._declared:
                if _last(rule.new) in self._names and rule.old[:2] != "__":
                    self._remarks += [Remark(token.start, rule) for token in self._code if token.text == rule.old]
                else:
                    self._add(rule, self._uses(rule))
        key = (lambda change: change.edits[0].start, lambda remark: remark.start)
        return Scan(tuple(sorted(self._changes, key=key[0])), tuple(sorted(self._remarks, key=key[1])))

    def _add(self, rule: RewriteRule, edits: Iterable[Edit]) -> None:
        ordered = sorted({*edits}, key=lambda edit: edit.start)
        if ordered:
            keeps = all(self._keeps_columns(edit) for edit in ordered)
            self._changes.append(Replacement(rule, tuple(ordered), keeps))

    def _keeps_columns(self, edit: Edit) -> bool:
        old = self._text[edit.start : edit.end]
        return len(edit.new) <= len(old) and "\n" not in edit.new and "\n" not in old

    @staticmethod
    def _edits(edits: Sequence[tuple[int, int, str]]) -> Iterator[Edit]:
        yield from (Edit(*edit) for edit in edits)

    def _declarations(self) -> Iterator[str]:
        """Yield the words of import statements, names after a declaring keyword, and names of arguments and parameters.

        Any name before a colon inside brackets counts as an argument. A name may be yielded several times.
        """
        for token in self._code:
            if token.kind == "name" and self._in_import(token):
                yield token.text
        for before, token in zip(self._code, self._code[1:], strict=False):
            if token.kind == "name" and before.text in _DECLARING:
                yield token.text
        for token, after in zip(self._code, self._code[1:], strict=False):
            if token.kind == "name" and after.text == ":" and token.depth:
                yield token.text  # an argument or a parameter

    def _uses(self, rule: RewriteRule) -> Iterator[Edit]:
        """Yield an edit for each use of a name outside of imports; what stands behind a dot is another name."""
        for before, token in zip([None, *self._code], self._code, strict=False):
            if token.text == rule.old and not (before and before.text == ".") and not self._in_import(token):
                yield Edit(token.start, token.end, rule.new)

    def _in_import(self, token: Token) -> bool:
        at = bisect_right(self._imports, (token.start, len(self._text)))
        return at > 0 and token.start < self._imports[at - 1][1]

    def _dotted(self, prefix: Sequence[str], now: str) -> Iterator[Edit]:
        """Yield an edit to `now` for each use of a module by its whole old path `prefix`, outside of imports.

        Only a path of two names or more counts, and only if a dot follows it and none precedes it.
        """
        if len(prefix) < 2:
            return
        path = [word for name in prefix for word in (name, ".")][:-1]
        texts = [token.text for token in self._code]
        for number in range(len(texts) - len(path)):
            if texts[number : number + len(path)] != path or texts[number + len(path)] != ".":
                continue
            if number and texts[number - 1] == ".":
                continue
            first, last = self._code[number], self._code[number + len(path) - 1]
            if not self._in_import(first):
                yield Edit(first.start, last.end, now)

    def _scan_statement(self, number: int, statement: SourceStatement) -> None:
        """Add to the scanner the changes and remarks for one statement that is no import: `alias` becomes `comptime`,
        `_scan_parameter`, `_scan_trivial` and `_scan_constrained` are tried, then `_scan_word` for each name.

        `number` is the statement's index in `_statements`.
        """
        code = statement.code
        if not code:
            return
        words = [token.text for token in code]
        if words[:2] == ["@", "parameter"] and len(code) == 2:
            self._scan_parameter(number, statement)
        elif tuple(words[:5]) == _TRIVIAL:
            self._scan_trivial(number, statement)
        elif words[0] == "alias" and len(code) > 1 and code[1].kind == "name":
            self._add(_KEYWORDS["alias"], [Edit(code[0].start, code[0].end, "comptime")])
        elif words[0] == "constrained" and words[1:2] == ["["] and "constrained" not in self._declared:
            self._scan_constrained(code)
        for position, token in enumerate(code):
            if token.kind == "name":
                self._scan_word(code, words, position, token)

    def _scan_word(self, code: Sequence[Token], words: Sequence[str], position: int, token: Token) -> None:
        """Add the change of one name, `code[position]`, if it is `fn`, an argument's convention, a name after a dot,
        `Atomic` or `DType.index`. `fn` as a type gets a remark instead.

        `code` is a statement without comments, `words` the texts of its tokens. `owned` becomes `deinit` in `__del__`
        and `__moveinit__`.
        """
        before = words[position - 1] if position else ""
        after = words[position + 1] if position + 1 < len(words) else ""
        if token.text == "fn" and before in ("", "async") and position + 1 < len(code):
            if code[position + 1].kind == "name":
                self._add(_KEYWORDS["fn"], [Edit(token.start, token.end, "def")])
        elif token.text == "fn" and after in ("(", "["):
            self._remarks.append(
                Remark(token.start, RewriteRule("1.0", "fn(...)", "`def(...) thin`, or a closure's type", False))
            )
        elif token.text in _ARGUMENTS and before in ("(", ",") and token.depth and _is_argument(code, position):
            rule, destroys = _ARGUMENTS[token.text], {"__del__", "__moveinit__"} & set(words[:3])
            new = "deinit" if destroys and token.text == "owned" else rule.new
            self._add(rule, [Edit(token.start, token.end, new)])
        elif before == ".":
            self._scan_attribute(code, words, position, token)
        elif token.text == "Atomic" and after == "[":
            self._scan_atomic(code, words, position)
        elif list(words[position : position + 3]) == ["DType", ".", "index"]:
            self._add(table.PATHS[0], [Edit(token.start, code[position + 2].end, table.PATHS[0].new)])

    def _scan_attribute(self, code: Sequence[Token], words: Sequence[str], position: int, token: Token) -> None:
        """Add the change, if any, of a name after a dot.

        A method is renamed, unless the text declares its name itself. The second of two equal parameters is removed
        (`enqueue_function[f, f]`) after `enqueue_function`, `compile_function` and the methods that are renamed.
        """
        rule = next((rule for rule in table.ATTRIBUTES if rule.old == token.text), None)
        edits = []
        if rule and token.text not in self._declared:
            edits.append(Edit(token.start, token.end, rule.new))
        if (rule or token.text in ("enqueue_function", "compile_function")) and words[position + 1 : position + 2] == [
            "["
        ]:
            first, second = _two_parameters(code, position + 1)
            if first and [t.text for t in first] == [t.text for t in second]:
                edits.append(Edit(first[-1].end, second[-1].end, ""))
                rule = rule or RewriteRule("1.1", f"{token.text}[f, f]", f"{token.text}[f]")
        if rule and edits:
            self._add(rule, edits)

    def _scan_atomic(self, code: Sequence[Token], words: Sequence[str], position: int) -> None:
        """Add the change of `Atomic[DType.int32]` to `Atomic[Scalar[DType.int32]]`, and of names that are a `DType`.

        Nothing is added for other parameters, or for several. `code[position]` has to be an `Atomic` with a `[` after
        it: the caller looks.
        """
        end = _closing(code, position + 1)
        inner = code[position + 2 : end]
        if not inner or any(token.text == "," and token.depth == inner[0].depth for token in inner):
            return
        texts = [token.text for token in inner]
        if texts[:2] == ["DType", "."] or (len(texts) == 1 and texts[0] in self._dtypes):
            rule = RewriteRule("1.1", "Atomic[dtype]", "Atomic[Scalar[dtype]]")
            old = self._text[inner[0].start : inner[-1].end]
            self._add(rule, [Edit(inner[0].start, inner[-1].end, f"Scalar[{old}]")])

    @property
    def _dtypes(self) -> set[str]:
        """The names that are a `DType` anywhere in the text: constants, and parameters of that type."""
        pattern = r"(?:alias|comptime)\s+(\w+)\s*=\s*DType\.|\b(\w+)\s*:\s*DType\b"
        return {constant or parameter for constant, parameter in re.findall(pattern, self._text)}

    def _scan_parameter(self, number: int, statement: SourceStatement) -> None:
        """Turn `@parameter` above an `if` or a `for` into `comptime`, and remove the decorator's line.

        Adds no change if a comment stands at or below the decorator, or anything else follows.
        """
        following = self._statements[number + 1] if number + 1 < len(self._statements) else None
        word = following.code[0].text if following and following.code else ""
        if following is None or word not in ("if", "for") or len(statement.tokens) > 2:
            return
        start = statement.tokens[0].start - len(statement.indent)
        first = following.code[0]
        between = self._text[statement.tokens[-1].end : first.start]
        if between.strip():  # a comment of its own line
            return
        edits = [Edit(start, first.start, f"{following.indent}comptime ")]
        self._add(_KEYWORDS[f"@parameter {word}"], edits)

    def _scan_trivial(self, number: int, statement: SourceStatement) -> None:
        """Turn the decorator `@register_passable("trivial")` of a struct into a trait.

        Adds a remark instead if no struct's whole header follows at once, or a comment stands beside or below the
        decorator.
        """
        following = self._statements[number + 1] if number + 1 < len(self._statements) else None
        code = following.code if following else ()
        rule = _KEYWORDS["@register_passable"]
        header = next((position for position, token in enumerate(code) if token.text == ":" and not token.depth), 0)
        if following is None or header < 2 or code[0].text != "struct" or len(statement.tokens) > 5:
            self._remarks.append(Remark(statement.tokens[0].start, rule))
            return
        start = statement.tokens[0].start - len(statement.indent)
        new, at = "(TrivialRegisterPassable)", code[header].start
        if code[header - 1].text == ")":  # after the last trait, if there is one
            separator = {"(": "", ",": " "}.get(code[header - 2].text, ", ")
            new, at = f"{separator}TrivialRegisterPassable", code[header - 2].end
        self._add(rule, [Edit(start, following.tokens[0].start - len(following.indent), ""), Edit(at, at, new)])

    def _scan_constrained(self, code: Sequence[Token]) -> None:
        """Turn the statement `constrained[...]()` into `comptime assert`, unless it spans lines."""
        end = _closing(code, 1)
        if [token.text for token in code[end + 1 :]] == ["(", ")"]:
            inner = self._text[code[1].end : code[end].start].strip().rstrip(",")
            if "\n" not in inner:
                new = f"comptime assert {inner}"
                self._add(_KEYWORDS["constrained"], [Edit(code[0].start, code[-1].end, new)])


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_argument(code: Sequence[Token], position: int) -> bool:
    """Return True if a name follows `code[position]` in a function's header, so that it is a convention such as
    `owned`.

    The word itself is not looked at.
    """
    following = code[position + 1] if position + 1 < len(code) else None
    heads = {token.text for token in code[:3]}
    return following is not None and following.kind == "name" and bool(heads & {"def", "fn"})


def _closing(code: Sequence[Token], opening: int) -> int:
    """Return the position of the bracket that closes the one at `opening`; the last position if none does."""
    depth = code[opening].depth
    closing = (number for number in range(opening + 1, len(code)) if code[number].depth == depth)
    return next((number for number in closing if code[number].text in ")]}"), len(code) - 1)


def _two_parameters(code: Sequence[Token], opening: int) -> tuple[Sequence[Token], Sequence[Token]]:
    """Return the tokens of each of the two parameters in the bracket at `opening`; two empty sequences if there are
    more or fewer.
    """
    inner = code[opening + 1 : _closing(code, opening)]
    commas = [
        number for number, token in enumerate(inner) if token.text == "," and token.depth == code[opening].depth + 1
    ]
    if len(commas) != 1 or commas[0] + 1 == len(inner):
        return (), ()
    return inner[: commas[0]], inner[commas[0] + 1 :]
