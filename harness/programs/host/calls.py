"""Read this thread's stack of return addresses: where a program made a call, for `harness.programs.lines`."""

from __future__ import annotations

import ctypes

__all__ = ["callers"]

DEPTH = 48  # callbacks and the interpreter take about fifteen of them

_libc = ctypes.CDLL(None)
_frames = (ctypes.c_void_p * DEPTH)()


def callers() -> tuple[int, ...]:
    """Return the return addresses on this thread's stack, innermost first, at most `DEPTH`.

    Those of this interpreter and of the callback come first; the program's own are among them.
    """
    count = _libc.backtrace(_frames, DEPTH)
    return tuple(address or 0 for address in _frames[:count])
