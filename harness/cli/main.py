"""Enter `puzzles`: run a command, print its errors, make the standard streams safe, and end with an exit code."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import NoReturn

from harness.cli.parser import execute
from harness.errors import CompileError, EnvironmentFault, HarnessError
from harness.model import exit_code, terms
from harness.model.language import translate
from harness.model.lines import fold_for_stream
from harness.model.named import relativize_files
from harness.simt.plain import printable

__all__ = ["TRACEBACK_VARIABLE", "command", "main"]

TRACEBACK_VARIABLE = "HARNESS_TRACEBACK"  # set it to see where a fault of the harness itself is

_WIDEST = 200  # characters of a name that an error quotes
_STRICT = ("strict", "surrogateescape")  # what fails for a sign that its encoding lacks; the second is the locale C's


def main(argv: Sequence[str] | None = None, do: Callable[[Sequence[str]], int] | None = None) -> int:
    """Run one command and return its exit code; errors, an interrupt too, are printed to stderr, and their code is
    returned. `SystemExit`, of the help for instance, passes.

    Args:
        argv: The command and its arguments; those of this process if None.
        do: The function to run; `execute` if None.
    """
    _prepare_streams()
    try:
        try:
            with terms.command_line():
                code = (do or execute)(list(sys.argv[1:] if argv is None else argv))
        except SystemExit:  # of the help and the version
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return code
    except BaseException as error:
        if isinstance(error, SystemExit | GeneratorExit):
            raise
        error = _to_environment_fault(error) or error
        with contextlib.suppress(OSError):  # there may be nobody to tell it to
            for number, line in enumerate(_describe_error(error)):
                text = printable(translate(line))
                # What a compiler says comes second, and stays as it is.
                print(text if number else fold_for_stream(text, sys.stderr), file=sys.stderr)
        _silence_if_broken()
        return exit_code.code_of_error(error)


def _to_environment_fault(error: BaseException) -> EnvironmentFault | None:
    """Return the fault of the environment that an error of Python's own stands for; None for any other error.

    These are a failed import of another package, a name that is not UTF-8, a removed working directory, and a thread
    that the system refuses.
    """
    if isinstance(error, ImportError) and not (error.name or "").startswith("harness"):
        from harness.model.project import make_load_error  # late: hardly any command needs it

        return make_load_error(str(error))
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return EnvironmentFault(
            f"a name is not UTF-8, which reports and compilers need ({_words_around(error)}): "
            "rename that file or folder."
        )
    if isinstance(error, FileNotFoundError) and error.filename is None and not _has_working_directory():
        return EnvironmentFault("the working directory was removed: change to another one.")
    if isinstance(error, RuntimeError) and str(error) == "can't start new thread":
        return EnvironmentFault("the system refuses another thread: raise the limit on processes (`ulimit -u`).")
    return None


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _words_around(error: UnicodeEncodeError) -> str:
    """Return the path, or the word, that cannot be encoded, printable and at most 200 characters of it."""
    start = max((error.object.rfind(sign, 0, error.start) for sign in " \n\"'"), default=-1) + 1
    word = re.match(r"[^\s\"']*", error.object[start:])
    return printable(word[0] if word else "")[:_WIDEST]


def _describe_error(error: BaseException) -> list[str]:
    """Return the lines to print about an error that ended the command; empty for a broken pipe.

    An unknown error is a fault of the harness: one line with its place, or the traceback if `HARNESS_TRACEBACK` is set.
    """
    if isinstance(error, BrokenPipeError):
        return []  # the reader left: the rest of the output has nowhere to go
    if isinstance(error, KeyboardInterrupt):
        return ["interrupted"]
    if isinstance(error, HarnessError):
        message = f"error: {error}"
        return (
            [relativize_files(message), relativize_files(error.diagnostics)]
            if isinstance(error, CompileError)
            else [message]
        )
    if isinstance(error, OSError):
        filename = f": {error.filename}" if error.filename else ""
        return [f"error: the system refuses: {error.strerror or error}{filename}."]
    if isinstance(error, MemoryError):
        return ["error: this machine has too little memory for it."]
    if os.environ.get(TRACEBACK_VARIABLE):
        return ["".join(traceback.format_exception(error))]
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return [
        f"error: a fault of the harness, not of a kernel: {type(error).__name__}: {error} "
        f"({os.path.basename(frame.filename)}:{frame.lineno}). {TRACEBACK_VARIABLE}=1 shows where; please report it."
    ]


def _prepare_streams() -> None:
    """Make printing safe: open closed standard streams as /dev/null, and let stdout and stderr escape what they cannot
    encode.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)  # a standard stream was closed: a file of ours would take its number
    os.close(number)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper) and stream.errors in _STRICT:
            stream.reconfigure(errors="backslashreplace")  # a check mark where the encoding has none


def _silence_if_broken() -> None:
    """Redirect stdout to /dev/null if it can no longer be written, so that the interpreter's exit does not fail."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command() -> NoReturn:
    """Run `puzzles` as a program: run one command and end this process with its exit code, after its exit handlers, but
    without tearing down the interpreter.
    """
    status = 1

    @atexit.register  # the first, so it comes last: behind threads and all else that is registered
    def end() -> None:
        _silence_if_broken()
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(status)

    try:
        status = main()
    except SystemExit as error:  # of the help, the version, a wrong flag
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    sys.exit(status)
