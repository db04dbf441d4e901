"""Run a program that `mojo build` made on this machine's GPU, in a child with limits; no launches, no findings."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from harness.model.target import Target
from harness.model.terms import translate_flags
from harness.process.child import Child, Limits, ProcessExit
from harness.programs.host.options import Options
from harness.programs.result import Execution
from harness.programs.streams import Streams, duplicate_streams

__all__ = ["native"]


def native(
    program: bytes, file: Path, target: Target, arguments: Sequence[str], options: Options, streams: Streams
) -> Execution:
    """Run a program to its end.

    Args:
        program: As `mojo build` made it.
        file: Its source.
        target: That of the GPU; there is one, or the program fails as it does without.
        options: Of these only `fail_on` and the limits on time and memory of the whole program count.

    Returns:
        How it ended, without output, launches or findings; a program that is too slow has a `limit`.

    Raises:
        EnvironmentFault: It could not be started.
    """
    limits = Limits(memory_bytes=options.memory_bytes, seconds=options.seconds)
    with duplicate_streams(streams) as standard, Child(limits, standard) as child:
        path = child.folder / file.stem
        path.write_bytes(program)
        path.chmod(0o700)
        started = time.perf_counter()
        # Its temporary folder is the user's own, as when it is started by hand.
        child.start([str(path), *arguments], {"TMPDIR": os.environ.get("TMPDIR", "/tmp")}, standard)
        process_exit = child.wait() or ProcessExit(0)
    return Execution(
        file=file,
        arguments=tuple(arguments),
        target=target,
        backend="max",
        status=process_exit.status,
        limit=translate_flags(options.too_late) if process_exit.limit == "seconds" else "",
        seconds=time.perf_counter() - started,
        fail_on=options.fail_on,
    )
