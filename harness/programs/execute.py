"""Runs a Mojo program as it is: compiled once, on a GPU where there is one, else in the simulator."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from harness.build.cache import Cache
from harness.model.target import Target
from harness.programs.compile import compiled
from harness.programs.host.options import Options
from harness.programs.result import Execution
from harness.programs.simulated import Streams, simulated

__all__ = ["execute"]

Notify = Callable[[str], None]


def execute(
    path: Path | str,
    *,
    arguments: Sequence[str] = (),
    target: Target | str = "nvidia",
    backend: str = "auto",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    options: Options | None = None,
    streams: Streams | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> Execution:
    """Runs a program to its end.

    Args:
        path: A Mojo file with a `main`.
        arguments: What the program finds in `sys.argv`, behind its name.
        target: The GPU that its kernels are compiled for: `nvidia:sm_90`, or a vendor alone.
        backend: `max` on a GPU of this machine, `simulator`, or `auto`: a GPU if there is one.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        options: Order, seed and limits.
        streams: Where its standard streams go; if not told, stdin is empty and the others are kept in the result.
        cache: For what is compiled; the default one unless told.
        notify: Gets one line when something slow begins.

    Raises:
        UsageError: There is no such file or target.
        CompileError: It does not compile.
        EnvironmentFault: It could not be run.
    """
    wanted = target if isinstance(target, Target) else Target.parse(target)
    program = compiled(Path(path), wanted, defines=defines, includes=includes, cache=cache, notify=notify)
    if streams is not None:
        return simulated(program, arguments, options or Options(), streams)
    with contextlib.ExitStack() as stack:
        nothing = stack.enter_context(open(os.devnull, "rb"))
        output, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        streams = Streams(nothing.fileno(), output.fileno(), errors.fileno())
        result = simulated(program, arguments, options or Options(), streams)
        return replace(result, output=_whole(output), errors=_whole(errors))


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
