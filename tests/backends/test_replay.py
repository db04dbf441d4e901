"""Journals that no device would write: whoever runs a host function natively may tell anything."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.backends.replay import Replay
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.target import Target
from harness.simt.ir.values import FIRST

ONE, TWO = FIRST, FIRST + 1
RIGHT = np.arange(1, 5, dtype=np.float32)
OCTETS = RIGHT.tobytes().hex()
MADE = [["buffer", ONE, 16], ["given", 0, 0, ONE]]
WRITTEN = ["host", ONE, 0, 16, OCTETS, ""]


def following(*journal):
    """The replay of a journal with an output and an input, and what the output holds in the end."""
    output, a = np.full(4, np.nan, np.float32), np.ones(4, np.float32)
    given = [
        simt.Buffer(output, "output", undefined=np.ones(16, bool)),
        simt.Buffer(a, "a", writable=False),
    ]
    launcher = Launcher(plan=LaunchPlan(Target.parse("nvidia:sm_90"), "simulator"))
    replay = Replay(launcher, given, {}, tuple, simt.Options(), ())
    replay.follow(journal)
    return replay, output


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param([], id="written"),
        pytest.param([["freed", ONE], ["buffer", ONE, 16]], id="freed-and-made-again"),
        pytest.param([["buffer", TWO, 16], ["copy", TWO, 0, ONE, 0, 16], ["copy", ONE, 0, TWO, 0, 16]], id="copied"),
        pytest.param([["fill", ONE, 0, 16, OCTETS]], id="filled-again"),
    ],
)
def test_what_the_host_wrote_into_a_result_is_told_whatever_follows(behind):
    replay, output = following(*MADE, WRITTEN, *behind)

    (found,) = replay.find_host_writes()
    assert np.array_equal(output, RIGHT) and (found.id, found.count) == ("check.by-host", 4)


@pytest.mark.parametrize(
    "journal",
    [
        pytest.param([["fill", ONE, 0, 16, OCTETS]], id="as-one-pattern"),
        pytest.param([["fill", ONE, 4 * at, 4, RIGHT[at].tobytes().hex()] for at in range(4)], id="for-each-element"),
    ],
)
def test_a_result_that_was_filled_in_is_the_hosts(journal):
    replay, _ = following(*MADE, ["fill", ONE, 0, 16, "ff"], *journal)

    assert [found.count for found in replay.find_host_writes()] == [4]


def test_zeros_are_nobodys_answer():
    replay, output = following(*MADE, WRITTEN, ["fill", ONE, 0, 16, "00000000"])

    assert not output.any() and not list(replay.find_host_writes())


@pytest.mark.parametrize(
    "entry",
    [
        None,
        7,
        [],
        ["given"],
        ["done", 0],
        ["buffer", TWO, -1],
        ["buffer", TWO, 1 << 40],
        ["buffer", TWO, 1e3],
        ["buffer", ONE, 16],
        ["given", 0, 0, ONE],
        ["given", 0, 1, ONE],
        ["given", 0, -1, ONE],
        ["given", 0, 2, ONE],
        ["freed", "all"],
        ["fill", ONE, 0, 17, "00"],
        ["fill", ONE, 0, 1 << 60, "00"],
        ["fill", ONE, 0, 16, ""],
        ["fill", ONE, 0, 16, "xy"],
        ["host", ONE, 8, 16, OCTETS, ""],
        ["host", ONE, -4, 16, OCTETS, ""],
        ["host", ONE, 0, 16, "00", ""],
        ["host", ONE, 0, 16, OCTETS, "00"],
        ["host", TWO, 0, 16, OCTETS, ""],
        ["copy", ONE, 0, ONE, 8, 16],
        ["copy", ONE, 0, TWO, 0, 16],
        ["launch", "no_kernel", [1, 1, 1], [1, 1, 1], [1, 1, 1], 0, [], {}],
        ["launch", 1, [1], [1], [1], 0, [], {}],
        ["launch", "k", ["x"], [1, 1, 1], [1, 1, 1], 0, [], {}],
    ],
    ids=str,
)
def test_an_entry_that_is_none_is_refused(entry):
    with pytest.raises(ValueError, match=r"\w"):
        following(*MADE, entry)


def test_what_the_host_found_of_a_given_buffer_has_its_name():
    """That process knows buffers by their turn alone; what it made itself keeps that."""
    replay, _ = following(*MADE, ["buffer", TWO, 16], ["given", 0, 1, TWO], ["buffer", TWO + 1, 16])
    turns = [f"buffer {turn}" for turn in range(3)]
    told = [simt.Finding("device-memory-on-host", "error", argument=one, values={"argument": one}) for one in turns]

    named = [replay.rename_buffers(found) for found in told]
    assert [found.argument for found in named] == ["output", "a", "buffer 2"]
    assert [found.parameters["argument"] for found in named] == ["output", "a", "buffer 2"]


@pytest.mark.parametrize("number", [-1, 0, FIRST - 1, 1 << 70])
def test_no_memory_has_the_number_of_something_else(number):
    with pytest.raises((ValueError, simt.SimtError)):
        following(["buffer", number, 16])
