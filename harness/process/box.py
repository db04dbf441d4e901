"""A module of ours that reads what a stranger wrote: in a child with limits and, where it works, in bubblewrap.

    bwrap    no network, no other process and no file but Python, the compiler and the harness, all read-only
    limits   the limits alone: memory, processor, files, processes, time
    off      a child without limits, to find out what a limit hides

An order goes in as a file, an answer comes out as one. Whoever asked reads it as bytes, and never unpickles it: what a
stranger's text may have taken over is the child.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from harness.errors import EnvironmentFault, unknown
from harness.model.plain_file import plain_bytes
from harness.process.child import Child, Ended, Limits
from harness.process.reaper import limit_of

__all__ = ["KINDS", "Answer", "Box", "Stopped", "ask", "box", "order_and_answer"]

KINDS = ("auto", "bwrap", "limits", "off")
_PACKAGE = Path(__file__).resolve().parent.parent
_ROOT = _PACKAGE.parent
# What programs need of a system. Those that are links, as `/lib` often is, lead into `/usr`.
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/nix/store")
_UNSHARED = ("user", "ipc", "pid", "net", "uts")
_ANSWER_BYTES = 256 << 20
_PROBE_SECONDS = 20.0
_STOP_SECONDS = 0.5
# Of our own environment; the rest is none of a stranger's business. A process that was left one GPU hands on that one.
_KEPT = ("LANG", "LC_ALL", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES")
_SHELLS = 128


class Stopped(Exception):
    """Nobody wants the answer any more."""


@dataclass(frozen=True, slots=True)
class Box:
    """How a child is shut in.

    Attributes:
        kind: `bwrap`, `limits` or `off`.
        described: For people, with the reason where `auto` chose.
    """

    kind: str
    described: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out of a box.

    Attributes:
        ended: How its process ended.
        data: The answer, or None when it left none, or no plain file of a bearable size.
        noise: The last lines that it printed.
    """

    ended: Ended
    data: bytes | None
    noise: str


def box(wanted: str) -> Box:
    """The box of a kind; `auto` is the strongest that works here.

    Raises:
        UsageError: There is no such kind.
        EnvironmentFault: `bwrap` is asked for and does not work here.
    """
    if wanted not in KINDS:
        raise unknown("sandbox", wanted, KINDS)
    if wanted == "off":
        return Box("off", "off: no limits")
    if wanted == "limits":
        return Box("limits", "limits")
    lack = _lack_of_bwrap()
    if not lack:
        return Box("bwrap", "bwrap: no network, other files read-only or hidden, and limits")
    if wanted == "bwrap":
        raise EnvironmentFault(f"--sandbox bwrap: {lack}; `--sandbox limits` does without.")
    return Box("limits", f"limits ({lack})")


def ask(
    module: str,
    order: bytes,
    *,
    box: Box,
    limits: Limits,
    devices: Iterable[Path] = (),
    stop: Callable[[], bool] = lambda: False,
) -> Answer:
    """Runs `python -m MODULE ORDER ANSWER` to its end.

    Args:
        module: It reads the file ORDER and writes the file ANSWER; see `order_and_answer`.
        order: What it is asked.
        box: From `box`.
        limits: What it may use; nothing of it holds in the box `off`.
        devices: Device files that it may open.
        stop: Asked now and then whether the answer is still wanted.

    Raises:
        EnvironmentFault: It could not be started.
        Stopped: It is not.
    """
    with Child(None if box.kind == "off" else limits) as child:
        asked, answered = child.folder / "order", child.folder / "answer"
        try:
            asked.write_bytes(order)
        except OSError as error:
            raise EnvironmentFault(f"cannot write to {child.folder}: {error.strerror}.") from None
        command = [sys.executable, "-P", "-s", "-m", module, str(asked), str(answered)]
        prefix = _bwrap(child.folder, devices) if box.kind == "bwrap" else []
        given = {name: os.environ[name] for name in _KEPT if name in os.environ}
        given |= {"HOME": str(child.folder), "PATH": os.pathsep.join((*_programs(), "/usr/bin", "/bin"))}
        given |= {"PYTHONPATH": os.pathsep.join(_path())}
        child.start([*prefix, *command], given, inherit=False)
        while (ended := child.wait(_STOP_SECONDS)) is None:
            if stop():
                raise Stopped
        if box.kind == "bwrap" and ended.status > _SHELLS:  # it tells a signal as shells do
            ended = replace(ended, status=_SHELLS - ended.status, limit=ended.limit or limit_of(ended.status - _SHELLS))
        noise = "\n".join(child.output()[-4000:].splitlines()[-12:])
        try:
            data = plain_bytes(answered, _ANSWER_BYTES)
        except OSError:
            data = None
        return Answer(ended, data, noise)


def order_and_answer(argv: list[str]) -> tuple[bytes, Path]:
    """For the module that is run: the order, and the file where its answer goes.

    Its own variables for the interpreter are not handed on to what it starts.
    """
    os.environ.pop("PYTHONPATH", None)
    return Path(argv[1]).read_bytes(), Path(argv[2])


def _path() -> list[str]:
    """Where Python finds what it imports, beside its own folders; never a folder that somebody works in."""
    installed = [entry for entry in sys.path if os.path.basename(entry) in ("site-packages", "dist-packages")]
    return [str(_ROOT), *filter(os.path.isdir, installed)]


def _programs() -> list[str]:
    """The folders of Python and of the compiler, each by the name it goes by."""
    programs = (sys.executable, shutil.which("mojo"))
    return list(dict.fromkeys(str(Path(file).absolute().parent) for file in programs if file))


@functools.cache
def _lack_of_bwrap() -> str:
    """Why bubblewrap is of no use here, or nothing: some systems have it and forbid what it needs."""
    if shutil.which("bwrap") is None:
        return "there is no bwrap here"
    try:
        probe = [*_bwrap(None, []), sys.executable, "-I", "-S", "-c", ""]
        done = subprocess.run(probe, capture_output=True, timeout=_PROBE_SECONDS, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not work here: {error}"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines() or [f"status {done.returncode}"]
    return f"bwrap does not work here: {said[-1]}"


def _bwrap(folder: Path | None, devices: Iterable[Path]) -> list[str]:
    """The command line in front of the one that is shut in."""
    words = ["bwrap", *(f"--unshare-{namespace}" for namespace in _UNSHARED), "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box"]
    for path in _readable():
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev"]
    if folder:
        words += ["--bind", str(folder), str(folder)]
    for device in devices:
        words += ["--dev-bind-try", str(device), str(device)]
    return [*words, "--remount-ro", "/", "--chdir", "/"]


@functools.cache
def _readable() -> tuple[str, ...]:
    """The system's programs, Python with what it imports, the compiler, and of this project what runs."""
    named = [*_SYSTEM, sys.prefix, sys.base_prefix, *_path()[1:], str(_PACKAGE), str(_ROOT / "mojo")]
    for file in (Path(folder) / name for folder in _programs() for name in ("python3", "mojo")):
        named += [str(file.parent), str(file.resolve().parent)]
    return tuple(dict.fromkeys(path for path in named if os.path.exists(path)))
