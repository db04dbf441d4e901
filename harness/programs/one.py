"""Runs a Mojo program as it is: compiled once, on a GPU where there is one, else in the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.backends.choice import choose
from harness.build.cache import Cache
from harness.errors import EnvironmentFault
from harness.model.profile import profile_launches
from harness.model.target import Target
from harness.model.terms import format_option
from harness.process import preloaded
from harness.programs.compile import compiled, executable, resources
from harness.programs.host.options import BACKENDS, Options
from harness.programs.native import native
from harness.programs.result import Execution
from harness.programs.simulated import CHILD, simulated
from harness.programs.streams import Streams, kept

if TYPE_CHECKING:  # see `compile`
    from harness.build.exported import CallingProgram

__all__ = ["chosen", "execute", "execute_with"]

Notify = Callable[[str], None]


def execute(
    path: Path | str,
    *,
    arguments: Sequence[object] = (),
    target: Target | str | None = None,
    backend: str = "auto",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    options: Options | None = None,
    streams: Streams | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> Execution:
    """Run a program to its end, on a GPU if there is one, else in the simulator.

    Args:
        path: A Mojo file with a `main`.
        arguments: The program's arguments, in `sys.argv` after its name; each as `str` writes it.
        target: The GPU that its kernels are compiled for: `nvidia:sm_90`, a vendor alone, or None for this machine's
            GPU, else `nvidia`.
        backend: `max` on a GPU of this machine, `simulator`, or `auto`: a GPU if there is one.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        options: Order, seed and limits.
        streams: Its standard streams; if None, stdin is empty and the others are kept in the result.
        cache: Where compiled code is kept; the default cache if None.
        notify: Called with one line when something slow begins.

    Raises:
        UsageError: There is no such file, target or backend.
        CompileError: It does not compile.
        EnvironmentFault: It could not be run.
    """
    chosen_target, gpu = chosen(target, backend)
    how: dict[str, Any] = {"defines": defines, "includes": includes, "cache": cache, "notify": notify}
    words = [str(argument) for argument in arguments]
    return execute_with(Path(path), words, chosen_target, gpu, options or Options(), streams, how)


def execute_with(
    file: Path,
    words: Sequence[str],
    target: Target,
    gpu: bool,
    options: Options,
    streams: Streams | None,
    how: Mapping[str, Any],
    call: tuple[CallingProgram, Path] | None = None,
) -> Execution:
    """Runs a program to its end, as `execute` does.

    Args:
        file: A Mojo file with a `main`, or with functions that `call` is about.
        words: What the program finds in `sys.argv`, behind its name.
        target: What its kernels are compiled for.
        gpu: Whether a GPU of this machine runs it.
        options: Order, seed and limits.
        streams: Its standard streams; None to keep them in the result.
        how: `defines`, `includes`, `cache` and `notify` as of `execute`.
        call: The program that calls the file's functions, and the folder of the call; None where the file has a `main`.

    Raises:
        UsageError: There is no such file.
        CompileError: It does not compile.
        EnvironmentFault: It could not be run.
    """
    # A LayoutTensor says itself what is outside of its shape, if it is asked to.
    defines = {**({"ASSERT": "all"} if options.shapes else {}), **(how["defines"] or {})}
    caller, folder = call or (None, None)
    build: dict[str, Any] = {**how, "defines": defines, "caller": caller}

    def run(streams: Streams) -> Execution:
        if gpu:
            return native(executable(file, target, **build), file, target, words, options, streams)
        preloaded.preload(CHILD)  # while it is compiled
        program = compiled(file, target, debug=options.debug, **build)
        ran = simulated(program, words, options, streams, folder)
        if not options.profile:
            return ran
        try:
            taken = resources(file, target, **build)
        except EnvironmentFault as error:
            how["notify"](f"without registers: {error}")
            taken = {}
        return replace(ran, profiles=profile_launches(ran.measured, target, taken))

    if streams is not None:
        return run(streams)
    with kept() as held:
        result = run(held.streams)
        return replace(result, output=held.output(), errors=held.errors())


def chosen(target: Target | str | None, backend: str) -> tuple[Target, bool]:
    """Return the target that a program is compiled for, and whether a GPU of this machine runs it.

    Raises:
        UsageError: The target or backend is unknown.
        EnvironmentFault: `max` was requested and no GPU fits.
    """
    choice = choose(target, backend, known=BACKENDS)
    if backend == "max" and not choice.gpus:
        flag = format_option("backend", backend)
        raise EnvironmentFault(f"there is no GPU for {choice.target} on this machine: leave out {flag}.")
    return choice.target, bool(choice.gpus)
