"""The magics `%%puzzle`, `%hint` and `%%mojo_gpu` of notebooks, and their result, `Shown`. After `%load_ext harness`:

    %%puzzle p15 [--target T] [--no-picture]     check a cell: the puzzle's region, or its whole file
    %hint [p15]                                  show a hint, and one more each time
    %%mojo_gpu [--target T] [-- ARGUMENTS]       run a cell as a program, as `puzzles exec` does

Lines and columns are the cell's. An error is one sentence. Nothing of a cell is kept but compiled code, in the cache.
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
from harness.catalogue import select_one_case
from harness.cli.flags import Parser, add_shared
from harness.errors import CompileError, HarnessError, UsageError
from harness.learning.hints import next_hint
from harness.learning.page import render_page
from harness.learning.renumber import renumber
from harness.learning.trace import record_case
from harness.learning.words import load_phrases
from harness.model import spelling
from harness.model.case import Case
from harness.model.frames import fill_region
from harness.model.language import current_language, current_words, translate
from harness.model.mojo_text import TextError, decode_mojo
from harness.model.sources import Sources, display_path
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
    """The result of a cell, as a notebook or a terminal shows it.

    Attributes:
        lines: The text; the first line is the verdict.
        right: Whether nothing is wrong; None if nothing is judged.
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
        return "".join(self._html_parts())

    def _html_parts(self) -> Iterator[str]:
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
            title, inner = html.escape(translate("what the lanes do")), html.escape(self.picture, quote=True)
            how = f'title="{title}" sandbox="{_MAY}" style="width: 100%; height: {_HEIGHT}px; border: 0"'
            yield f'<iframe {how} srcdoc="{inner}"></iframe>'


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell as a file, and the offset of its lines and columns there.

    Attributes:
        text: The cell's text.
        path: The file.
        lines: The number of lines above the cell's first line in the file.
        columns: The number of columns before the cell's first line there.
    """

    text: str
    path: Path
    lines: int = 0
    columns: int = 0

    def show(self) -> Renderer:
        """Return a renderer that reads the lines of the cell."""
        return Renderer(lambda name: self.text.split("\n") if name == CELL else (), words=current_words(), detail=False)

    def home(self, finding: Finding) -> Finding:
        """Return a copy of a finding whose sites within the cell have the cell's name, lines and columns; others stay.
        Before that, the whole file gives the finding array names that it lacks, and columns of stores.
        """
        finding = Renderer(Excerpts(self.path)).with_names(finding)
        sites = tuple(
            replace(site, file=CELL, line=site.line - self.lines, column=max(1, site.column - self.columns))
            if self._is_mine(site.file, site.line)
            else site
            for site in finding.sites
        )
        return replace(finding, sites=sites)

    def text_of(self, line: str) -> str:
        """Return a line of text in which locations in the file, and its name, are the cell's; a location outside of
        the cell becomes `the file around it` and keeps its numbers.
        """

        def relocate(match: re.Match[str]) -> str:
            number, column = int(match[1]), int(match[2] or 0)
            if not self._is_mine(str(self.path), number):
                return f"the file around it{match[0].removeprefix(name)}"
            column_suffix = f":{max(1, column - self.columns)}" if match[2] else ""
            return f"{CELL}:{number - self.lines}{column_suffix}"

        # What lies below the current folder is told from there (`format_case`), and temporary files may.
        name = str(self.path) if str(self.path) in line else str(self.path).removeprefix(f"{Path.cwd()}{os.sep}")
        relocated = re.sub(rf"{re.escape(name)}:(\d+)(?::(\d+))?", relocate, line)
        return relocated.replace(name, CELL)

    def _is_mine(self, file: str, line: int) -> bool:
        return file == str(self.path) and 0 < line - self.lines <= self.text.count("\n") + 1


def load(shell: Any) -> None:
    """Register the magics with a shell of IPython, each time with a new session: no puzzle, no hint shown."""
    session = _Session()
    shell.register_magic_function(session.puzzle, "cell", "puzzle")
    shell.register_magic_function(session.hint, "line", "hint")
    shell.register_magic_function(session.mojo_gpu, "cell", "mojo_gpu")


def _report_errors(magic: Callable[..., Shown | None]) -> Callable[..., Shown | None]:
    """Wrap a magic so that it returns a `HarnessError` as a `Shown` that is wrong, with its sentence, and does not
    raise it. After its help it returns None.
    """

    def call(*arguments: Any) -> Shown | None:
        try:
            return magic(*arguments)
        except HarnessError as error:
            message = re.sub(rf"\S*/{CELL}\.mojo\b", "the cell", str(error))
            return Shown([translate(f"error: {message}")], False)
        except SystemExit:  # of the help
            return None

    call.__doc__ = magic.__doc__
    return call


class _Session:
    """The state that the magics of a notebook share: the current puzzle, and how many hints were shown."""

    def __init__(self) -> None:
        self._case: Case | None = None
        self._hints_shown: dict[str, int] = {}
        self.puzzle = _report_errors(self._puzzle)
        self.hint = _report_errors(self._hint)
        self.mojo_gpu = _report_errors(self._mojo_gpu)

    def _puzzle(self, line: str, text: str) -> Shown:
        """Check a cell that fills in a puzzle's region, or is its whole file, on the documented and on fresh data.

        `line` has the case and the options. Returns the verdict, also of a cell that does not compile, with findings,
        and a picture from a further run in the simulator if any data set was run. Whatever the verdict, `%hint` is then
        for this case. UsageError for a case that is solved in two files.
        """
        parser = Parser(prog="%%puzzle", description="Checks a cell: a puzzle's region, or its whole file.")
        parser.add_argument("case", metavar="CASE", help="p15, p26:pair-swap")
        add_shared(parser, "--target")
        parser.add_argument("--no-picture", action="store_true", help="no picture of what the lanes do")
        options = _parse_line(parser, line)
        self._case = case = select_one_case(options.case)
        if case.graph:
            raise UsageError(
                f"{case.id} is solved in two files: `puzzles start {case.puzzle}` makes a folder with both."
            )
        plan = replace(pipeline.plan(options.target), data_seed=new_seed())
        with temporary_folder() as folder:
            cell = _stage_cell(case, text, folder.resolve() / f"{CELL}.mojo")
            sources = Sources("problems", {case.puzzle: cell.path})
            report = pipeline.run([case], plan=plan, sources=sources).cases[0]
            # Nothing is drawn of what did not run.
            draws_picture = not options.no_picture and report.datasets and case.refusal(plan.target) is None
            picture = _draw_picture(case, options.target, sources, cell) if draws_picture else ""
            report = replace(report, findings=tuple(map(cell.home, report.findings)))
            lines = [cell.text_of(line) for line in findings.format_case(report, cell.show())]
        return Shown(lines, None if report.verdict == Verdict.SKIPPED else report.ok, picture)

    def _hint(self, line: str) -> Shown:
        """Return the next hint of a case, and count it for this session. `line` has the case; if it is empty, the case
        is the last that `%%puzzle` or `%hint` named. UsageError if none was named, or there are no more hints.
        """
        parser = Parser(prog="%hint", description="Shows a hint, and one more each time.")
        parser.add_argument("case", nargs="?", metavar="CASE", help="p15, p26:pair-swap (default: the last one)")
        options = _parse_line(parser, line)
        case = select_one_case(options.case) if options.case else self._case
        if case is None:
            raise UsageError("say for which puzzle: %hint p15.")
        shown_count = self._hints_shown.get(case.id, 0)
        number, total, (title, text) = next_hint(case, current_language(), shown_count)
        if number == shown_count:
            raise UsageError(f"there are no more hints for {case.id}.")
        self._case, self._hints_shown[case.id] = case, number
        return Shown([f"{number}/{total} {title}", *text.splitlines()])

    def _mojo_gpu(self, line: str, text: str) -> Shown:
        """Run a cell as a program: its `main` on this machine, its kernels on a GPU or in the simulator. Returns output
        and findings, or the compiler's errors. Imports are found in the current folder too. `line` has options, and the
        program's arguments after `--`.
        """
        parser = Parser(prog="%%mojo_gpu", description="Runs a cell as a program, as `puzzles exec` does.")
        add_shared(parser, "--target", "--as-is")
        words, *rest = re.split(r"(?:^|\s)--(?:\s|$)", line, maxsplit=1)
        options, arguments = _parse_line(parser, words), _split_line("".join(rest))
        _require_text(text)
        with temporary_folder() as folder:
            path = folder.resolve() / f"{CELL}.mojo"
            path.write_text(text, encoding="utf-8")
            cell = _Cell(text, path)
            spelling.set_as_is(as_is=options.as_is)
            spelling.set_display_name(display_path(path), "the cell")
            try:
                ran = execute(
                    path,
                    target=options.target,
                    arguments=arguments,
                    includes=[Path.cwd()],
                    options=Options(counters=False),
                )
            except CompileError as error:
                lines = [f"{Verdict.COMPILE_ERROR}: {CELL} does not compile", *error.diagnostics.splitlines()]
                return Shown(list(map(cell.text_of, lines)), False)
            ran = replace(ran, findings=tuple(map(cell.home, ran.findings)))
            lines = [_format_verdict(ran), *programs.format_execution(ran, cell.show())]
        output = (ran.output + (b"" if ran.status else ran.errors)).decode(errors="replace")
        return Shown(list(map(cell.text_of, lines)), not ran.exit_code, output=output)


def _format_verdict(ran: Execution) -> str:
    count = len(ran.launches)
    where = "on a GPU" if ran.backend == "max" else f"{count} launch{'es' * (count != 1)} in the simulator"
    return f"{ran.verdict}: {ran.target}, {where}" + (f", status {ran.status}" if ran.status else "")


def _require_text(text: str) -> None:
    """Raise UsageError if a cell is no valid Mojo text, naming the cell's own line."""
    try:
        decode_mojo(text.encode("utf-8", "surrogatepass"))
    except TextError as error:
        raise UsageError(f"the cell is no Mojo file: {error}.") from None


def _stage_cell(case: Case, text: str, path: Path) -> _Cell:
    """Write a cell to `path`: as it is if it defines one of the kernels, else as the region of the original file.

    Raises:
        UsageError: The cell is too large, no UTF-8 or has control characters; or it defines no kernel of the case, and
            the original has no single region.
    """
    _require_text(text)
    original, region = Sources().original_text(case), None
    if not re.search(rf"^(?:def|fn|struct)\s+(?:{'|'.join(map(re.escape, case.functions))})\b", text, re.MULTILINE):
        region = fill_region(original, case.functions, textwrap.dedent(text))
        if region is None:
            raise UsageError(f"{case.id} has no single region to fill in: the cell must be its whole file.")
    path.write_text(region.text if region else text, encoding="utf-8")
    if region is None:
        return _Cell(text, path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    indentation = len(first) - len(textwrap.dedent(text).lstrip("\n").split("\n")[0]) if first else 0
    return _Cell(text, path, region.line - 1, region.column - 1 - indentation)


def _draw_picture(case: Case, target: str | None, sources: Sources, cell: _Cell) -> str:
    """Record a cell in the simulator; return what the lanes do as HTML, or "" if a `HarnessError` prevents it."""
    try:
        traces, _ = record_case(case, plan=pipeline.plan(target, "simulator"), sources=sources)
    except HarnessError:
        return ""
    renumbered = [renumber(trace, str(cell.path), CELL, cell.lines, cell.text_of) for trace in traces]
    return render_page(renumbered, load_phrases(current_language()))


def _parse_line(parser: Parser, line: str) -> Any:
    parser.set_defaults(parser=parser)
    return parser.parse_all(_split_line(line))


def _split_line(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line!r} cannot be read: {error}.") from None
