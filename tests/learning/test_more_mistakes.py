"""Fifty more mistakes over the puzzles: line and cause are told in both languages, and nothing of the solution."""

from __future__ import annotations

import re

import pytest

from harness.build import toolchain
from harness.catalogue import find_case
from harness.model.verdict import Verdict
from tests import compiled
from tests.learning.more_mistakes import MORE
from tests.learning.told import NOT_TAUGHT, TARGET, source, teller

pytestmark = [
    pytest.mark.slow,
    pytest.mark.full,  # each is compiled
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]
JARGON = re.compile(r"llvm\.|nvvm|0x[0-9a-f]{6}|Traceback")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a learner is told of a mistake in a language."""
    found = compiled.codes([(find_case(mistake.case), source(mistake), TARGET) for mistake in MORE])
    return teller(dict(zip([mistake.id for mistake in MORE], found, strict=True)), tmp_path_factory.mktemp("more"))


@pytest.mark.parametrize("name", ["en", "ko"])
@pytest.mark.parametrize("mistake", MORE, ids=lambda mistake: mistake.id)
def test_line_and_cause_are_told(mistake, name, told):
    """Of a wrong value where its explanation says so."""
    lines, file = told(mistake, name)
    said, text = "\n".join(lines), file.read_text()
    numbers = [number for number, line in enumerate(text.splitlines(), 1) if mistake.at in line]
    behind = said.partition("(check.reason.")[2] or said

    assert (mistake.english if name == "en" else mistake.korean) in said
    assert any(re.search(rf"{re.escape(str(file))}:{number}:\d+", behind) for number in numbers), said
    assert not JARGON.search(said) and not any(word in said for word in NOT_TAUGHT)
    assert mistake.old in text or mistake.old not in said  # the solution's own text
    if name == "ko":
        assert " in block " not in said


def test_a_wrong_value_is_always_explained(told):
    """Not one of those that end as a wrong value alone says nothing of where it comes from."""
    for mistake in MORE:
        said = "\n".join(told(mistake, "en")[0])
        assert (f": {Verdict.MISMATCH}" not in said.partition("\n")[0]) or "(check.reason." in said, said
