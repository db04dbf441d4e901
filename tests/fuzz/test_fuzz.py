"""A sample of `python -m tests.fuzz`: whatever is read, there is a result or one sentence; nothing ends or hangs us."""

from __future__ import annotations

import random

import pytest

from harness.errors import UsageError
from harness.model import exit_code
from tests.fuzz import __main__ as fuzz
from tests.fuzz import subjects
from tests.fuzz.subjects import SUBJECTS

FEW, MANY = 6, 200
ALWAYS = ("ir", "command-line", "handed-in", "store", "box-answer", "journal")
FEWER = [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.full) for name in SUBJECTS]


@pytest.mark.slow
@pytest.mark.parametrize("subject", FEWER)
def test_no_damaged_input_of_a_sample_brings_us_down(subject):
    assert [str(failure) for failure in fuzz.tried(subject, range(FEW))] == []


@pytest.mark.full
@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_damaged_input_of_many_brings_us_down(subject):
    assert [str(failure) for failure in fuzz.tried(subject, range(FEW, FEW + MANY))] == []


def test_the_same_seed_damages_alike():
    made = [subjects.mutate.json_of(random.Random("a 1"), b'{"a": [1, {"b": 2}]}') for _ in range(2)]

    assert made[0] == made[1]


@pytest.mark.parametrize(
    "error", [TypeError("no"), UsageError(""), UsageError("two\nlines")], ids=["raw", "silent", "several-lines"]
)
def test_what_is_no_sentence_is_a_failure(error):
    with pytest.raises(subjects.Unexpected), subjects._a_result_or_a_sentence():
        subjects._refused(error)
    with subjects._a_result_or_a_sentence():
        raise UsageError("say which file: FILE is missing.")


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_refusal_is_a_sentence_in_each_language(language, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert subjects._command("progress", "--language", language) == exit_code.USAGE


def test_a_refusal_without_a_sentence_is_a_failure(monkeypatch):
    monkeypatch.setattr(subjects, "main", lambda words: exit_code.USAGE)

    with pytest.raises(subjects.Unexpected, match="without a sentence"):
        subjects._command("progress")


DEATHS = """
import os, sys, time
first, count = int(sys.argv[-2]), int(sys.argv[-1])
for seed in range(first, first + count):
    if seed == 3: os.abort()
    if seed == 5: time.sleep(60)
    os.write(1, b"" if seed != 7 else b"it is wrong")
    os.write(1, b"\\n")
"""


@pytest.mark.slow
def test_an_abort_and_a_hang_are_failures_of_their_seeds(monkeypatch):
    class Child(fuzz.subprocess.Popen):
        def __init__(self, words, **more):
            super().__init__([words[0], "-c", DEATHS, *words[-2:]], **more)

    monkeypatch.setattr(fuzz.subprocess, "Popen", Child)

    failures = list(fuzz.tried("ir", range(2, 10), seconds=1.0))

    assert [failure.seed for failure in failures] == [3, 5, 7]
    assert "status -6" in failures[0].told and "hung" in failures[1].told and failures[2].told == "it is wrong"
