"""Each way in which an environment can be broken is one sentence with its own exit code, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.model import exit_code
from harness.model.sources import MOJO, ROOT
from tests.environment.broken import ANOTHER_USER, BrokenEnvironment, can_be_another_user, can_mount
from tests.processes import comes_to

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc"),
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]

ENVIRONMENT, USAGE, OK = exit_code.ENVIRONMENT, exit_code.USAGE, exit_code.OK
EXEC = ("exec", "hello.mojo", "--target", "nvidia", "--backend", "simulator")
HELLO = 'def main():\n    print("hello")\n'
# Says that it was started, which must not be.
NEVER = "touch $HOME/started; exit 1"


@dataclass(frozen=True, slots=True)
class Row:
    """A broken environment.

    Attributes:
        breaks: Breaks it.
        said: The sentence behind `error: `, as a pattern; empty where the command is right all the same.
        code: The exit code.
        words: The command.
        needs: What this machine must be able to do for it.
    """

    breaks: Callable[[BrokenEnvironment], object]
    said: str
    code: int = ENVIRONMENT
    words: Sequence[str] = EXEC
    needs: Callable[[], bool] | None = None


def _mojo(program: str | bytes) -> Callable[[BrokenEnvironment], None]:
    return lambda environment: environment.replace_mojo(program)


def _without_loader() -> bytes:
    shell = Path("/bin/sh").resolve().read_bytes()
    return re.sub(rb"(/ld-linux[\w.-]*\.so\.)\d\0", rb"\g<1>9\0", shell)


def _without_mojo(environment: BrokenEnvironment) -> None:
    """Leave `max` installed, and no `mojo` of any kind."""
    environment.hide_sdk()
    shutil.rmtree(environment.modular)
    environment.mojo.unlink()
    for folder in environment.packages.glob("mojo*.dist-info"):
        shutil.rmtree(folder)


def _not_executable(environment: BrokenEnvironment) -> None:
    environment.hide_sdk()
    environment.replace_mojo("exit 0", 0o644)


def _library(data: bytes | None) -> Callable[[BrokenEnvironment], None]:
    def breaks(environment: BrokenEnvironment) -> None:
        library = environment.modular / "lib" / "mojo" / "std.mojoc"
        library.unlink()
        if data is not None:
            library.write_bytes(data)

    return breaks


def _homeless(environment: BrokenEnvironment) -> None:
    """Run an installed package, whose cache lies in the home of a user that the system does not know."""
    environment.wrapper = list(ANOTHER_USER)
    del environment.variables["HOME"], environment.variables["HARNESS_CACHE"]
    installed = "import harness.build.cache as cache; cache.INSTALLED = True; "
    environment.program = ["-c", f"{installed}from harness.cli.main import command; command()"]


def _full(attribute: str) -> Callable[[BrokenEnvironment], None]:
    def breaks(environment: BrokenEnvironment) -> None:
        environment.replace_mojo(NEVER)
        folder = getattr(environment, attribute)
        folder.mkdir(exist_ok=True)
        fill = f"mount -t tmpfs -o size=256k none {folder} && head -c 240k /dev/zero > {folder}/filler"
        environment.run_in_mounts(fill)

    return breaks


def _read_only_cache(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NEVER)
    environment.wrapper = list(ANOTHER_USER)
    environment.cache.mkdir(mode=0o555)


def _cache_is_a_file(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NEVER)
    environment.cache.write_text("")


def _variables(**changed: str) -> Callable[[BrokenEnvironment], None]:
    return lambda environment: environment.variables.update(changed)


def _no_such_temporary_folder(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NOT_STARTED)
    environment.variables["TMPDIR"] = str(environment.temporary / "missing")


def _limited(limit: str) -> Callable[[BrokenEnvironment], None]:
    def breaks(environment: BrokenEnvironment) -> None:
        environment.replace_mojo(NEVER)
        environment.wrapper = ["sh", "-c", f'ulimit {limit}; exec "$0" "$@"']

    return breaks


def _korean_path_in_the_locale_c(environment: BrokenEnvironment) -> None:
    environment.variables |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment.here = environment.here / "한글"
    (environment.here / "p15").mkdir(parents=True)
    shutil.copy(MOJO / "p15" / "solution.mojo", environment.here / "p15" / "problem.mojo")


def _path_of_bytes(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NEVER)
    folder = bytes(environment.here) + b"/L\xe9"
    os.mkdir(folder)
    environment.here = Path(os.fsdecode(folder))
    shutil.copy(MOJO / "p15" / "solution.mojo", environment.here / "p15.mojo")


def _closed_streams(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NOT_STARTED)
    environment.redirections = "<&- >&-"


def _removed_working_directory(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NEVER)
    environment.wrapper = ["sh", "-c", 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"']


def _unreadable_program(environment: BrokenEnvironment) -> None:
    environment.replace_mojo(NEVER)
    environment.wrapper = list(ANOTHER_USER)
    (environment.here / "hello.mojo").chmod(0)


def _package(name: str, text: str) -> Callable[[BrokenEnvironment], None]:
    """Put a package that does not load before the real one."""

    def breaks(environment: BrokenEnvironment) -> None:
        (environment.packages / name).mkdir()
        (environment.packages / name / "__init__.py").write_text(text)

    return breaks


NOT_STARTED = 'echo "$0: error while loading shared libraries: libM.so: cannot open shared object file" >&2; exit 127'
FAILS = r"`mojo` could not compile \S*hello\.mojo: "
STARTS = rf"{FAILS}it does not start on this machine "
HELPS = r": `mojo --version` must work first; `pip install --force-reinstall mojo==[\d.]+` may help\."
LIBRARY = rf"{STARTS}\(error while loading shared libraries: libM\.so: cannot open shared object file\){HELPS}"
CACHE = r"cannot write to the cache \S+ \({}: \S+\): fix that, or set HARNESS_CACHE to another directory\."
RUN = ("p15", "--file", "p15.mojo", "--target", "nvidia", "--backend", "simulator")
WITHOUT_PROC = "mount -t tmpfs none /proc"

ROWS = {
    "a library of the compiler is missing": Row(_mojo(NOT_STARTED), LIBRARY),
    "no /proc, so that the compiler finds no library": Row(
        lambda environment: environment.run_in_mounts(WITHOUT_PROC),
        rf"{STARTS}\(error while loading shared libraries: libMSupportGlobals\.so: cannot open .*\){HELPS}",
        needs=can_mount,
    ),
    "a C library that is too old": Row(
        _mojo("echo \"$0: /lib/libc.so.6: version 'GLIBC_2.38' not found (required by $0)\" >&2; exit 1"),
        rf"{STARTS}\(/lib/libc\.so\.6: version 'GLIBC_2\.38' not found \(required by \S+\)\){HELPS}",
    ),
    "a compiler for another processor": Row(
        _mojo(b"\x7fELF" + bytes(60)), r"cannot start \S+/mojo: Exec format error\."
    ),
    "a script whose interpreter is missing": Row(
        _mojo(b"#!/nowhere/python\n"),
        r"cannot start \S+/mojo: No such file or directory \(its interpreter /nowhere/python is not there\)\.",
    ),
    "a compiler for another C library": Row(
        _mojo(_without_loader()),
        r"cannot start \S+/mojo: No such file or directory \(its loader \S+9 is not there: .*\)\.",
    ),
    "a processor that is too old for the compiler": Row(
        _mojo("kill -ILL $$"), rf"{STARTS}\(\S+/mojo was killed by SIGILL and printed nothing\){HELPS}"
    ),
    "a compiler that is killed when it starts": Row(
        _mojo("kill -KILL $$"), rf"{FAILS}it was killed \(SIGKILL\), as happens when the machine has no memory left; .*"
    ),
    "a compiler that may not be executed": Row(
        _not_executable, r"there is no `mojo` here: install it with `pip install max==[\d.]+ mojo==[\d.]+`\."
    ),
    "max without mojo": Row(_without_mojo, r"the Python package `mojo` is missing: install it with `pip install .*`\."),
    "a library file that was not installed": Row(
        _library(None),
        rf"{FAILS}its installation is incomplete \(\S+/std\.mojoc: No such file or directory\): .* completes it\.",
    ),
    "a library file that was cut": Row(
        _library(b"half"),
        rf"{FAILS}its installation is damaged \(\S+/std\.mojoc has 4 bytes of \d+\): .* repairs it\.",
    ),
    "a library file that is damaged, and no record of it": Row(
        lambda environment: [
            _library(b"half")(environment),
            *map(shutil.rmtree, environment.packages.glob("mojo_compiler*.dist-info")),
        ],
        rf"{FAILS}it cannot load its own library \(.*std\.mojoc.*\): .* may help\.",
    ),
    "no home, and no entry in passwd": Row(
        _homeless,
        r"there is no home folder for the cache: HOME is not set, .* Set HOME, or HARNESS_CACHE to a folder\.",
        needs=can_be_another_user,
    ),
    "the disk of the cache is full": Row(_full("cache"), CACHE.format("No space left on device"), needs=can_mount),
    "the disk of temporary files is full": Row(
        _full("temporary"), r"the disk with \S+ is full; free some room, or set TMPDIR\.", needs=can_mount
    ),
    "a cache that may not be written": Row(
        _read_only_cache, CACHE.format("Permission denied"), needs=can_be_another_user
    ),
    "a cache that is a file": Row(_cache_is_a_file, CACHE.format("Not a directory")),
    "a cache of a user who is none": Row(
        _variables(HARNESS_CACHE="~nobody-of-that-name/cache"),
        r"HARNESS_CACHE is '~nobody-of-that-name/cache', and there is no such user: give a path\.",
        USAGE,
    ),
    "no such folder for temporary files": Row(_no_such_temporary_folder, LIBRARY),
    "no file may be written": Row(_limited("-f 0"), CACHE.format("File too large")),
    "a Korean path where the locale is C, without UTF-8": Row(
        _korean_path_in_the_locale_c,
        "",
        OK,
        ("p15", "--file", "p15/problem.mojo", "--target", "nvidia", "--backend", "simulator"),
    ),
    "a path that is not UTF-8": Row(
        _path_of_bytes, r"the path p15\.mojo is not UTF-8, which compilers and reports need: rename it, .*", USAGE, RUN
    ),
    "no terminal: stdin and stdout are closed": Row(_closed_streams, LIBRARY),
    "an empty PATH": Row(_variables(PATH=""), "", OK, ("doctor",)),
    "a working directory that was removed": Row(
        _removed_working_directory,
        r"the working directory was removed: change to another one\.",
        words=("check", "p15"),
    ),
    "a program that may not be read": Row(
        _unreadable_program, r"cannot read hello\.mojo: Permission denied\.", USAGE, needs=can_be_another_user
    ),
    "a NumPy that does not load": Row(
        _package("numpy", "raise ImportError('libopenblas.so: cannot open shared object file', name='numpy')"),
        r"a package does not load in \S+ \(libopenblas\.so: cannot open .*\): install it again with `pip install .*`\.",
        words=RUN[:1] + RUN[3:],
    ),
    "a compiler of machine code that does not load": Row(
        _package("llvmlite", "raise OSError('libllvmlite.so: cannot open shared object file')"),
        r"the system refuses: libllvmlite\.so: cannot open shared object file\.",
        words=(
            "simulate",
            str(ROOT / "tests" / "solutions" / "p15.sm_90.ll"),
            "--grid",
            "1",
            "--block",
            "1",
            "--target",
            "nvidia",
        ),
    ),
}


# What is imported in the process of a program, which tells of it in its own way, and behind the compiler's start.
UNLOADABLE = (
    r"a package does not load in \S+ \(libllvmlite\.so: cannot open .*\): install it again with `pip install .*`\."
)
BEHIND = {EXEC: UNLOADABLE, RUN: r"the system refuses: libllvmlite\.so: cannot open shared object file\."}


@pytest.fixture
def environment(tmp_path) -> BrokenEnvironment:
    """An environment that works, with a program."""
    made = BrokenEnvironment(tmp_path / "environment")
    (made.here / "hello.mojo").write_text(HELLO)
    return made


@pytest.mark.parametrize("name", ROWS)
def test_a_broken_environment_is_one_sentence_and_leaves_nothing(name, environment):
    row = ROWS[name]
    if row.needs and not row.needs():
        pytest.skip("this machine does not allow it")
    row.breaks(environment)
    before = sorted(environment.here.rglob("*"))

    done = environment.run(row.words)

    told = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    sentences = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert done.returncode == row.code, told
    assert len(sentences) == bool(row.said), told
    assert not row.said or re.fullmatch(f"error: {row.said}", sentences[0]), told
    assert "Traceback" not in told and "fault of the harness" not in told
    assert not Path(environment.variables.get("HOME", environment.cache), "started").exists(), "told before it compiles"
    assert comes_to(lambda: not environment.left_behind(), 10.0), environment.left_behind()
    assert sorted(environment.here.rglob("*")) == before


@pytest.mark.parametrize("words", BEHIND, ids=["exec", "run"])
def test_a_package_that_does_not_load_after_the_compiler(words, environment):
    shutil.copy(MOJO / "p15" / "solution.mojo", environment.here / "p15.mojo")
    _package("llvmlite", "raise OSError('libllvmlite.so: cannot open shared object file')")(environment)

    done = environment.run(words)

    (said,) = (line for line in done.stderr.splitlines() if line.startswith("error: "))
    assert done.returncode == ENVIRONMENT and re.fullmatch(f"error: {BEHIND[words]}", said), done
    assert comes_to(lambda: not environment.left_behind(), 10.0), environment.left_behind()


@pytest.mark.parametrize(
    "program",
    [NOT_STARTED, b"\x7fELF" + bytes(60), "kill -ILL $$"],
    ids=["a library is missing", "for another processor", "killed"],
)
def test_a_class_is_not_graded_by_a_compiler_that_does_not_start(program, environment):
    """Exit code 3 and NOT_GRADED, never a verdict; the same command grades once the compiler starts."""
    environment.replace_mojo(program)
    (environment.here / "people" / "ann").mkdir(parents=True)
    shutil.copy(MOJO / "p15" / "solution.mojo", environment.here / "people" / "ann" / "p15.mojo")

    done = environment.run(("grade", "people", "--out", "results", "--target", "nvidia", "--sandbox", "limits"))

    assert done.returncode == ENVIRONMENT and "0 of 1 graded" in done.stdout, done
    assert "1 NOT_GRADED" in done.stdout and "COMPILE_ERROR" not in done.stdout + done.stderr
    assert "mojo" in done.stderr and re.search("does not start|cannot start", done.stderr), done.stderr
    assert comes_to(lambda: not environment.left_behind(), 10.0), environment.left_behind()


def test_doctor_says_of_a_compiler_that_it_does_not_start(environment):
    environment.replace_mojo(NOT_STARTED)

    done = environment.run(("doctor",))

    assert done.returncode == ENVIRONMENT
    assert "it does not start on this machine" in " ".join(done.stdout.split()), done
