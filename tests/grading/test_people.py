"""A made class, graded for real: right kernels pass, no other does, nobody is left out, and memory has a bound."""

from __future__ import annotations

import json

import pytest

from harness.build import toolchain
from harness.grading.submissions import read
from harness.grading.work import ModeResult
from tests.benchmarks import grading
from tests.grading.people import KINDS, PUZZLES, came_to_what_it_must, make

MEMORY_MIB = 2048
SHARE = 0.9  # of what all processes use the compiler's, those aside that others run


def test_the_same_seed_makes_the_same_class(tmp_path):
    once, again = (make(tmp_path / name, 40, seed=3) for name in ("once", "again"))

    assert once == again and set(once.values()) == set(KINDS)
    names = sorted(path.relative_to(tmp_path / "once") for path in (tmp_path / "once").rglob("*.mojo"))
    assert names and all(
        (tmp_path / "once" / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names
    )
    assert list((tmp_path / "once").glob("*.zip"))


@pytest.mark.full
@pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here")
def test_a_class_of_fifty_is_graded(tmp_path, monkeypatch):
    monkeypatch.setenv("HARNESS_CACHE", "as it was")  # the benchmark takes its own
    kinds = make(tmp_path / "again", 50, seed=50, dear=False)

    figures = grading.measure(tmp_path, 50, seed=50, dear=False)

    whole = json.loads((tmp_path / "results" / "results.json").read_text())
    assert whole["complete"] and len(whole["people"]) == figures.graded == 50
    modes = {person["person"]: [ModeResult.read(m, m["case"]) for m in person["modes"]] for person in whole["people"]}
    for submission in read(tmp_path / "people", PUZZLES):
        for puzzle, handed in submission.files.items():
            own = [mode for mode in modes[submission.person] if mode.case.partition(":")[0] == puzzle]
            assert came_to_what_it_must(kinds[submission.person], handed.text, own), (submission.person, own)
        others = {
            mode.verdict for mode in modes[submission.person] if mode.case.partition(":")[0] not in submission.files
        }
        assert others <= {"NOT_ATTEMPTED"}
    assert figures.process_mib < MEMORY_MIB and whole["alike"]
    assert figures.share_of_work > SHARE, grading.told(figures)
