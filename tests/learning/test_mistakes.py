"""What learners get wrong is told in their language, at the line to look at."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from harness.backends import planning
from harness.build import toolchain
from harness.cases import pipeline
from harness.catalogue import CASES, find_case
from tests import learners
from tests.learning.mistakes import MISTAKES
from tests.learning.told import SOUND, teller

# What does not compile takes a run of the compiler each. Told in English by `tests/cli/test_learner.py` too, and by
# `tests/build/test_device_code.py`; the last is the compiler's word, as of what is not closed.
ALIKE = ("unknown-name", "renamed-kernel", "wrong-signature", "wrong-type")
CHOSEN = [pytest.param(mistake, marks=pytest.mark.full) if mistake.name in ALIKE else mistake for mistake in MISTAKES]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a learner is told of a mistake in a language; as the command does it, which finds the kernels' code."""
    codes = {mistake.id: learners.code(mistake.id, find_case(mistake.case)) for mistake in SOUND}
    tell = teller(codes, tmp_path_factory.mktemp("mistakes"))

    def at_once(mistake, name):
        with pytest.MonkeyPatch.context() as patch:
            if mistake.name == "endless-loop":  # whatever the limit, it is waited for
                short = partial(replace, launch_seconds=0.5)
                patch.setattr(pipeline, "plan", lambda *asked: short(planning.plan(*asked)))
            return tell(mistake, name)

    return at_once


@pytest.mark.parametrize("name", ["en", "ko"])
@pytest.mark.parametrize("mistake", CHOSEN, ids=lambda mistake: mistake.id)
def test_a_mistake_is_told_at_its_line(mistake, name, told):
    lines, file = told(mistake, name)
    said = "\n".join(lines)
    numbers = [number for number, line in enumerate(file.read_text().splitlines(), 1) if mistake.at in line]

    assert (mistake.english if name == "en" else mistake.korean) in said
    assert numbers and any(re.search(rf"{re.escape(str(file))}:{number}:\d+", said) for number in numbers), said
    assert not lines[0].startswith(f"{mistake.case}: PASS") and "통과" not in lines[0].partition(",")[0]


def test_a_changed_frame_is_told_first(told):
    """Blame would land elsewhere."""
    (mistake,) = (mistake for mistake in MISTAKES if mistake.name == "constant-changed")
    lines, file = told(mistake, "en")
    number = file.read_text().splitlines().index("comptime TPB = 16") + 1

    assert lines[1].endswith("Changed outside the marked region (frame.changed)"), lines
    assert f"{file}:{number}:1 was changed outside the marked region" in lines[2]
    assert "`comptime TPB = 16` was `comptime TPB = 8`" in lines[2]
    said = "\n".join(line.strip() for line in lines)
    assert f"{file}:{number}:1: error: TPB must be 8\ncomptime TPB = 16\n^" in said


# Of those whose results alone are wrong: what is said of the first wrong element, and a text of a line that is named.
REASONS = {
    "p15-stride-too-small": ("missing", "cache[local_i] += "),
    "p15-last-step-missing": ("missing", "cache[local_i] += |= cache[local_i + stride]"),
    "p15-neighbour-row": ("other", "a[batch ^ 1, global_i]"),
    "p26:pair-swap-wrong-mask": ("other", "shuffle_xor(value, 2)"),
    "p26:pair-swap-no-exchange": ("other", "output[global_i] = value"),
    "p26:parallel-max-first-step-missing": ("missing", "shuffle_xor(largest"),
    "p26:parallel-max-starts-from-zero": ("combined", "max(input[global_i], Scalar[dtype](0))"),
    "p26:conditional-max-parity-swapped": ("missing", "output[global_i] = smallest"),
    "p34:reduction-own-partial-only": ("again", "temp_storage[block_id]"),
    "p34:reduction-three-of-four": ("missing", "temp_storage[peer]"),
}


@pytest.mark.parametrize("id", REASONS)
def test_a_wrong_value_is_explained_at_the_line_where_its_parts_get_lost(id, told):
    """From what the kernel did with changed inputs; nothing of the solution is shown."""
    (mistake,) = (mistake for mistake in MISTAKES if mistake.id == id)
    kind, at = REASONS[id]
    english, file = told(mistake, "en")
    korean, _ = told(mistake, "ko")
    said = "\n".join(english).partition(f"(check.reason.{kind})")[2]
    numbers = [
        number
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if any(part in line for part in at.split("|"))
    ]

    assert any(re.search(rf"{re.escape(str(file))}:{number}:\d+", said) for number in numbers), said
    assert re.search(r"line \d+: thread \(.* in block \(.*\), warp \d+ lane \d+ (reads|writes|gets) ", said), said
    behind = "\n".join(korean).partition(f"(check.reason.{kind})")[2]
    assert re.search(r"\d+번째 줄: 블록 \(.*\)의 스레드 \(.*\), 워프 \d+ 레인 \d+, ", behind) and "thread" not in behind


def test_what_a_wrong_element_leaves_out_is_named(told):
    (mistake,) = (mistake for mistake in MISTAKES if mistake.name == "stride-too-small")
    lines, _ = told(mistake, "en")

    said = "\n".join(lines)
    assert "output[0, 0] leaves out a[0, 4], a[0, 5]." in said
    assert "reads a[0, 4] = 4.0" in said and "writes cache[4] = 4.0" in said and "writes output[0, 0] = 6.0" in said


def test_there_are_enough_of_them():
    assert len(MISTAKES) >= 25 and len({mistake.id for mistake in MISTAKES}) == len(MISTAKES)
    assert {mistake.case for mistake in MISTAKES} <= {case.id for case in CASES}
