"""Bubblewrap's command line and environment for a sandbox, a probe whether it works here, and import folders.

A sandbox has no network and no other process, and sees only what runs in it, read-only.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from harness.model.sources import INSTALLED, MOJO

__all__ = ["find_obstacle", "list_import_folders", "list_programs", "make_command", "make_environment"]

_PACKAGE = Path(__file__).resolve().parent.parent
_ROOT = _PACKAGE.parent
_PROBE_SECONDS = 20.0
# What programs need of a system. Those that are links, as `/lib` often is, lead into `/usr`.
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/nix/store")
_UNSHARED = ("user", "ipc", "pid", "net", "uts")
# Of our own environment; the rest is none of a stranger's business. A process that was left one GPU hands on that one.
_KEPT = ("LANG", "LC_ALL", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "HIP_VISIBLE_DEVICES")
_ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # nothing that forks has threads


def list_import_folders() -> list[str]:
    """Return the folders from which Python imports, apart from its own; never a folder that somebody works in."""
    return [str(_ROOT), *filter(_is_installed_into, sys.path)]


def _is_installed_into(folder: str) -> bool:
    """Return whether a folder has installed packages, by its name or by the traces of `pip install --target`.

    False for a relative path, and for what is no folder.
    """
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        return False
    return Path(folder).name in ("site-packages", "dist-packages") or any(Path(folder).glob("*.dist-info"))


def list_programs() -> list[str]:
    """Return the folder that holds Python's executable and, if it is on PATH, that of `mojo`; each once.

    Symbolic links are not followed.
    """
    programs = (sys.executable, shutil.which("mojo"))
    return list(dict.fromkeys(str(Path(file).absolute().parent) for file in programs if file))


def make_environment(folder: str) -> dict[str, str]:
    """Return the whole environment of a sandbox, which the program that starts the sandbox gets too.

    Of this process's only the language and the choice of GPUs are kept; PATH and PYTHONPATH are made for the sandbox,
    and BLAS gets one thread.

    Args:
        folder: The sandbox's folder, which becomes HOME.
    """
    variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join((*list_programs(), "/usr/bin", "/bin"))
    return {**variables, "HOME": folder, "PATH": path, "PYTHONPATH": os.pathsep.join(list_import_folders()), **_ALONE}


@functools.cache
def find_obstacle() -> str:
    """Return why bubblewrap does not work here, or an empty string; some systems forbid what it needs.

    It starts a Python in a box, once in a process.
    """
    if _find_executable() is None:
        return "there is no bwrap here"
    try:
        probe = [*make_command(None, []), sys.executable, "-I", "-S", "-c", ""]
        # With a box's own environment: a bwrap that needs another one, to find its libraries say, starts no box.
        variables = make_environment(os.path.expanduser("~"))
        process = subprocess.run(
            probe, env=variables, capture_output=True, timeout=_PROBE_SECONDS, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not work here: {error}"
    if process.returncode == 0:
        return ""
    output = process.stderr.decode(errors="replace").strip().splitlines() or [f"status {process.returncode}"]
    return f"bwrap does not work here: {output[-1]}"


def _find_executable() -> str | None:
    """Return the absolute path of bwrap, since a box's PATH is not ours; None where there is none."""
    path = shutil.which("bwrap")
    return os.path.abspath(path) if path else None


def make_command(folder: Path | None, devices: Iterable[Path]) -> list[str]:
    """Return the bwrap command line that goes before the sandboxed command.

    Args:
        folder: The one folder that is writable; None for none.
        devices: Device files that may be opened.
    """
    words = [
        _find_executable() or "bwrap",
        *(f"--unshare-{namespace}" for namespace in _UNSHARED),
        "--unshare-cgroup-try",
        "--as-pid-1",
    ]
    words += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box"]
    for path in _list_readable():
        words += ["--ro-bind-try", path, path]
    if INSTALLED:  # what learners read is in the package then, the solutions with it; nothing here needs it
        words += ["--tmpfs", str(MOJO), "--remount-ro", str(MOJO)]
    words += ["--proc", "/proc", "--dev", "/dev"]
    device_flags = [word for device in devices for word in ("--dev-bind-try", str(device), str(device))]
    # A shared mapping of `/dev/zero` is memory of nobody; `/dev/full` reads as zeros too, and cannot be mapped. A GPU's
    # driver may want the real one, and its memory has no limit.
    words += device_flags or ["--dev-bind-try", "/dev/full", "/dev/zero"]
    if folder:
        words += ["--bind", str(folder), str(folder)]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


@functools.cache
def _list_readable() -> tuple[str, ...]:
    """Return the readable paths that exist: system programs, Python and its packages, the compiler, our package.

    The kernels of an installed package are among them; `make_command` hides these.
    """
    paths = [*_SYSTEM, sys.prefix, sys.base_prefix, *list_import_folders()[1:], str(_PACKAGE)]
    for file in (Path(folder) / name for folder in list_programs() for name in ("python3", "mojo")):
        paths += [str(file.parent), str(file.resolve().parent)]
    return tuple(dict.fromkeys(path for path in paths if os.path.exists(path)))
