"""Look up the source lines of return addresses in a program's host code, by the SDK's own `llvm-symbolizer`."""

from __future__ import annotations

import json
import subprocess
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from harness.build import toolchain
from harness.programs.compile import Compiled
from harness.simt.findings import LIBRARY_PREFIXES, SourceLocation

__all__ = ["Lines"]

_SECONDS = 30.0
_SHOWN = 12  # frames of a place


class Lines:
    """Finds the source lines of machine code of one program.

    Args:
        program: It; its machine code is read when the first address is looked up.
        first: The address of its first function in the process that runs it.
    """

    def __init__(self, program: Compiled, first: int) -> None:
        self._program, self._first = program, first
        self._known: dict[int, tuple[str, ...]] = {}

    def learn(self, calls: Iterable[Sequence[int]]) -> None:
        """Look up many addresses at once, because starting the symbolizer costs more than a look-up.

        Addresses outside the code are ignored. Results are stored, and no address is looked up twice. Without the
        symbolizer, or if it fails or takes more than 30 seconds, the lines of these addresses stay unknown.
        """
        unknown_offsets = {at for stack in calls for at in self._offsets(stack)} - set(self._known)
        if unknown_offsets:
            self._known.update(dict.fromkeys(unknown_offsets, ()))
            self._known.update(self._looked_up(sorted(unknown_offsets)))

    def place(self, calls: Sequence[int], what: str) -> SourceLocation | None:
        """Return the source location of a stack of return addresses: its innermost frame outside libraries, or None.

        Its `frames` are the innermost 12 of the stack, also those in libraries. Addresses that are not known yet are
        looked up.

        Args:
            calls: The return addresses, innermost first.
            what: The name of what was called there, for the location's `instruction`.
        """
        self.learn([calls])
        frames = tuple(frame for at in self._offsets(calls) for frame in self._known[at])
        user_frame = next((frame for frame in frames if not frame.startswith(LIBRARY_PREFIXES)), None)
        if user_frame is None:
            return None
        file, line, column = user_frame.rsplit(":", 2)
        return SourceLocation(file, int(line), int(column), what, frames[:_SHOWN])

    @cached_property
    def _code(self) -> bytes:
        """The host's part as an object file with debug information; empty if the cache has no machine code of it."""
        machine_code = self._program.machine_code
        return zlib.decompress(machine_code["object"].data).partition(b"\n")[2] if machine_code else b""

    def _offsets(self, calls: Sequence[int]) -> list[int]:
        # A return address is behind its call.
        return [at - self._first - 1 for at in calls if 0 < at - self._first < len(self._code)]

    def _looked_up(self, offsets: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        symbolizer = toolchain.find_symbolizer()
        if symbolizer is None:
            return {}
        with tempfile.TemporaryDirectory(prefix="puzzles-") as folder:
            path = Path(folder) / "program.o"
            path.write_bytes(self._code)
            command = [str(symbolizer), f"--obj={path}", "--inlines", "--output-style=JSON", *map(hex, offsets)]
            try:
                process = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
                answers = json.loads(process.stdout)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                return {}  # a place is a help; a report without it still holds
        return {
            int(answer["Address"], 16): tuple(
                f"{frame['FileName']}:{frame['Line']}:{frame['Column']}"
                for frame in answer.get("Symbol", ())
                if frame["Line"]
            )
            for answer in answers
        }
