"""`migrate`: show the diffs by which `harness.programs.migration` updates old Mojo files, or write them."""

from __future__ import annotations

import difflib
from argparse import Namespace

from harness.backends.planning import choose
from harness.cli.programs import check_folders, parse_definitions
from harness.model import exit_code
from harness.model.language import translate
from harness.programs import migration
from harness.programs.host.options import BACKENDS
from harness.simt.plain import printable

__all__ = ["migrate"]


def migrate(arguments: Namespace) -> int:
    """Show the changes of each file, and make them with `--write`; list what remains to do.

    Returns exit code 0 if every new text compiles, written or not; with `--no-compile` if nothing remains; else 1.
    """
    includes, defines = check_folders(arguments.include), parse_definitions(arguments.define)
    target = choose(arguments.target, "auto", backends=BACKENDS).target
    paths = migration.find_files(arguments.files)
    files = migration.migrate(
        paths, target=target, includes=includes, defines=defines, compile_=not arguments.no_compile
    )
    if arguments.write:
        migration.write(files)
    for file in files:
        _print_file(file, is_written=arguments.write)
    return exit_code.OK if all(file.is_done for file in files) else exit_code.WRONG


def _print_file(file: migration.MigratedFile, *, is_written: bool) -> None:
    if file.new == file.old:
        _print_translated(f"{file.path}: nothing to change.")
    else:
        name = str(file.path)
        before, after = (text.split("\n") for text in (file.old, file.new))  # as Mojo counts lines
        for line in difflib.unified_diff(before, after, name, name, lineterm=""):
            print(printable(line.rstrip("\r")))
        _print_translated(
            f"{file.path}: {file.count} changes" + (" written." if is_written else "; --write makes them.")
        )
    for remark in sorted(file.left, key=lambda remark: remark.line):
        place = f"{file.path}:{remark.line}"
        is_gone = remark.old.isidentifier()
        _print_translated(
            f"{place}: {remark.old} is gone: write {remark.new}." if is_gone else f"{place}: write {remark.new}."
        )
    if file.compiles:
        _print_translated(f"{file.path}: compiles.")
    elif file.compiles is False:
        _print_translated(f"{file.path}: does not compile yet:")
        print(printable(file.diagnostics))


def _print_translated(line: str) -> None:
    print(printable(translate(line)))
