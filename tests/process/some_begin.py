"""For `test_preloaded.py`: a module of which a process is a fork or a start; it tells what it finds itself to be."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

__all__ = ["begin"]

_PR_GET_DUMPABLE = 3
LOADED = time.monotonic()


def _opened() -> dict[str, str]:
    told = {}
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # that of the list itself
            told[number] = os.readlink(f"/proc/self/fd/{number}").partition(":")[0]
    return told


def begin(arguments: list[str]) -> NoReturn:
    """Does what the arguments say: `tell`, `break`, `wait` or `end` by a signal."""
    what, *rest = arguments
    if what == "break":
        raise ValueError(f"broken with {rest[0]}")
    if what == "wait":
        os.write(int(rest[0]), str(os.getpid()).encode())
        time.sleep(600)
    if what == "end":
        os.kill(os.getpid(), signal.SIGSEGV)
    facts = {
        "opened": _opened(),
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "of C": (ctypes.CDLL(None).getenv(b"SOME") or 0) != 0,
        "signals": {int(number): str(signal.getsignal(number)) for number in signal.valid_signals()},
        "limits": {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if "RLIMIT_" in name},
        "readable": ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE),
        "group": os.getpgid(0) == os.getpid(),
        "arguments": rest,
    }
    Path(rest[0]).write_text(json.dumps({"loaded": LOADED, "facts": facts}))
    print("told")
    sys.stdout.flush()
    os._exit(7)


if __name__ == "__main__":
    begin(sys.argv[1:])
