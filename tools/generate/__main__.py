"""Writes what repeats the catalogue, or says what is stale: `python -m tools.generate [--check] [--force]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from harness.catalogue import PUZZLES
from harness.model.sources import ROOT, Sources, shown
from tools.generate import problems, repeated
from tools.generate.files import Generated, GenerateError

__all__ = ["COMMAND", "main"]

COMMAND = "nox -s generate"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes or checks; 1 if something is stale, or was not overwritten."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where something is stale")
    parser.add_argument("--force", action="store_true", help="overwrite problem files that somebody has filled in")
    options = parser.parse_args(argv)
    try:
        stale = [file for file in _generated() if file.stale]
    except GenerateError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.check:
        return _refuse(stale)
    return _write(stale, options.force)


def _generated() -> Iterator[Generated]:
    yield from repeated.generated(ROOT)
    solved, unsolved = Sources("solutions"), Sources("problems")
    yield from problems.generated({solved.kernel_file(name): unsolved.kernel_file(name) for name in PUZZLES})


def _refuse(stale: Sequence[Generated]) -> int:
    for file in stale:
        print(f"stale: {shown(file.path)}")
    if stale:
        print(f"error: {len(stale)} files are stale: run `{COMMAND}` and commit what it writes.", file=sys.stderr)
    return 1 if stale else 0


def _write(stale: Sequence[Generated], force: bool) -> int:
    kept = [file for file in stale if file.keep and not force]
    for file in stale:
        if file not in kept:
            file.write()
            print(f"{'removed' if file.text is None else 'wrote'} {shown(file.path)}")
    for file in kept:
        again = f"`{COMMAND} -- --force` overwrites it"
        print(f"error: {shown(file.path)} is stale and was left as it is: {file.keep}; {again}.", file=sys.stderr)
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main())
