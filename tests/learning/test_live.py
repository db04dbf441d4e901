"""The page of a watch numbers a file's lines as the compiler does, whatever else some programs take for an end."""

from __future__ import annotations

import pytest

from harness.catalogue import find_case
from harness.cli.main import main
from harness.learning.live import LivePage
from harness.learning.loop import Desk
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import MOJO
from harness.model.target import Target

PLAN = LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "SIMT simulator", "requested")
MARK = "    # FILL ME IN"


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """What the page is told of a file with these bytes."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p15", "."]) == 0
    live = LivePage(Desk.of_current_folder(), PLAN, {})

    def of(data: bytes):
        (tmp_path / "p15" / "problem.mojo").write_bytes(data)
        (source,) = live._describe_sources(find_case("p15"))
        return source

    yield of
    live.close()


PROBLEM = (MOJO / "p15" / "problem.mojo").read_bytes()


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"], ids=ascii)
def test_only_a_line_feed_ends_a_line(shown, sign):
    as_it_is = shown(PROBLEM)
    odd = shown(f"# one{sign}line\n".encode() + PROBLEM)

    assert odd["lines"] == [f"# one{sign.encode('unicode_escape').decode()}line", *as_it_is["lines"]]
    assert odd["focus"] == as_it_is["focus"] + 1 and odd["lines"][odd["focus"] - 1].startswith(MARK)


def test_lines_of_windows_are_the_same_lines(shown):
    assert shown(PROBLEM.replace(b"\n", b"\r\n")) == shown(PROBLEM)


def test_a_line_feed_at_the_end_begins_no_line(shown):
    assert shown(PROBLEM.removesuffix(b"\n")) == shown(PROBLEM)
    assert shown(PROBLEM + b"\n")["lines"] == [*shown(PROBLEM)["lines"], ""]
    assert (shown(b"")["lines"], shown(b"\n")["lines"]) == ([""], [""])
