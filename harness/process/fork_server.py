"""In a sandbox, import a module once, then run it in a fork for each request; `box` starts this, not `preloaded`.

    fork_server.py ORDERS ANSWERS FOLDER MODULE

The module is imported before the first request comes; then a process costs a fork, not a start of Python. This process
reads nothing that a stranger wrote. The fork that does has no way back: its descriptors are closed, nothing of it runs
on after it, and in bubblewrap this is the first process of its namespace, which cannot be killed, traced or read from
inside.

A line on ORDERS is JSON: `folder`, where the file `order` lies and the file `answer` is to be, and `limits`; one on
ANSWERS says how the process ended. Between two requests the client empties the folder.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import traceback
from typing import Any, NoReturn

from harness.process import reaper, seccomp

__all__ = ["OUR_MACHINE", "main"]

_PR_SET_DUMPABLE = 4
_OUR_DESCRIPTORS = 3  # the standard ones are everybody's
OUR_MACHINE = os.EX_OSERR  # how a process ends that the operating system refused something: room on the disk, say


def main() -> NoReturn:
    """Import and prepare the module that `sys.argv` names, and run each order in a fork.

    It exits the process when the pipe of orders closes. SIGTERM is ignored, and other processes of this user cannot
    trace this one.
    """
    orders, answers, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    module = importlib.import_module(sys.argv[4])
    if prepare := getattr(module, "prepare", None):
        prepare()
    signals = reaper.Signals()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a stranger could send it; a closed pipe ends this
    signals.prctl(_PR_SET_DUMPABLE, 0)  # or another process of the same user could read it and write to it
    gc.collect()
    gc.freeze()  # what is here by now is shared with each process that is forked

    def become(order: dict[str, Any], parent: int, signals: reaper.Signals) -> NoReturn:
        _call(module, order, parent, signals)

    with open(orders, "rb") as lines:
        while line := lines.readline():
            order = json.loads(line) | {"descriptors": []}
            process_exit = reaper.run(order, folder, orders, signals, become)
            process_exit["left"] = _end_all(process_exit.pop("group"))
            with contextlib.suppress(BrokenPipeError):  # then there is no next line either
                os.write(answers, json.dumps(process_exit).encode() + b"\n")
    os._exit(0)


def _end_all(group: int) -> int:
    """End all processes that an order left; return 0 if there were none, else their number (1 in bubblewrap)."""
    if os.getpid() != 1:
        return reaper.end_all(group)
    # The first process of a namespace reaches all others at once, however fast they multiply, and is left with them.
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return 0
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return 1


def _call(module: Any, order: dict[str, Any], parent: int, signals: reaper.Signals) -> NoReturn:
    """Run the order in this forked process, and exit it: closes inherited descriptors, applies the limits, calls
    `main` of the module.

    What it prints goes to the file `noise`; TMPDIR and HOME are the order's folder. The exit status is that of a
    SystemExit, `OUR_MACHINE` after an OSError, 1 after any other exception.
    """
    signal.set_wakeup_fd(-1)
    os.closerange(_OUR_DESCRIPTORS, os.sysconf("SC_OPEN_MAX"))
    folder = order["folder"]
    with open(os.path.join(folder, "noise"), "wb", buffering=0) as noise:
        os.dup2(noise.fileno(), 1)
        os.dup2(noise.fileno(), 2)
    reaper.apply_limits(order["limits"], parent, signals)
    if "memory_bytes" in order["limits"]:
        seccomp.refuse_hidden_memory()  # where it cannot be refused, it is counted as far as it is seen
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # as Python has it: a child that is gone is no end of this one
    os.environ |= {"TMPDIR": folder, "HOME": folder}
    tempfile.tempdir = None
    sys.argv = [module.__name__, os.path.join(folder, "order"), os.path.join(folder, "answer")]
    status = 1
    try:
        module.main()
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    except BaseException as error:  # as the interpreter does at its end
        status = OUR_MACHINE if isinstance(error, OSError) else 1
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 0xFF)


if __name__ == "__main__":
    main()
