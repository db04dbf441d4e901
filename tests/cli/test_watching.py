"""The keys of a watch, in a real terminal of its own."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli import watching
from harness.cli.main import main
from harness.learning.progress import LearnerProgress
from harness.model.sources import MOJO, ROOT
from tests.processes import import_path

pytestmark = pytest.mark.slow


class Terminal:
    """A watch in a terminal, whose screen is read as it comes."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self._own, other = pty.openpty()
        environment = os.environ | {"PYTHONPATH": import_path(ROOT), "LC_ALL": "C.UTF-8", "TERM": "xterm"}
        where = "--target", "nvidia:sm_90", "--backend", "simulator"
        command = [sys.executable, "-m", "harness", "watch", *flags, *where]
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # it becomes the session's terminal
        )  # fmt: skip
        os.close(other)
        self.screen = ""

    def until(self, text: str, seconds: float = 60) -> str:
        """Waits for a text; returns what was shown up to its end, and forgets that."""
        end = time.monotonic() + seconds
        while text not in self.screen:
            assert time.monotonic() < end, self.screen
            if select.select([self._own], [], [], 0.2)[0]:
                self.screen += os.read(self._own, 65536).decode(errors="replace")
        at = self.screen.index(text) + len(text)
        shown, self.screen = self.screen[:at], self.screen[at:]
        return shown

    def press(self, key: str) -> None:
        """Presses a key, without Enter."""
        os.write(self._own, key.encode())

    def close(self) -> None:
        """Ends what is left."""
        self.process.kill()
        self.process.wait()
        os.close(self._own)


@pytest.fixture
def terminal(tmp_path, capsys) -> Iterator[Terminal]:
    """A watch of a workspace with three puzzles, of which nobody has begun any."""
    assert main(["start", "p15", "p26", "p34", str(tmp_path)]) == 0
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def test_each_key_does_what_its_line_says(terminal, tmp_path):
    terminal.until("p15 is not filled in yet")
    terminal.until("Keys: h hint, n next, l list, p page, q quit.")

    terminal.press("h")
    terminal.until("p15, hint 1 of 4: Three parts")
    terminal.press("H")
    terminal.until("hint 2 of 4")
    terminal.press("l")
    assert "butterfly pair swap" in terminal.until("Part 9")
    assert LearnerProgress.read(tmp_path).of("p15").hints == 2
    terminal.press("n")
    terminal.until("p26:pair-swap is not filled in yet")
    terminal.until("write it here:")
    terminal.press("h")
    terminal.until("p26:pair-swap, hint 1 of")
    terminal.press("x")  # is none, and does nothing
    terminal.press("p")
    first = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", terminal.until("/\r\n"))
    terminal.press("p")
    assert first and first[0] in terminal.until("/\r\n"), "there is one page"
    terminal.press("n")  # takes the place of what was on the screen
    assert "\x1b[H" in (shown := terminal.until("Keys:")) and first[0] in shown.split("\x1b[H")[1]
    terminal.press("q")
    assert terminal.process.wait(timeout=20) == 0


@pytest.mark.full
def test_indices_are_told_behind_the_verdict(terminal, tmp_path):
    terminal.until("Keys:")
    file = tmp_path / "p15" / "problem.mojo"
    file.write_text((MOJO / "p15" / "solution.mojo").read_text().replace("a[batch, global_i]", "a[local_i]"))

    assert "MISMATCH" in terminal.until("Keys:")
    assert "has the shape" not in terminal.screen
    terminal.until("a[0] has 1 index, but a has the shape (4, 6)")


def test_a_terminal_that_controls_no_session_of_ours_has_no_keys(monkeypatch):
    """As `setsid puzzles watch` finds it: it is watched without keys, and nothing is refused."""
    ours, theirs = os.openpty()
    with open(ours, "rb"), open(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys, "stdout", terminal)
        with watching._listen_to_keys(lambda key: None) as keys:
            assert not keys
