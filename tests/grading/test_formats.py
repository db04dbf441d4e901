"""The files for courses' services: as these read them, and none where somebody is not graded."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from harness.catalogue import CASES
from harness.errors import EnvironmentFault
from harness.grading import formats
from harness.grading.grade import grade
from harness.grading.scheme import Scheme
from tests.grading.judges import SETTINGS, person, said

RUNNER = {
    "CLASSROOM": "gpu",
    "ASSIGNMENT": "week-3",
    "SUBMISSION_TAG": "submit/1",
    "COMMIT_URL": "https://example.org/commit",
    "RELEASE_URL": "https://example.org/release",
}


@pytest.fixture
def grading(tmp_path):
    def make(scheme=None, p15='verdict = "PASS"'):
        people = [person("submission", p15=p15, p26='verdict = "FINDING"\nx = "\\x1b"')]
        return grade(people, tmp_path / "out", SETTINGS, scheme or Scheme(), "limits", said)

    return make


def test_gradescope_gets_a_test_for_each_mode(grading):
    document = formats.gradescope(grading(Scheme(2.0)))

    assert (document["score"], document["extra_data"]["data_seed"]) == (2.0, SETTINGS.data_seed)
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in document["tests"]] == [
        (case.id, *((2.0, 2.0, "passed") if case.id == "p15" else (0.0, 2.0, "failed"))) for case in CASES
    ]
    assert document["tests"][-1]["output"].startswith("NOT_ATTEMPTED")
    known = {"name", "score", "max_score", "status", "output", "output_format", "visibility"}
    assert all(set(test) == known for test in document["tests"])
    assert isinstance(document["execution_time"], int)


def test_classroom50_gets_whole_numbers_and_whose_they_are(grading):
    document = formats.classroom50(grading(Scheme(0.5)), RUNNER)

    assert document.pop("schema") == "classroom50/result/v1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document.pop("datetime"))
    assert document.pop("review") == RUNNER["COMMIT_URL"]
    tests = document.pop("tests")
    assert document == {
        "classroom": "gpu",
        "assignment": "week-3",
        "submission": "submit/1",
        "commit": RUNNER["COMMIT_URL"],
        "release": RUNNER["RELEASE_URL"],
        "score": 5,
        "max-score": 5 * len(CASES),
    }
    by_name = {test["test-name"]: test for test in tests}
    assert by_name["p26:pair-swap"]["output"].startswith("FINDING\n")
    assert by_name["p15"].pop("output").startswith("PASS\n")
    assert by_name["p15"] == {"test-name": "p15", "passed": True, "score": 5, "max-score": 5}
    assert all(type(test[name]) is int for test in tests for name in ("score", "max-score"))
    assert (sum(test["score"] for test in tests), sum(test["max-score"] for test in tests)) == (5, 5 * len(CASES))


def test_whole_points_stay_as_they_are(grading):
    assert formats.classroom50(grading(Scheme(3.0)), RUNNER)["max-score"] == 3 * len(CASES)


def test_classroom50_without_its_runner_is_told(grading):
    lacking = "needs CLASSROOM, ASSIGNMENT, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL in"
    with pytest.raises(EnvironmentFault, match=lacking):
        formats.classroom50(grading(), {})
    with pytest.raises(EnvironmentFault, match="needs RELEASE_URL in"):
        formats.classroom50(grading(), {**RUNNER, "RELEASE_URL": ""})


@pytest.mark.parametrize("form", formats.FORMATS)
def test_nothing_is_written_for_who_is_not_graded(grading, tmp_path, monkeypatch, form):
    for name, value in RUNNER.items():
        monkeypatch.setenv(name, value)
    formats.write(form, grading(p15='verdict = "NOT_GRADED"'), tmp_path / "result.json")
    assert not (tmp_path / "result.json").exists()

    whole = grading()
    formats.write(form, replace(whole), tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text())["tests"]
