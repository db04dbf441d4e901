"""A program on a GPU of this machine: built by Mojo, run in a process of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.build import toolchain
from harness.model.target import Target
from harness.process.child import Child, Ended, Limits
from harness.programs.host.options import Options
from harness.programs.result import Execution
from harness.programs.streams import Streams, inherited, redirected

__all__ = ["native"]


def native(
    file: Path,
    target: Target,
    arguments: Sequence[str],
    *,
    defines: Mapping[str, str],
    includes: Sequence[Path],
    options: Options,
    streams: Streams,
) -> Execution:
    """Builds a program and runs it to its end.

    Args:
        target: That of the GPU; there is one, or the program fails as it does without.
        options: Of these only the limits on time and memory of the whole program count.

    Raises:
        CompileError: It does not compile.
        EnvironmentFault: It could not be started.
    """
    limits = Limits(memory_bytes=options.memory_bytes, seconds=options.seconds)
    with inherited(streams) as standard, Child(limits, standard) as child:
        program = child.folder / file.stem
        toolchain.executable(file.resolve(), target.architecture, program, defines=defines, includes=includes)
        started = time.perf_counter()
        child.start(redirected([str(program), *arguments], standard), {"TMPDIR": os.environ.get("TMPDIR", "/tmp")})
        ended = child.wait() or Ended(0)
    return Execution(
        file=file,
        arguments=tuple(arguments),
        target=target,
        backend="max",
        status=ended.status,
        limit=f"did not end within {options.seconds:g} s" if ended.limit == "seconds" else "",
        seconds=time.perf_counter() - started,
    )
