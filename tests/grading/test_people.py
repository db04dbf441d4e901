"""A made class, graded for real: right kernels pass, no other does, nobody is left out, and memory has a bound."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import fields

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.catalogue import CASES
from harness.cli.main import main
from harness.grading import local
from harness.grading.result import collect_jobs
from harness.grading.submissions import read
from harness.grading.work import ModeResult, Settings
from harness.model import codec
from harness.process import box as boxes
from harness.process import bubblewrap
from harness.process.box import choose_strongest
from tests.benchmarks import grading
from tests.exploits.hosts import kept_in
from tests.grading.near import NEAR, hand_in
from tests.grading.people import KINDS, PUZZLES, came_to_what_it_must, make
from tests.grading.whole import came_to_what_they_must_come_to, everybody

MEMORY_MIB = 2304  # what a box may have for itself alone, 2 GiB, and what it shares


def results(person):
    """The results of a person's modes, out of a report, which says more of each."""
    names = [field.name for field in fields(ModeResult)]
    return [codec.build_record(ModeResult, {name: mode[name] for name in names}) for mode in person["modes"]]


def elsewhere(folder):
    """A folder with a bwrap that lies on no other PATH than ours."""
    folder.mkdir()
    (folder / "bwrap").write_text(f'#!/bin/sh\nexec {shutil.which("bwrap")} "$@"\n')
    (folder / "bwrap").chmod(0o755)
    return folder


@pytest.mark.slow
def test_the_same_seed_makes_the_same_class(tmp_path):
    once, again = (make(tmp_path / name, 40, seed=3) for name in ("once", "again"))

    assert once == again and set(once.values()) == set(KINDS)
    names = sorted(path.relative_to(tmp_path / "once") for path in (tmp_path / "once").rglob("*.mojo"))
    assert names and all(
        (tmp_path / "once" / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names
    )
    assert list((tmp_path / "once").glob("*.zip"))


@kept_in
@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_class_of_fifty_is_graded(tmp_path, monkeypatch):
    monkeypatch.setenv("HARNESS_CACHE", "as it was")  # the benchmark takes its own
    monkeypatch.setenv("PATH", f"{elsewhere(tmp_path / 'bin')}:{os.environ['PATH']}")
    bubblewrap.find_obstacle.cache_clear()
    kinds = make(tmp_path / "again", 50, seed=50, dear=False)
    before = os.umask(0o077)
    try:
        figures = grading.measure(tmp_path, 50, seed=50, dear=False)
    finally:
        os.umask(before)

    whole = json.loads((tmp_path / "results" / "results.json").read_text())
    assert whole["complete"] and len(whole["people"]) == figures.graded == 50
    modes = {person["person"]: results(person) for person in whole["people"]}
    for submission in read(tmp_path / "people", PUZZLES):
        for puzzle, handed in submission.files.items():
            own = [mode for mode in modes[submission.person] if mode.case.partition(":")[0] == puzzle]
            kind = kinds[submission.person]
            assert came_to_what_it_must(kind, handed.text, own, handed.python), (submission.person, own)
        others = {
            mode.verdict for mode in modes[submission.person] if mode.case.partition(":")[0] not in submission.files
        }
        assert others <= {"NOT_ATTEMPTED"}
    assert figures.process_mib < MEMORY_MIB and whole["alike"]
    assert not any(path.stat().st_mode & 0o077 for path in (tmp_path / "results").rglob("*"))
    assert max(map(len, modes)) == 240


def test_the_near_class_has_fifty_files():
    assert len(NEAR) == 50 == len({near.data for near in NEAR}) == len({near.kind for near in NEAR})


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_class_of_near_copies_is_graded_in_both_orders(tmp_path, monkeypatch):
    """Each file comes to its own verdict, whatever stands before it, and nobody keeps the class from its end."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    words = ["--target", "nvidia", "--backend", "simulator", "--sandbox", choose_strongest().kind]

    for order in ("forwards", "backwards"):
        people = hand_in(tmp_path / order / "people", NEAR, backwards=order == "backwards")
        assert main(["grade", str(tmp_path / order / "people"), "--out", str(tmp_path / order / "out"), *words]) == 0

        whole = json.loads((tmp_path / order / "out" / "results.json").read_text())
        told = {
            person["person"]: next(mode for mode in person["modes"] if mode["case"] == "p15")
            for person in whole["people"]
        }
        wrong = {name: mode for name, mode in told.items() if mode["verdict"] not in people[name].verdicts}
        assert not wrong and told.keys() == people.keys() and whole["complete"]
        noted = {people[name].kind: mode["notes"] for name, mode in told.items() if mode["notes"]}
        assert all(near.notes in " ".join(noted.get(near.kind, ())) for near in NEAR)
        open_ones = {near.kind for near in NEAR if len(near.verdicts) > 1}  # they import what they need
        assert noted.keys() - open_ones == {near.kind for near in NEAR if near.notes}
        groups = {people[person].alike: group for group in whole["alike"] for person in group["people"]}
        assert groups.keys() == {near.alike for near in NEAR if near.alike}
        for alike, group in groups.items():
            assert {people[person].kind for person in group["people"]} == {n.kind for n in NEAR if n.alike == alike}
            assert group["solution"] == (alike == "ours")


@kept_in
@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_class_with_all_puzzles_is_graded(tmp_path):
    """Compiled together, each file comes to what it must: beside the hostile ones of the same person too."""
    people = everybody(3, hostile=2)
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions=toolchain.package_versions())
    shut, cache = boxes.choose_sandbox(choose_strongest().kind), Cache(tmp_path, lambda _: None)

    results = {
        result.key: result for result in local.judge_all(collect_jobs(people).values(), settings, shut, cache, 2)
    }

    for person in people:
        own = [mode for job in collect_jobs([person]).values() for mode in results[job.key].modes]
        assert came_to_what_they_must_come_to(person, own) == {}, person.person
        assert {mode.case for mode in own} == {case.id for case in CASES}
