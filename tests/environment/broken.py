"""Makes an environment that a test can break: a Python with the packages of this one, and links to the SDK's files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from harness.build import sdk
from harness.model.sources import ROOT
from tests.processes import import_path

__all__ = ["ANOTHER_USER", "BrokenEnvironment", "can_be_another_user", "can_mount"]

MARK = "PUZZLES_TEST_ENVIRONMENT"  # a variable that tells processes of a test from all others
# Nobody's id. Files of ours are its own in there, and it has no right beyond the owner's.
ANOTHER_USER = ("unshare", "--user", "--map-user=54321", "--map-group=54321")
_KEPT = ("LANG", "LC_ALL", "LD_LIBRARY_PATH")


def can_mount() -> bool:
    """Return whether a file system can be mounted in a namespace of its own."""
    script = "mount -t tmpfs -o size=64k none /mnt"
    return _succeeds("unshare", "-m", "sh", "-c", script)


def can_be_another_user() -> bool:
    """Return whether a process can run as a user that the system does not list."""
    return _succeeds(*ANOTHER_USER, "true")


def _succeeds(*command: str) -> bool:
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


class BrokenEnvironment:
    """A folder with a Python, an SDK, a home, a cache, temporary files and a working directory.

    Args:
        folder: Empty; holds all of it.

    Attributes:
        here: The working directory.
        cache: The folder of the cache, which does not exist yet.
        temporary: The folder for temporary files.
        packages: Where packages are installed; those of this Python are found behind them.
        modular: The SDK: folders of its own, with links to the files of the real one.
        variables: All of the environment's variables.
        wrapper: A command that runs the rest of the command line.
        program: What Python is given before the words of a command.
    """

    def __init__(self, folder: Path) -> None:
        self.here, self.cache, self.temporary = folder / "here", folder / "cache", folder / "temporary"
        python = folder / "bin" / "python"
        self.packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
        self.modular = self.packages / "modular"
        for made in (self.here, self.temporary, folder / "home", python.parent, self.packages):
            made.mkdir(parents=True)
        python.symlink_to(os.path.realpath(sys.executable))
        (folder / "pyvenv.cfg").write_text(f"home = {Path(os.path.realpath(sys.executable)).parent}\n")
        (self.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.python, self.mojo = python, python.with_name("mojo")
        self.variables = {
            **{name: os.environ[name] for name in _KEPT if name in os.environ},
            "PATH": os.pathsep.join((str(python.parent), "/usr/bin", "/bin")),
            "HOME": str(folder / "home"),
            "TMPDIR": str(self.temporary),
            "HARNESS_CACHE": str(self.cache),
            "PYTHONPATH": import_path(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            MARK: str(folder),
        }
        self.wrapper: list[str] = []
        self.program = ["-m", "harness"]
        self.redirections = ""
        self._link_sdk()

    def _link_sdk(self) -> None:
        mojo = sdk.find_executable("mojo")
        assert mojo is not None
        real = mojo.parent.parent
        for folder in ("bin", "lib", "lib/mojo"):
            (self.modular / folder).mkdir(parents=True)
            for file in (real / folder).iterdir():
                if file.name != "mojo" or folder == "bin":
                    (self.modular / folder / file.name).symlink_to(file)
        for record in real.parent.glob("m*.dist-info/RECORD"):
            own = self.packages / record.parent.name / record.name
            own.parent.mkdir()
            own.write_bytes(record.read_bytes())
        self.mojo.symlink_to(self.modular / "bin" / "mojo")

    def hide_sdk(self) -> None:
        """Let nothing be found of this Python's own SDK, nor of its packages for Mojo."""
        mojo = sdk.find_executable("mojo")
        assert mojo is not None
        (self.packages / "dependencies.pth").unlink()
        for package in mojo.parents[2].iterdir():
            own = self.packages / package.name
            if not package.name.startswith(("modular", "mojo")) and not own.exists():
                own.symlink_to(package)

    def replace_mojo(self, program: str | bytes, mode: int = 0o755) -> None:
        """Put a program in the compiler's place, also where a script starts it; text is a shell's script."""
        data = f"#!/bin/sh\n{program}\n".encode() if isinstance(program, str) else program
        for path in (self.modular / "bin" / "mojo", self.mojo):
            path.unlink()
            path.write_bytes(data)
            path.chmod(mode)

    def run_in_mounts(self, script: str) -> None:
        """Run commands in a namespace with mounts of its own, which a shell's script makes."""
        self.wrapper = ["unshare", "-m", "sh", "-c", f'{script} || exit 99; exec "$0" "$@"']

    def run(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command and return its end; what it prints is read as UTF-8, whatever it is."""
        command = [*self.wrapper, str(self.python), *self.program, *words]
        if self.redirections:
            command = ["sh", "-c", f'exec "$0" "$@" {self.redirections}', *command]
        return subprocess.run(
            command,
            cwd=self.here,
            env=self.variables,
            capture_output=True,
            text=True,
            errors="backslashreplace",
            stdin=subprocess.DEVNULL,
            timeout=300,
        )

    def left_behind(self) -> list[str]:
        """Return what commands have left: temporary files, and processes."""
        mark = f"{MARK}={self.variables[MARK]}".encode()
        processes = [
            path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if mark in _contents(path).split(b"\0")
        ]
        return [*(path.name for path in self.temporary.iterdir()), *processes]


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended, or is another user's
        return b""
