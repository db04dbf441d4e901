"""Writes what repeats the catalogue, or says what is stale: `python -m tests.generate`; `--help` has its flags."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from harness.catalogue import CASES
from harness.errors import HarnessError
from harness.model import exit_code
from harness.model.sources import ROOT, Sources
from harness.process.forks import choose_jobs
from tests.generate import (
    figures,
    front,
    gallery,
    lessons,
    mistakes,
    notebooks,
    problems,
    repeated,
    runtime_library,
    stored_ir,
    stored_traces,
    translations,
)
from tests.generate.files import Generated, GenerateError, check, side_by_side, write

__all__ = ["main"]

_MOST_JOBS = 64  # traces that may be stale at once


def main(argv: Sequence[str] | None = None) -> int:
    """Writes or checks; 1 if something is stale, or was not overwritten."""
    parser = argparse.ArgumentParser(prog="python -m tests.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where something is stale")
    parser.add_argument("--force", action="store_true", help="overwrite problem files that somebody has filled in")
    parser.add_argument("--translated", action="store_true", help="the Korean lessons are those of today's English")
    parser.add_argument("--jobs", type=int, help="use N processes (default: what this machine has room for)")
    options = parser.parse_args(argv)
    try:
        if options.check:
            code = check(_generated(compile_stale=False))
            behind = [*lessons.stale(), *translations.stale()]
            for told in behind:
                print(f"stale: {told}")
            for told in translations.missing():
                print(told)
            return 1 if behind else code
        jobs = choose_jobs(_MOST_JOBS, options.jobs)
        return write(_generated(compile_stale=True, translated=options.translated, jobs=jobs), force=options.force)
    except (GenerateError, HarnessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return exit_code.code_of_error(error) if isinstance(error, HarnessError) else 1


def _generated(*, compile_stale: bool, translated: bool = False, jobs: int = 1) -> Iterator[Generated]:
    solved = Sources("solutions")
    files = {part.path for case in CASES for part in solved.learner_files(case)}
    given = {solved.kernel_file(case): case.handout for case in CASES}
    given |= {solved.python_file(case): case.graph.handout for case in CASES if case.graph}
    yield from problems.generated({file: file.with_stem("problem") for file in sorted(files)}, given)
    yield from repeated.generated(ROOT)
    yield from runtime_library.generated(ROOT, compile_stale=compile_stale)
    yield from stored_ir.generated(ROOT, compile_stale=compile_stale)
    shown = figures.wanted(lessons.texts())
    yield from stored_traces.generated(ROOT, shown, compile_stale=compile_stale, jobs=jobs)
    stages = (  # the longest first
        lambda: mistakes.generated(ROOT, run_stale=compile_stale),
        lambda: gallery.generated(ROOT, run_stale=compile_stale),
        lambda: notebooks.generated(ROOT, run_stale=compile_stale),
        lambda: front.generated(ROOT, compile_stale=compile_stale),
    )
    yield from side_by_side(stages, jobs)
    yield from lessons.generated(translated=translated)  # after the traces: figures are drawn from those that are there


if __name__ == "__main__":
    sys.exit(main())
