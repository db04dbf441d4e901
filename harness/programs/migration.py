"""Rewrite files of older Mojo: find them, make edits that are certain, compile, list manual changes, write them.

`harness.build.migration` has the rules and the edits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.build import toolchain
from harness.build.compiler import disk_errors
from harness.build.migration import table
from harness.build.migration.changes import scan
from harness.build.migration.compiled_text import has_module
from harness.build.migration.edits import Scan, apply
from harness.build.migration.staging import stage
from harness.build.migration.tokens import SourceStatement, statements
from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.model.mojo_text import TextError, decode_mojo
from harness.model.sources import SUFFIXES
from harness.model.target import Target
from harness.model.whole_file import replace_file
from harness.process.child import temporary_folder
from harness.programs import sources
from harness.programs.compile import has_main

__all__ = ["ManualChange", "MigratedFile", "find_files", "migrate", "write"]

_ROUNDS = 12  # of compilations that each show what the one before hid
_PLACE = re.compile(r"^(?P<file>.*?\.(?:mojo|🔥)):(?P<line>\d+):(?P<column>\d+): error: (?P<text>.*)", re.MULTILINE)
_IMPLICIT = "implicit declaration of '"
_RAISES = (
    "cannot call function that may raise in a context that cannot raise",
    "'raise' requires a surrounding 'try' block or the enclosing function to declare 'raises'",
)


@dataclass(frozen=True, slots=True)
class ManualChange:
    """Something that only the author can change.

    Attributes:
        line: Of the new text, from 1.
        old: What stands there, or what the compiler says of it.
        new: In words, what to write.
    """

    line: int
    old: str
    new: str


@dataclass(slots=True)
class MigratedFile:
    """A file and its new text.

    Attributes:
        path: The file as it was named.
        old: Its text.
        new: The text with all that is certain replaced.
        count: How many places changed.
        left: What is not certain.
        compiles: Whether the new text compiles; None if it was not compiled.
        diagnostics: Why it does not.
    """

    path: Path
    old: str
    new: str
    count: int = 0
    left: list[ManualChange] = field(default_factory=list)
    compiles: bool | None = None
    diagnostics: str = ""

    @property
    def is_done(self) -> bool:
        """Return whether the new text compiles; if it was not compiled, whether nothing is left for the author."""
        return self.compiles is not False and not (self.left and self.compiles is None)


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Return the Mojo files that are named, and those below folders that are named, each once, as first named.

    Raises:
        UsageError: A path is not there, is no Mojo file, a folder without one, or a link that leads to itself.
    """
    by_real_path: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            files = list(_walk(path))
            if not files:
                raise UsageError(f"no Mojo file in {path}.")
        else:
            _require_file(path)
            files = [path]
        for file in files:
            by_real_path.setdefault(os.path.realpath(file), file)
    return list(by_real_path.values())


def migrate(
    paths: Sequence[Path],
    *,
    target: Target,
    includes: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    compile_: bool = True,
) -> list[MigratedFile]:
    """Return files with what moved in Mojo replaced; nothing is written.

    A file that does not compile raises nothing: its entry says so.

    Args:
        paths: Mojo files; those that import one another are compiled with one another's new texts.
        target: The GPU that programs are compiled for.
        includes: Folders with further modules.
        defines: `-D NAME=VALUE`.
        compile_: Whether each file with a `main` is compiled, and what only the compiler sees is replaced too.

    Raises:
        UsageError: A file is no text of a Mojo file.
        EnvironmentFault: A file cannot be read, or there is no compiler.
    """
    files = [_read(path) for path in paths]
    for file in files:
        _rewrite(file, includes)
    if compile_:
        for file in files:
            if has_main(file.new):
                _compile(file, files, target, includes, defines or {})
    for file in files:
        file.left += _remarks(file, includes)
    return files


def write(files: Sequence[MigratedFile]) -> None:
    """Write the new text of each file that changed, whole or not at all; its mode stays.

    Files before the one that fails are written.

    Raises:
        EnvironmentFault: A file cannot be written, or somebody else has changed it meanwhile.
    """
    for file in files:
        if file.new == file.old:
            continue
        try:
            if file.path.read_bytes() != file.old.encode():
                raise EnvironmentFault(f"cannot write {file.path}: it has changed meanwhile.")
            replace_file(file.path, file.new.encode())
        except OSError as error:
            raise EnvironmentFault(f"cannot write {file.path}: {error.strerror}.") from None


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the Mojo files below a folder; links to folders are not followed, so that none leads in a circle."""
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(home, name)
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def _require_file(path: Path) -> None:
    if not path.is_file():
        if path.is_symlink() and _is_loop(path):
            raise UsageError(f"{path} is a link that leads to itself.")
        raise UsageError(f"no file or folder at {path}.")
    if path.suffix not in SUFFIXES:
        raise UsageError(f"{path} is no Mojo file: name files that end in .mojo, or folders with such files.")


def _is_loop(path: Path) -> bool:
    return os.path.islink(os.path.realpath(path))


def _read(path: Path) -> MigratedFile:
    try:
        text = decode_mojo(path.read_bytes())
    except TextError as error:
        raise UsageError(f"{path} is no Mojo file: {error}.") from None
    except OSError as error:
        raise EnvironmentFault(f"cannot read {path}: {error.strerror}.") from None
    return MigratedFile(path, text, text)


def _rewrite(file: MigratedFile, includes: Sequence[Path]) -> None:
    """Replace in `file.new` what is certain, until nothing is, at most `_ROUNDS` times; add to `file.count`.

    What one change uncovers, the next scan finds.
    """
    for _ in range(_ROUNDS):
        changes = _scan(file, includes).changes
        if not changes:
            return
        file.new, file.count = apply(file.new, changes), file.count + sum(len(change.edits) for change in changes)


def _scan(file: MigratedFile, includes: Sequence[Path]) -> Scan:
    folders = [file.path.resolve().parent, *(path.resolve() for path in includes)]
    return scan(file.new, lambda name: has_module(name, folders))


def _remarks(file: MigratedFile, includes: Sequence[Path]) -> Iterator[ManualChange]:
    for remark in _scan(file, includes).remarks:
        yield ManualChange(file.new.count("\n", 0, remark.start) + 1, remark.rule.old, remark.rule.new)


def _compile(
    file: MigratedFile,
    files: Sequence[MigratedFile],
    target: Target,
    includes: Sequence[Path],
    defines: Mapping[str, str],
) -> None:
    """Compile a program, and replace what the compiler alone finds, at most `_ROUNDS` times.

    Set `compiles` and `diagnostics` of the file's entry to the last result. Add to `left` each error in this file that
    has a rule in `table.REMARKS`.
    """
    for number in range(_ROUNDS + 1):
        error = _compile_error(file, files, target, includes, defines)
        file.compiles, file.diagnostics = error is None, "" if error is None else error.diagnostics
        if error is None or number == _ROUNDS or not _fix(file):  # the last compilation is of the text as it stays
            break
    for match in _PLACE.finditer(file.diagnostics):
        if Path(match["file"]).name == file.path.name:
            rules = (rule for rule in table.REMARKS if rule.old in match["text"])
            file.left += [
                ManualChange(int(match["line"]), match["text"], rule.new) for rule in [next(rules, None)] if rule
            ]


def _compile_error(
    file: MigratedFile,
    files: Sequence[MigratedFile],
    target: Target,
    includes: Sequence[Path],
    defines: Mapping[str, str],
) -> CompileError | None:
    real = file.path.resolve()
    texts = {each.path.resolve(): each.new for each in files if each.new != each.old}
    needed = [Path(path) for path in sources.compute_digests(real, includes)]
    with temporary_folder() as folder, disk_errors(folder):
        staged = stage(folder, real, needed, includes, {path: texts[path] for path in needed if path in texts})
        try:
            toolchain.compile_program(
                staged.file,
                target.architecture,
                defines=defines,
                includes=staged.includes,
                origins=staged.origins,
                prefix=staged.prefix,
            )
        except CompileError as error:
            return error
    return None


def _fix(file: MigratedFile) -> bool:
    """Write `var` and `raises` into `file.new` where its diagnostics ask for them, and count them in `file.count`.

    Return whether `file.new` changed. Diagnostics of files of another name are left alone. Older Mojo declared a name
    by its first assignment, and each `def` could raise: now the source says both.
    """
    lines = file.new.split("\n")
    insertions: set[tuple[int, int, str]] = set()
    for match in _PLACE.finditer(file.diagnostics):
        line, column = int(match["line"]) - 1, int(match["column"]) - 1
        if Path(match["file"]).name != file.path.name or line >= len(lines):
            continue
        start = sum(len(each) + 1 for each in lines[:line])
        if match["text"].startswith(_IMPLICIT):
            at = start + len(lines[line].encode()[:column].decode(errors="replace"))
            insertions.add((at, at, "var "))
        elif match["text"].startswith(_RAISES):
            at = _signature_end(file.new, start)
            if at:
                insertions.add((at, at, " raises"))
    if not insertions:
        return False
    for at, _, text in sorted(insertions, reverse=True):
        file.new = file.new[:at] + text + file.new[at:]
    file.count += len(insertions)
    return True


def _signature_end(text: str, offset: int) -> int:
    """Return the offset after the parameters of the innermost `def` that contains a line: `raises` can stand there.

    0 if that `def` has `raises` already, or if no `def` contains the line.

    Args:
        offset: The offset of the line's beginning.
    """
    around: SourceStatement | None = None
    indent = len(text[offset:]) - len(text[offset:].lstrip(" \t"))
    for statement in statements(text):
        if statement.tokens[0].start > offset + indent:
            break
        if statement.code and statement.code[0].text == "def" and len(statement.indent) < indent:
            around = statement
        elif around and len(statement.indent) <= len(around.indent):
            around = None
    if around is None:
        return 0
    header = next((token.start for token in around.code if token.text == ":" and not token.depth), 0)
    words = [token for token in around.code if not token.depth and token.start < header]
    if any(token.text == "raises" for token in words):
        return 0
    closing = [token for token in words if token.text == ")"]
    return closing[0].end if closing else 0
