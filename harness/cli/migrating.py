"""`migrate`: programs of an older Mojo, rewritten as far as that is certain."""

from __future__ import annotations

import difflib
from argparse import Namespace

from harness.backends.planning import choose
from harness.cli.programs import definitions, folders
from harness.model import exit_code
from harness.model.language import told
from harness.programs import migration
from harness.programs.host.options import BACKENDS
from harness.simt.plain import printable

__all__ = ["migrate"]


def migrate(arguments: Namespace) -> int:
    """Show or write the changes of each file, and list what is left; exit code 0 only if nothing is."""
    includes, defines = folders(arguments.include), definitions(arguments.define)
    target = choose(arguments.target, "auto", known=BACKENDS).target
    paths = migration.find_files(arguments.files)
    files = migration.migrate(
        paths, target=target, includes=includes, defines=defines, compile_=not arguments.no_compile
    )
    if arguments.write:
        migration.write(files)
    for file in files:
        _show(file, is_written=arguments.write)
    return exit_code.OK if all(file.is_done for file in files) else exit_code.WRONG


def _show(file: migration.MigratedFile, *, is_written: bool) -> None:
    if file.new == file.old:
        _say(f"{file.path}: nothing to change.")
    else:
        name = str(file.path)
        before, after = (text.split("\n") for text in (file.old, file.new))  # as Mojo counts lines
        for line in difflib.unified_diff(before, after, name, name, lineterm=""):
            print(printable(line.rstrip("\r")))
        _say(f"{file.path}: {file.count} changes" + (" written." if is_written else "; --write makes them."))
    for left in sorted(file.left, key=lambda left: left.line):
        place = f"{file.path}:{left.line}"
        is_gone = left.old.isidentifier()
        _say(f"{place}: {left.old} is gone: write {left.new}." if is_gone else f"{place}: write {left.new}.")
    if file.compiles:
        _say(f"{file.path}: compiles.")
    elif file.compiles is False:
        _say(f"{file.path}: does not compile yet:")
        print(printable(file.diagnostics))


def _say(line: str) -> None:
    print(printable(told(line)))
