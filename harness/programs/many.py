"""List runs of programs, from paths and folders or a file of arguments, and execute them side by side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.model.sources import SUFFIXES
from harness.model.target import Target
from harness.process.child import stop_all
from harness.process.free_memory import choose_concurrency
from harness.programs.compile import require
from harness.programs.program_plan import execute_plan, plan_program
from harness.programs.result import Execution

__all__ = ["Run", "execute_all", "of_file", "of_paths"]

_SECONDS = 0.05  # between two looks at who is left after an interruption


@dataclass(frozen=True, slots=True)
class Run:
    """A program and what it is given."""

    file: Path
    arguments: tuple[str, ...] = ()


def of_paths(paths: Sequence[Path], arguments: Sequence[str] = ()) -> list[Run]:
    """Return a run of each file, and of each file with a `main` in each folder, at any depth.

    The order is that of `paths`; files of a folder are sorted, and its files without a `main` are skipped. All runs get
    the same arguments.

    Raises:
        UsageError: A path is not there, a file that is named has no `main`, or no file of a folder has one.
    """
    runs = []
    for path in paths:
        if not path.is_dir():
            require(path)
            runs.append(Run(path, tuple(arguments)))
            continue
        files = sorted(file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}") if _has_main(file))
        if not files:
            raise UsageError(f"no file below {path} has a `main`.")
        runs += [Run(file, tuple(arguments)) for file in files]
    return runs


def _has_main(file: Path) -> bool:
    try:
        require(file)
    except UsageError:
        return False
    return True


def of_file(file: Path) -> list[Run]:
    """Return the runs that a file names: in each line a program, relative to the file, and then its arguments.

    Arguments are split as a shell does; what follows a `#` is a comment.

    Raises:
        UsageError: The file cannot be read, a line does not parse, a program that it names is not there or has no
            `main`, or it names none.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read the cases in {file}: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read the cases in {file}: it is no text in UTF-8 (byte {error.start}).") from None
    runs = []
    for number, line in enumerate(lines, 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(f"{file}:{number}: {error}.") from None
        if words:
            program = file.parent / words[0]
            try:
                require(program)
            except UsageError as error:
                raise UsageError(f"{file}:{number}: {error}") from None
            runs.append(Run(program, tuple(words[1:])))
    if not runs:
        raise UsageError(f"{file} names no program.")
    return runs


def execute_all(
    runs: Sequence[Run],
    *,
    target: Target | str | None = None,
    backend: str = "auto",
    jobs: int | None = None,
    **how: Any,
) -> list[Execution]:
    """Run programs side by side, in the simulator as many as fit, on a GPU one after another; results in their order.

    Each runs in processes of its own. `jobs` is the most that run at once in the simulator, and None as many as there
    are processors; free memory limits both. They share the workers of the options.

    What does not compile is an execution too, of status 1, with diagnostics. Everything else, the keywords too, is as
    for `execute`. If one raises, those that have not begun are cancelled, and the error is raised here once those that
    run have ended; an interruption stops these.

    Raises:
        UsageError: Unknown target or backend.
        EnvironmentFault: The programs could not be run.
    """
    streams = how.pop("streams", None)
    plan = plan_program("", target=target, backend=backend, **how)
    at_once = 1 if plan.launches.backend == "max" else choose_concurrency(len(runs), jobs)
    launches = replace(plan.launches, workers=max(1, plan.launches.workers // at_once))
    plans = [replace(plan, file=run.file, arguments=run.arguments, launches=launches) for run in runs]
    with ThreadPoolExecutor(at_once) as pool:
        waiting = [pool.submit(execute_plan, each, streams) for each in plans]
        try:
            return [future.result() for future in waiting]
        except BaseException as error:
            for future in waiting:
                future.cancel()
            # What runs in other threads knows of no interruption; what is just between two processes starts one more.
            while isinstance(error, KeyboardInterrupt) and wait(waiting, _SECONDS).not_done:
                stop_all()
            raise
