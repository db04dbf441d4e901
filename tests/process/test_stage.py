"""An order with its limits goes into a box, and a result comes back, or why there is none: the same for every stage."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

import pytest

from harness.process.box import Sandbox, SandboxAnswer, SandboxPool
from harness.process.bubblewrap import list_import_folders
from harness.process.child import Limits, ProcessExit
from tests.process.some_stage import STAGE, SomeOrder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are Linux's")
LIMITS = Limits(seconds=30.0, cpu_seconds=1, memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def box():
    with SandboxPool(Sandbox("limits", "limits")) as warm:
        yield warm


@pytest.mark.slow
def test_an_order_gets_its_result_under_its_own_limits(box):
    done = STAGE.ask(SomeOrder("tell", LIMITS, "\N{SNOWMAN} \udc00"), box)

    assert done.result and (done.result.text, done.result.seconds) == ("\N{SNOWMAN} \udc00", 30.0)
    assert done.result.place == "a.mojo", "where it lay is gone by now"
    assert not done.reason and done.cpu_seconds >= 0 and done.peak_bytes > 1 << 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "reason", "blame", "limit"),
    [
        ("fault", "the disk is full.", "machine", ""),
        ("memory", "it takes more memory than its limit, 1024 MiB", "order", "memory_bytes"),
        ("spend", "it takes more time of the processor than its limit, 1 s", "order", "cpu_seconds"),
        ("break", "its box ended with status 1 without an answer: KeyError: 'x'", "stage", ""),
        ("form", "its box answered what is no result", "stage", ""),
    ],
)
def test_where_there_is_no_result_it_is_told_why(box, what, reason, blame, limit):
    done = STAGE.ask(SomeOrder(what, LIMITS), box)

    assert (done.result, done.reason, done.blame, done.limit) == (None, reason, blame, limit)


def answering(said):
    """A box that gives this answer, whoever wrote it."""

    class Answering(Sandbox):
        def ask(self, *_given, **_how):
            return SandboxAnswer(ProcessExit(0), json.dumps(said).encode(), "")

    return Answering("limits", "limits")


def test_a_fault_is_told_in_one_line_of_some_length():
    fault = "\x1b[2J\n::error::owned\np17.py:" + "9" * 5000

    done = STAGE.ask(SomeOrder("tell", LIMITS), answering({"fault": fault}))

    assert done.reason.startswith(r"\x1b[2J\n") and done.reason.isprintable() and len(done.reason) <= 300
    assert done.blame == "machine"


def test_without_a_limit_nobody_passes_it(box):
    """A GPU's judge has none on its memory: what it lacks may be the machine's, and our own solution's too."""
    done = STAGE.ask(SomeOrder("memory", replace(LIMITS, memory_bytes=None)), box)

    assert (done.result, done.reason, done.blame) == (None, "it takes more memory than there is", "stage")


@pytest.mark.parametrize("limit", ["memory_bytes", "folder_bytes", "file_bytes", "processes", "cpu_seconds", "seconds"])
def test_a_box_may_name_a_limit_that_there_is_not(limit):
    done = STAGE.ask(SomeOrder("tell", Limits()), answering({"limit": limit}))

    assert done.result is None and done.reason and done.blame != "order"


def test_a_result_that_is_too_large_is_none(box):
    done = STAGE.ask(SomeOrder("tell", LIMITS, "x" * (1 << 17)), box)

    assert (done.result, done.blame) == (None, "stage")


def test_whom_it_speaks_to_may_be_gone(box):
    """A worker that died is an error there, as it is in any other program in Python, and no end of the stage."""
    done = STAGE.ask(SomeOrder("speak", LIMITS), box)

    assert done.result and done.result.text == "nobody listens", done


def test_what_it_starts_of_ours_finds_what_it_finds_itself(box):
    """MAX may lie in a folder that Python knows from its variables alone; a stranger's program gets none of them."""
    done = STAGE.ask(SomeOrder("start", LIMITS), box)

    assert done.result and set(list_import_folders()) <= set(done.result.text.split(os.pathsep))
    assert done.result.place == ""
