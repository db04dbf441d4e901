"""A verdict is a name of its own, and to everything that reads it the text that it was."""

import json

import pytest

from harness.model import exit_code
from harness.model.verdict import Verdict
from harness.simt import LaunchVerdict


def test_it_is_its_text():
    assert [f"{verdict}" for verdict in Verdict] == [verdict.name for verdict in Verdict]
    assert json.dumps({"verdict": Verdict.PASS, Verdict.LIMIT: 1}) == '{"verdict": "PASS", "LIMIT": 1}'
    assert Verdict("PASS") == "PASS" and {"PASS": 1}[Verdict.PASS] == 1
    assert [str(verdict) for verdict in LaunchVerdict] == ["clean", "findings", "incomplete"]


@pytest.mark.parametrize("verdict", [*Verdict, *LaunchVerdict])
def test_each_that_a_run_may_come_to_has_an_exit_code(verdict):
    """Those of what was handed in end no command."""
    handed_in = {Verdict.NOT_ATTEMPTED, Verdict.UNREADABLE, Verdict.LIMIT, Verdict.NOT_GRADED}
    assert (verdict in handed_in) == (verdict not in exit_code._STATUSES)
