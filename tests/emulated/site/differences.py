"""The differences themselves: what is changed at the start of a process, and what after the import of a module."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

__all__ = ["AFTER", "AT_ONCE"]

_SITE = Path(__file__).resolve().parent
_LEAST_ADDRESS_SPACE = 390 << 30  # XNU refuses a limit below what a process of 64-bit Arm has mapped at its start
_PAGE = 16384


def _refuse_address_space() -> None:
    """XNU's EINVAL, as CPython tells it."""
    setrlimit = resource.setrlimit

    def refusing(kind: int, limits: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS and 0 <= limits[0] < _LEAST_ADDRESS_SPACE:
            raise ValueError("current limit exceeds maximum limit")
        setrlimit(kind, limits)

    resource.setrlimit = refusing


def _leave_out_linux() -> None:
    """What modules of Python have on Linux alone, and the program bwrap."""
    import fcntl
    import mmap
    import shutil

    for module, names in (
        (os, ("sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "SCHED_FIFO", "memfd_create")),
        (fcntl, ("F_SETPIPE_SZ", "F_GETPIPE_SZ")),
        (mmap, ("MADV_HUGEPAGE",)),
    ):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    which = shutil.which
    shutil.which = lambda name, *rest, **more: None if name == "bwrap" else which(name, *rest, **more)
    listdir, opened = os.listdir, open

    def without_proc(path: Any = ".") -> Any:
        if str(path).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return listdir(path)

    def open_without_proc(file: Any, *rest: Any, **more: Any) -> Any:
        if isinstance(file, str | Path) and str(file).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", str(file))
        return opened(file, *rest, **more)

    import builtins
    import io

    os.listdir, builtins.open, io.open = without_proc, open_without_proc, open_without_proc


def _count_in_bytes() -> None:
    """`ru_maxrss`, which Linux counts in KiB."""
    getrusage, wait4 = resource.getrusage, os.wait4

    def in_bytes(usage: Any) -> Any:
        values = list(usage)
        values[2] *= 1024
        return resource.struct_rusage(values)

    resource.getrusage = lambda who: in_bytes(getrusage(who))

    def waiting(pid: int, options: int) -> Any:
        ended, status, usage = wait4(pid, options)
        return ended, status, in_bytes(usage)

    os.wait4 = waiting


def _no_linux(watch: Any) -> None:
    watch.LINUX = False


def _emulated_too(reaper: Any) -> None:
    """It is run as a file, by a Python that gets neither our variables for the interpreter nor `sitecustomize`."""
    os.environ.setdefault("EMULATED_REAPER", reaper.__file__)
    reaper.__file__ = str(_SITE / "emulated_reaper.py")


def _no_system_calls(channel: Any) -> None:
    channel._find_vmsplice = lambda: None


def _no_filter(seccomp: Any) -> None:
    seccomp._MACHINES = {}


def _hand_on(bubblewrap: Any) -> None:
    """A box gets neither our variables nor our folders; these two it needs here."""
    bubblewrap._KEPT = (*bubblewrap._KEPT, "EMULATED")
    list_import_folders = bubblewrap.list_import_folders
    bubblewrap.list_import_folders = lambda: [*list_import_folders(), str(_SITE)]


def _other_suffix(sdk: Any) -> None:
    """A folder with the libraries under their names on macOS; those of this machine are not found by their own."""
    sdk.LIBRARY_SUFFIX = ".dylib"
    own = sdk.find_shared_library

    def shared_library(name: str) -> Path:
        with_suffix = Path(name).suffix or name.endswith(".so")
        assert not with_suffix, f"{name} names a suffix"
        sdk.LIBRARY_SUFFIX = ".so"
        try:
            found = own(name)
        finally:
            sdk.LIBRARY_SUFFIX = ".dylib"
        assert found.suffix == ".so"
        return Path(found)

    sdk.find_shared_library = shared_library


def _without(part: str) -> Any:
    """A library of the SDK is not there."""

    def change(sdk: Any) -> None:
        own = sdk.find_shared_library
        sdk.find_shared_library = lambda name: own(f"{name}OfNobody" if part in name else name)

    return change


def _ignore_case() -> None:
    """Refuses a name that differs in case alone from one in the same folder: both would be one file."""
    writing = os.O_CREAT

    def heed(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & writing:
            made = arguments[0]
        elif event in ("os.mkdir", "os.link", "os.symlink", "os.rename"):
            made = arguments[0] if event == "os.mkdir" else arguments[1]
        else:
            return
        if isinstance(made, str | bytes | os.PathLike):
            folder, name = os.path.split(os.fsdecode(made))
            others = own(folder or ".") if os.path.isdir(folder or ".") else []
            if any(other != name and other.casefold() == name.casefold() for other in others):
                raise RuntimeError(f"{os.fsdecode(made)} differs from another name in its folder by case alone")

    own = os.listdir
    sys.addaudithook(heed)


def _larger_pages(module: Any) -> None:
    """Pages of 16 KiB: memory is mapped at multiples of that."""
    own = module.mmap

    def mapped(descriptor: int, size: int, **how: Any) -> memoryview:
        length = -(-size // _PAGE) * _PAGE
        whole = own.mmap(descriptor, length + _PAGE, **how)
        start = -ctypes.addressof(ctypes.c_char.from_buffer(whole)) % _PAGE
        return memoryview(whole)[start : start + length]

    facts = {name: getattr(own, name) for name in ("MAP_PRIVATE", "MAP_ANONYMOUS")}
    module.mmap = SimpleNamespace(PAGESIZE=_PAGE, mmap=mapped, **facts)


def _frames(name: str) -> Any:
    def change(faults: Any) -> None:
        import frames

        frames.emulate(faults, name)

    return change


AT_ONCE = (
    ("memory", _refuse_address_space),
    ("system", _leave_out_linux),
    ("usage", _count_in_bytes),
    ("names", _ignore_case),
)
MACHINES = ("unknown", "linux-aarch64", "linux-aarch64-without-syndrome", "darwin-arm64")
_WATCH = [("system", _no_linux)]
AFTER: dict[str, list[tuple[str, Any]]] = {
    "watch": _WATCH,  # as the reaper's own process imports it
    "harness.process.watch": _WATCH,
    "harness.process.reaper": [(name, _emulated_too) for name in ("memory", "system", "usage")],
    "harness.process.channel": [("system", _no_system_calls)],
    "harness.process.seccomp": [("system", _no_filter)],
    "harness.process.bubblewrap": [(name, _hand_on) for name in ("system",)],
    "harness.build.sdk": [
        ("libraries", _other_suffix),
        ("registers", _without("NVPTX")),
        ("runtime", _without("KGEN")),
    ],
    "harness.programs.host.pages": [("pages", _larger_pages)],
    "harness.programs.host.undefined_copies": [("pages", _larger_pages)],
    "harness.programs.host.faults": [(name, _frames(name)) for name in MACHINES],
}
assert sys.platform == "linux", "only Linux on x86-64 is made to look like others"
