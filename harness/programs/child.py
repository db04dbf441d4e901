"""The child of a simulated run: load a program's host code, connect its calls to the device, run `main`, report.

    python -m harness.programs.child ORDER STDIN STDOUT STDERR REPORTS

ORDER is a JSON file: what to run and how. The others are descriptors: of the program's standard streams, and for the
messages of `harness.programs.wire`.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import traceback
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from harness.errors import HarnessError
from harness.model import exit_code
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.programs import jit, wire
from harness.programs.host import (  # noqa: F401 - they declare the interface
    abi,
    buffers,
    call_data,
    contexts,
    data_sets,
    faults,
    functions,
    libraries,
    streams,
    tensor_maps,
)
from harness.programs.host.journal import Journal
from harness.programs.host.options import Options
from harness.programs.host.runtime import Runtime

if TYPE_CHECKING:
    from harness.build.objects import CachedObjects

__all__ = ["begin"]

_BROKEN = 70  # sysexits.h: an internal fault


def main(order: dict[str, Any], reports: int) -> int:
    """Run the program that the order names in this process; return the exit status of its `main`.

    It does not return if the program calls `exit`, or if a fault of the harness is reported (`broken`), which ends the
    process with status 70. When `main` returns, or at `exit`, work that still waits is run and the end is reported.
    Messages go to the descriptor `reports`. Faults of the process are handled from now on, and `sys.argv` is `[""]`. If
    the order has data sets (`called`), the current folder becomes theirs.

    Raises:
        EnvironmentFault: The program cannot be loaded.
    """

    def emit(kind: str, facts: Any) -> None:
        wire.send(reports, kind, facts)
        if kind == "broken":
            os._exit(_BROKEN)

    objects = _Objects(Path(order["objects"])) if order["objects"] else None
    launcher = Launcher(plan=LaunchPlan.from_facts(order["plan"]), objects=objects)
    kernels = json.loads(Path(order["kernels"]).read_bytes())
    runtime = Runtime(launcher, kernels, emit, Options(**order["options"]))
    code = _machine_code(order)
    symbols = {**abi.bound(runtime, jit.declared(code)), **libraries.callbacks(emit)}
    if called := order.get("called"):
        os.chdir(called["folder"])
        runtime.journal = Journal(emit)
        data = Path(called["data"]).read_bytes()
        symbols |= data_sets.callbacks(runtime, data, called["sizes"], called["scalars"])
    if call := order.get("call"):
        symbols |= call_data.callbacks(runtime, Path(call))
    program_end = _ProgramEnd(runtime)
    loaded = jit.Loaded(code, symbols | {"exit": program_end.exit})
    emit("loaded", loaded.first)
    sys.argv = [""]  # as a program finds it that brings up a Python of its own
    _handler = faults.install(runtime.checks.survived)
    status = loaded.main([order["name"], *order["arguments"]])
    program_end(status)
    return status


class _ProgramEnd:
    """Reports the end of a program, whether `main` returns or it calls `exit`.

    Attributes:
        exit: What stands for C's function of that name: it ends the program without a return of its `main`.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self._begun = runtime, False
        self._libc = ctypes.CDLL(None)
        self.exit = ctypes.CFUNCTYPE(None, ctypes.c_int)(self._exit)

    def __call__(self, status: int) -> None:
        if not self._begun:  # queued work that is done now may call `exit` too
            self._begun = True
            self._runtime.close(status)
            self._runtime.tell("end", status)

    def _exit(self, status: int) -> None:
        try:
            self(status)
        except BaseException:  # it must not leave a callback
            self._runtime.broken(traceback.format_exc())
        _flush()
        self._libc.exit(status)


@dataclass(frozen=True, slots=True)
class _Objects:
    """Machine code of kernels in the cache; a cache that is opened late and reports nothing."""

    root: Path

    def get(self, key: str) -> bytes | None:
        """Return the machine code under a key, or None."""
        return self._cached.get(key)

    def put(self, key: str, code: bytes) -> None:
        """Store machine code under a key."""
        self._cached.put(key, code)

    @property
    def _cached(self) -> CachedObjects:
        from harness.build.cache import Cache
        from harness.build.objects import CachedObjects

        return CachedObjects(Cache(self.root, lambda _: None))


def _machine_code(order: dict[str, Any]) -> bytes:
    """Return the host's part as machine code, in the form of `jit.machine_code`.

    If the order names a file `machine_code`, the result is read from it. Otherwise the LLVM IR in the order's file
    `host` is compiled, and the result is also written to the order's file `made`, uncompressed. The two files that are
    read are compressed by zlib.
    """
    if order["machine_code"]:
        return zlib.decompress(Path(order["machine_code"]).read_bytes())
    code = jit.machine_code(zlib.decompress(Path(order["host"]).read_bytes()).decode())
    Path(order["made"]).write_bytes(code)
    return code


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def _exit(status: int) -> NoReturn:
    # Nothing of the interpreter's own end may come after the program's: its state lies in callbacks of this process.
    _flush()
    os._exit(status & 0xFF)


def begin(arguments: list[str]) -> NoReturn:
    """Run the program that the command line asks for, and end this process with its exit status.

    The standard streams become those of the command line. Variables in the order's `environment` are set, or removed if
    their value is None; all others stay. A `HarnessError` is sent as the message `fault`, and decides the exit status;
    any other exception is sent as `broken`, with status 70: the program's own stderr never gets it.

    Args:
        arguments: The order's file, and the descriptors of stdin, stdout, stderr and the messages.
    """
    *standard, descriptor = map(int, arguments[1:])
    for number, stream in enumerate(standard):
        os.dup2(stream, number)
    for inherited in (*standard, descriptor):
        os.set_inheritable(inherited, False)  # what the program starts must not keep them open
    try:
        order = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        for name, value in order["environment"].items():  # set for this process; the program gets the user's own
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        status = main(order, descriptor)
    except HarnessError as error:
        wire.send(descriptor, "fault", str(error))
        status = exit_code.code_of_error(error)
    except Exception:  # of any kind: a program's own errors are no exceptions of Python's
        wire.send(descriptor, "broken", traceback.format_exc())
        status = _BROKEN
    _exit(status)


if __name__ == "__main__":
    begin(sys.argv[1:])
