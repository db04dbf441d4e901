"""One table says how a command ends; no terminal and no error of the harness can end it as a wrong answer."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from harness.catalogue import PUZZLES
from harness.cli import main as entry
from harness.errors import ArtifactError, CompileError, EnvironmentFault, LaunchFault, UsageError
from harness.model import exit_code
from harness.model.report import BuildReport
from harness.model.sources import ROOT
from harness.model.verdict import Verdict
from harness.model.workspace import add_puzzles
from tests.processes import import_path

TOLD = "import sys; from harness.cli import main; main.execute = lambda argv: ({}); main.command()"


def command(program: str, *, shell: str = "", environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Runs `puzzles` with an expression in place of its commands; `shell` redirects it."""
    words = [sys.executable, "-c", TOLD.format(program)]
    if shell:
        words = ["sh", "-c", f'exec "$0" "$@" {shell}', *words]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **(environment or {})}, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict in exit_code._STATUSES])
def test_every_verdict_has_its_code(verdict):
    """And is right exactly when that is 0."""
    assert (
        (exit_code.combine_statuses([verdict]) == 0)
        == exit_code.is_right(verdict)
        == (verdict in ("PASS", "REFERENCE"))
    )


def test_every_status_of_a_build_has_its_code():
    statuses = get_args(get_type_hints(BuildReport)["status"])

    assert {status: exit_code.combine_statuses([status]) for status in statuses} == {
        "built": 0,
        "cached": 0,
        "skipped": 3,
        "failed": 1,
    }


@pytest.mark.parametrize(
    ("statuses", "code"),
    [
        ((), 3),
        (("SKIPPED", "SKIPPED"), 3),
        (("SKIPPED", "PASS"), 0),
        (("PASS", "INCOMPLETE"), 3),
        (("INCOMPLETE", "MISMATCH", "PASS"), 1),
        (("clean", "findings"), 1),
    ],
)
def test_what_is_wrong_outweighs_what_is_right(statuses: Sequence[str], code: int):
    """And a run in which nothing was judged is no success."""
    assert exit_code.combine_statuses(statuses) == code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError(""), 2),
        (CompileError(""), 1),
        (LaunchFault(""), 1),
        (EnvironmentFault(""), 3),
        (ArtifactError(""), 3),
        (OSError(errno.ENOSPC, "full"), 3),
        (MemoryError(), 3),
        (BrokenPipeError(), 141),
        (KeyboardInterrupt(), 130),
        (ZeroDivisionError(), 4),
        (RecursionError(), 4),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_error_has_its_code(error, code, monkeypatch, capsys):
    """Nothing but what was wrong itself ends with 1, and nothing with a traceback."""

    def fails(_argv):
        raise error

    monkeypatch.setattr(entry, "execute", fails)
    assert entry.main([]) == exit_code.code_of_error(error) == code
    assert "Traceback" not in capsys.readouterr().err


# Errors of Python's own that an environment causes.
OF_THE_ENVIRONMENT = {
    "a package does not load": (ModuleNotFoundError("No module named 'numpy'", name="numpy"), "install it again with"),
    "a library does not load": (ImportError("libopenblas.so: cannot open"), r"\(libopenblas\.so: cannot open\)"),
    "a name is not UTF-8": (
        UnicodeEncodeError("utf-8", 'filename: "/home/L\udce9/p15.mojo" and', 18, 19, "surrogates not allowed"),
        r"not UTF-8.*\(/home/L\\udce9/p15\.mojo\): rename",
    ),
    "no more threads": (RuntimeError("can't start new thread"), "raise the limit on processes"),
}


@pytest.mark.parametrize("name", OF_THE_ENVIRONMENT)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_error_of_python_s_own_may_be_the_environment_s(name, language, monkeypatch, capsys):
    """In a sentence of its own, in the reader's language."""
    error, said = OF_THE_ENVIRONMENT[name]

    def fails(_argv):
        raise error

    monkeypatch.setattr(entry, "execute", fails)
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8" if language == "ko" else "C.UTF-8")
    assert entry.main([]) == exit_code.ENVIRONMENT
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("error: " if language == "en" else "오류: ")
    assert re.search(said, told) or language == "ko", told
    assert language == "en" or re.search("[가-힣]", told.removeprefix("오류: ")), told


@pytest.mark.parametrize("error", [ImportError("cannot import", name="harness.cli"), RuntimeError("no thread")])
def test_other_errors_of_python_s_own_are_the_harness_s(error, monkeypatch, capsys):
    def fails(_argv):
        raise error

    monkeypatch.setattr(entry, "execute", fails)
    assert entry.main([]) == exit_code.INTERNAL and "a fault of the harness" in capsys.readouterr().err


def test_every_code_has_its_meaning(capsys):
    """In `--help`, which is all that some users read."""
    with pytest.raises(SystemExit):
        entry.main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert all(f"{code} {' '.join(meaning.split())}" in told for code, meaning in exit_code.MEANINGS.items())


@pytest.mark.slow
def test_a_fault_of_the_harness_says_where_it_is():
    """In one sentence; with a variable set, all of it."""
    code, out, err = command("1 / 0")
    assert (code, out) == (4, "")
    assert re.fullmatch(r"error: a fault of the harness, not of a kernel: ZeroDivisionError: .* \(.*\n", err)
    code, _, err = command("1 / 0", environment={entry.TRACEBACK_VARIABLE: "1"})
    assert code == 4 and "Traceback" in err


@pytest.mark.slow
def test_a_fault_of_the_harness_is_told_in_one_language():
    code, _, err = command("1 / 0", environment={"LC_ALL": "ko_KR.UTF-8"})
    assert code == 4 and re.fullmatch(r"오류: 커널이 아니라 .* ZeroDivisionError: .* 알려 주시기 바랍니다\.\n", err)


def test_the_locale_c_without_utf_8_changes_no_verdict():
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code, out, err = command(r"print('\u2705 passed') or 0", environment=plain)
    assert (code, out, err) == (0, "\\u2705 passed\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp949"])
def test_a_terminal_without_a_check_mark_changes_no_verdict(encoding):
    """The documented lines hold one."""
    code, out, err = command(r"print('\u2705 passed \udc80') or 0", environment={"PYTHONIOENCODING": encoding})
    assert (code, out, err) == (0, "\\u2705 passed \\udc80\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_a_closed_stream_changes_no_verdict(closed):
    """`print` gives 0 for 'nothing', which `main` passes on as it is."""
    assert command("print('out') or print('err', file=sys.stderr) or 0", shell=closed)[0] == 0
    assert command("print('out') or 1", shell=closed)[0] == 1


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_the_environments_fault():
    code, _, err = command("print('out') or 0", shell="> /dev/full")
    assert (code, err) == (3, "error: the system refuses: No space left on device.\n")
    assert command("print('out', file=sys.stderr, flush=True) or 0", shell="2> /dev/full")[0] == 3


def unread(*words: str, cwd: Path = ROOT) -> str:
    """What Python with these arguments says on stderr, and its exit code, when nobody reads its stdout."""
    return subprocess.run(
        ["sh", "-c", '{ "$0" "$@"; echo $? >&2; } | true', sys.executable, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": import_path(ROOT)},
        capture_output=True,
        text=True,
    ).stderr


@pytest.mark.slow
def test_a_reader_that_leaves_is_told_apart():
    """`... | head -1` under pipefail ends as that of any program."""
    assert unread("-c", TOLD.format("print('line\\n' * 100000) or 0")) == "141\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        *("list", "hint p15", "--help"),
        *(
            pytest.param(words, marks=pytest.mark.full)
            for words in ("", "list --json", "doctor", "progress", "--version")
        ),
    ],
)
def test_each_command_whose_reader_leaves_ends_the_same(words, tmp_path):
    """Tables too, which Rich prints."""
    add_puzzles(tmp_path, PUZZLES)

    assert unread("-m", "harness", *words.split(), cwd=tmp_path) == "141\n"


def test_a_message_of_a_stranger_does_nothing_to_the_terminal(monkeypatch, capsys):
    """Neither to the job whose log it reaches."""

    def fails(_argv):
        raise CompileError("k\x1b[2J.mojo does not compile", "::error::forged\n##[error]forged")

    monkeypatch.setattr(entry, "execute", fails)
    assert entry.main([]) == 1
    assert capsys.readouterr().err == "error: k\\x1b[2J.mojo does not compile\n\\::error::forged\n#\\#[error]forged\n"
