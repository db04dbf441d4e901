"""Entry point of `python -m harness` and `puzzles`: restart in UTF-8 if needed, then run `harness.cli.main`."""

import gc
import os
import sys
from typing import NoReturn

__all__ = ["command"]


def command() -> NoReturn:
    """Run the command in `sys.argv` and end this process with its exit code; never returns.

    A process whose file names are not in UTF-8 is first replaced by one where they are. Garbage collection is turned
    off; the command turns it on again when its own work begins.
    """
    # What is imported stays: to look through it again and again takes a tenth of a short command. It is left alone for
    # good once the command's own work begins, see `harness.cli.late.enable_garbage_collection`.
    gc.disable()
    _restart_in_utf_8()
    from harness.cli.main import command

    command()


def _restart_in_utf_8() -> None:
    """Replace this process by the same command with file names in UTF-8, as compilers and reports write them.

    Does nothing if they are in UTF-8 already, as everywhere but in old locales, or if `sys.executable` is unknown.
    Output keeps the locale's encoding, unless `PYTHONIOENCODING` names another; what that lacks is escaped.
    """
    if sys.getfilesystemencoding() == "utf-8" or not sys.executable:
        return
    encoding = getattr(sys.stdout, "encoding", "ascii")
    variables = {"PYTHONIOENCODING": f"{encoding}:backslashreplace", **os.environ, "PYTHONUTF8": "1"}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], variables)


if __name__ == "__main__":
    command()
