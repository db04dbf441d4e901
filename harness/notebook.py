"""Puzzles and programs in notebooks: `%load_ext harness`, then

    %%puzzle p15 [--target T] [--no-picture]     the cell fills in the puzzle's region, or is its whole file
    %hint [p15]                                  a hint, and one more each time
    %%mojo_gpu [--target T] [-- ARGUMENTS]       the cell is a program, run as by `puzzles exec`

Lines and columns are the cell's. What cannot be done is told in one sentence; nothing of a cell stays but what is
compiled, in the cache.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.cases import pipeline
from harness.cases.fresh import new_seed
from harness.catalogue import one_case
from harness.cli.flags import Parser, shared
from harness.errors import CompileError, HarnessError, UsageError
from harness.learning.hints import step
from harness.learning.page import page
from harness.learning.renumber import renumber
from harness.learning.trace import of_case
from harness.learning.words import phrases
from harness.model import spelling
from harness.model.case import Case
from harness.model.frames import filled
from harness.model.language import chosen, language, told
from harness.model.mojo_text import TextError, mojo_text
from harness.model.sources import Sources, shown
from harness.model.verdict import Verdict
from harness.process.child import temporary_folder
from harness.programs import Execution, Options, execute
from harness.report import findings, programs
from harness.simt.excerpt import Excerpts
from harness.simt.findings import Finding
from harness.simt.render import Renderer

__all__ = ["Shown", "load"]

CELL = "cell"
_COLOURS = {"right": "#1a7f37", "wrong": "#cf222e"}
_CODE = "font-family: ui-monospace, Menlo, Consolas, monospace; word-break: keep-all"  # what a caret stands under
_MAY = "allow-scripts allow-downloads"  # what a picture may do: show steps, and save one
_HEIGHT = 640  # of a picture, in CSS's pixels


@dataclass(frozen=True, slots=True)
class Shown:
    """What a cell comes to, as a notebook or a terminal shows it.

    Attributes:
        lines: The text; the first line is the verdict.
        right: Whether nothing is wrong; None where nothing is judged.
        picture: A page of what the lanes did, or empty.
        output: What a program printed.
    """

    lines: Sequence[str]
    right: bool | None = None
    picture: str = ""
    output: str = ""

    def __repr__(self) -> str:
        return "\n".join([*([self.output.rstrip("\n")] if self.output else []), *self.lines])

    def _repr_html_(self) -> str:
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.output:
            yield f"<pre>{html.escape(self.output)}</pre>"
        if self.lines:
            colour = {True: _COLOURS["right"], False: _COLOURS["wrong"], None: "inherit"}[self.right]
            yield f'<div style="font-weight: 600; color: {colour}">{html.escape(self.lines[0])}</div>'
        text = html.escape(textwrap.dedent("\n".join(self.lines[1:])))
        if text and self.right is None:
            yield f'<p style="white-space: pre-line; word-break: keep-all">{text}</p>'
        elif text:
            headings = re.sub(r"(?m)^(?:={3,} )?\S.* \([\w.-]+\)$", r"<b>\g<0></b>", text)
            yield f'<pre style="{_CODE}">{headings}</pre>'
        if self.picture:
            # A document of its own, which asks for nothing from anywhere, and may not reach this one.
            title, inner = html.escape(told("what the lanes do")), html.escape(self.picture, quote=True)
            how = f'title="{title}" sandbox="{_MAY}" style="width: 100%; height: {_HEIGHT}px; border: 0"'
            yield f'<iframe {how} srcdoc="{inner}"></iframe>'


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell as a file of its own, and what brings places back.

    Attributes:
        text: The cell's.
        path: The file.
        lines: How many lines stand above the cell's first one there.
        columns: How many columns stand before the cell's first one there.
    """

    text: str
    path: Path
    lines: int = 0
    columns: int = 0

    def show(self) -> Renderer:
        """Shows findings with the lines of the cell."""
        return Renderer(lambda name: self.text.split("\n") if name == CELL else (), words=chosen(), detail=False)

    def home(self, found: Finding) -> Finding:
        """The same finding, at the cell's lines; names of memory may stand above them."""
        found = Renderer(Excerpts(self.path)).with_names(found)
        sites = tuple(
            replace(site, file=CELL, line=site.line - self.lines, column=max(1, site.column - self.columns))
            if self._is_mine(site.file, site.line)
            else site
            for site in found.sites
        )
        return replace(found, sites=sites)

    def text_of(self, line: str) -> str:
        """A line of text, of the cell where it names the file."""

        def moved(match: re.Match[str]) -> str:
            number, column = int(match[1]), int(match[2] or 0)
            if not self._is_mine(str(self.path), number):
                return f"the file around it{match[0].removeprefix(named)}"
            behind = f":{max(1, column - self.columns)}" if match[2] else ""
            return f"{CELL}:{number - self.lines}{behind}"

        # What lies below the current folder is told from there (`format_case`), and temporary files may.
        named = str(self.path) if str(self.path) in line else str(self.path).removeprefix(f"{Path.cwd()}{os.sep}")
        here = re.sub(rf"{re.escape(named)}:(\d+)(?::(\d+))?", moved, line)
        return here.replace(named, CELL)

    def _is_mine(self, file: str, line: int) -> bool:
        return file == str(self.path) and 0 < line - self.lines <= self.text.count("\n") + 1


def load(shell: Any) -> None:
    """Adds the magics to a shell of IPython."""
    session = _Session()
    shell.register_magic_function(session.puzzle, "cell", "puzzle")
    shell.register_magic_function(session.hint, "line", "hint")
    shell.register_magic_function(session.mojo_gpu, "cell", "mojo_gpu")


def _told(magic: Callable[..., Shown | None]) -> Callable[..., Shown | None]:
    """Tells what cannot be done in a sentence, where a traceback would stand."""

    def call(*arguments: Any) -> Shown | None:
        try:
            return magic(*arguments)
        except HarnessError as error:
            said = re.sub(rf"\S*/{CELL}\.mojo\b", "the cell", str(error))
            return Shown([told(f"error: {said}")], False)
        except SystemExit:  # of the help
            return None

    call.__doc__ = magic.__doc__
    return call


class _Session:
    """What the magics of a notebook share: the puzzle that is at work, and which hints were given."""

    def __init__(self) -> None:
        self._case: Case | None = None
        self._given: dict[str, int] = {}
        self.puzzle, self.hint, self.mojo_gpu = _told(self._puzzle), _told(self._hint), _told(self._mojo_gpu)

    def _puzzle(self, line: str, text: str) -> Shown:
        """Checks a cell that fills in a puzzle's region, or is its whole file."""
        parser = Parser(prog="%%puzzle", description="Checks a cell: a puzzle's region, or its whole file.")
        parser.add_argument("case", metavar="CASE", help="p15, p26:pair-swap")
        shared(parser, "--target")
        parser.add_argument("--no-picture", action="store_true", help="no picture of what the lanes do")
        asked = _understood(parser, line)
        self._case = case = one_case(asked.case)
        if case.graph:
            raise UsageError(
                f"{case.id} is solved in two files: `puzzles start {case.puzzle}` makes a folder with both."
            )
        plan = replace(pipeline.plan(asked.target), data_seed=new_seed())
        with temporary_folder() as folder:
            cell = _staged(case, text, folder.resolve() / f"{CELL}.mojo")
            sources = Sources("problems", {case.puzzle: cell.path})
            report = pipeline.run([case], plan=plan, sources=sources).cases[0]
            # Nothing is drawn of what did not run.
            wanted = not asked.no_picture and report.datasets and case.refusal(plan.target) is None
            picture = _picture(case, asked.target, sources, cell) if wanted else ""
            report = replace(report, findings=tuple(map(cell.home, report.findings)))
            lines = [cell.text_of(line) for line in findings.format_case(report, cell.show())]
        return Shown(lines, None if report.verdict == Verdict.SKIPPED else report.ok, picture)

    def _hint(self, line: str) -> Shown:
        """A hint for a puzzle, the last one that was checked unless told; one more each time."""
        parser = Parser(prog="%hint", description="Shows a hint, and one more each time.")
        parser.add_argument("case", nargs="?", metavar="CASE", help="p15, p26:pair-swap (default: the last one)")
        asked = _understood(parser, line)
        case = one_case(asked.case) if asked.case else self._case
        if case is None:
            raise UsageError("say for which puzzle: %hint p15.")
        given = self._given.get(case.id, 0)
        number, total, (title, text) = step(case, language(), given)
        if number == given:
            raise UsageError(f"there are no more hints for {case.id}.")
        self._case, self._given[case.id] = case, number
        return Shown([f"{number}/{total} {title}", *text.splitlines()])

    def _mojo_gpu(self, line: str, text: str) -> Shown:
        """Runs a cell as a program: its `main` on this machine, its kernels on a GPU or in the simulator."""
        parser = Parser(prog="%%mojo_gpu", description="Runs a cell as a program, as `puzzles exec` does.")
        shared(parser, "--target", "--as-is")
        words, *rest = re.split(r"(?:^|\s)--(?:\s|$)", line, maxsplit=1)
        asked, own = _understood(parser, words), _words("".join(rest))
        with temporary_folder() as folder:
            path = folder.resolve() / f"{CELL}.mojo"
            path.write_text(text, encoding="utf-8")
            cell = _Cell(text, path)
            spelling.choose(as_is=asked.as_is)
            spelling.name(shown(path), "the cell")
            try:
                options = Options(counters=False)
                ran = execute(path, target=asked.target, arguments=own, includes=[Path.cwd()], options=options)
            except CompileError as error:
                lines = [f"{Verdict.COMPILE_ERROR}: {CELL} does not compile", *error.diagnostics.splitlines()]
                return Shown(list(map(cell.text_of, lines)), False)
            ran = replace(ran, findings=tuple(map(cell.home, ran.findings)))
            lines = [_verdict(ran), *programs.format_execution(ran, cell.show())]
        output = (ran.output + (b"" if ran.status else ran.errors)).decode(errors="replace")
        return Shown(list(map(cell.text_of, lines)), not ran.exit_code, output=output)


def _verdict(ran: Execution) -> str:
    count = len(ran.launches)
    where = "on a GPU" if ran.backend == "max" else f"{count} launch{'es' * (count != 1)} in the simulator"
    return f"{ran.verdict}: {ran.target}, {where}" + (f", status {ran.status}" if ran.status else "")


def _require_text(text: str) -> None:
    """Refuses a cell that is no text of a Mojo file, by its own lines, before it stands in a file with others."""
    try:
        mojo_text(text.encode("utf-8", "surrogatepass"))
    except TextError as error:
        raise UsageError(f"the cell is no Mojo file: {error}.") from None


def _staged(case: Case, text: str, path: Path) -> _Cell:
    """A cell as the puzzle's file; a region stands in the file as it is handed out."""
    _require_text(text)
    handed_out, region = Sources().handed_out(case), None
    if not re.search(rf"^(?:def|fn|struct)\s+(?:{'|'.join(map(re.escape, case.functions))})\b", text, re.MULTILINE):
        region = filled(handed_out, case.functions, textwrap.dedent(text))
        if region is None:
            raise UsageError(f"{case.id} has no single region to fill in: the cell must be its whole file.")
    path.write_text(region.text if region else text, encoding="utf-8")
    if region is None:
        return _Cell(text, path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    own = len(first) - len(textwrap.dedent(text).lstrip("\n").split("\n")[0]) if first else 0
    return _Cell(text, path, region.line - 1, region.column - 1 - own)


def _picture(case: Case, wanted: str | None, sources: Sources, cell: _Cell) -> str:
    """What the lanes do, as a page; empty where it cannot be drawn."""
    try:
        traces, _ = of_case(case, plan=pipeline.plan(wanted, "simulator"), sources=sources)
    except HarnessError:
        return ""
    own = [renumber(trace, str(cell.path), CELL, cell.lines, cell.text_of) for trace in traces]
    return page(own, phrases(language()))


def _understood(parser: Parser, line: str) -> Any:
    parser.set_defaults(parser=parser)
    return parser.understood(_words(line))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line!r} cannot be read: {error}.") from None
