"""Points by a TOML file: what it says counts, and what it cannot mean is told."""

from __future__ import annotations

import pytest

from harness.catalogue import CASES
from harness.errors import UsageError
from harness.grading.result import GradedMode, Grading, PersonResult
from harness.grading.scheme import Scheme, format_points, read
from harness.grading.tables import as_csv
from harness.grading.work import ModeResult, Settings


def scheme(tmp_path, text):
    (tmp_path / "points.toml").write_text(text)
    return read(tmp_path / "points.toml")


def test_modes_are_worth_what_the_file_says(tmp_path):
    given = scheme(tmp_path, '[points]\ndefault = 2\n"p26:pair-swap" = 0.5\n[share]\nunkept = 0.8\n')

    assert (given.most("p15"), given.most("p26:pair-swap")) == (2.0, 0.5)
    assert given.points(ModeResult(case="p15", verdict="PASS")) == 2.0
    assert given.points(ModeResult(case="p15", verdict="PASS", unkept=("why",))) == 1.6


def test_an_empty_file_is_a_point_for_each_mode(tmp_path):
    assert scheme(tmp_path, "") == Scheme(1.0, {}, 1.0)


@pytest.mark.parametrize("verdict", ["MISMATCH", "REFERENCE", "NOT_ATTEMPTED", "NOT_GRADED", "LIMIT", "SKIPPED"])
def test_only_a_right_kernel_has_points(verdict):
    assert Scheme().points(ModeResult(case="p15", verdict=verdict)) == 0.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[points]\np155 = 1", "did you mean 'p15'"),
        ("[point]\np15 = 1", "did you mean 'points'"),
        ("points = 1", "is a section"),
        ("[points]\np15 = -1", "at least 0"),
        ("[points]\np15 = true", "at least 0"),
        ("[points]\np15 = nan", "at least 0"),
        ('[points]\np15 = "1"', "at least 0"),
        ("[share]\nunkept = 2", "from 0 to 1"),
        ("[share]\nlate = 0.5", "from 0 to 1"),
        ("[points", "no TOML"),
        ('puzzles = "p15"', "puzzles is a list of names"),
        ("puzzles = []", "puzzles is a list of names"),
        ('puzzles = ["p155"]', "did you mean 'p15'"),
        ('puzzles = ["p15@scale"]', "names no puzzle to solve"),
        ('puzzles = ["p15"]\n[points]\np16 = 1', "p16, which is not among the puzzles of the assignment"),
        ('[points]\np26 = 1\n"p26:pair-swap" = 2', "gives p26 1, but its modes 2"),
        ('puzzles = ["p26:pair-swap"]\n[points]\np26 = 3\n"p26:pair-swap" = 2', "gives p26 3, but its modes 2"),
        ('[points]\np26 = 9999\n"p26:pair-swap" = 9999.004', "gives p26 9999, but its modes 9999.004"),
    ],
)
def test_what_it_cannot_mean_is_told(tmp_path, text, told):
    with pytest.raises(UsageError, match=told):
        scheme(tmp_path, text)


def test_an_assignment_is_the_puzzles_that_it_names(tmp_path):
    given = scheme(tmp_path, 'puzzles = ["p26:partition", "p15", "p26:pair-swap"]\n[points]\np15 = 4\np26 = 3\n')

    assert [case.id for case in given.cases] == ["p15", "p26:pair-swap", "p26:partition"]
    assert given.puzzles == ("p15", "p26")
    assert (given.most("p15"), given.most("p26:pair-swap"), given.most("p26:partition")) == (4.0, 1.5, 1.5)


def test_a_puzzle_s_points_are_shared_by_the_modes_that_are_not_named(tmp_path):
    """And thirds of them are whole again in the sum."""
    given = scheme(tmp_path, '[points]\np16 = 7\n"p16:tiled" = 5\np13 = 1\np29 = 5\np09 = 1\n')

    assert [given.most(f"p16:{mode}") for mode in ("tiled", "naive")] == [5.0, pytest.approx(2 / 3)]
    for puzzle, whole in (("p16", 7.0), ("p13", 1.0), ("p29", 5.0), ("p09", 1.0)):
        results = [ModeResult(case=case.id, verdict="PASS") for case in CASES if case.puzzle == puzzle]
        modes = tuple(GradedMode(one, "", given.points(one), given.most(one.case)) for one in results)
        person = PersonResult("ann", modes)
        assert (person.points, person.most) == (whole, whole)


def test_what_modes_add_up_to_may_be_rounded(tmp_path):
    """As 0.1 + 0.2 > 0.3, and 0.7 + 0.1 < 0.8."""
    for whole, bug, race in ((0.3, 0.1, 0.2), (0.8, 0.7, 0.1)):
        text = f'[points]\np10 = {whole}\n"p10:memory-bug" = {bug}\n"p10:race-condition" = {race}\n'
        assert scheme(tmp_path, text).by_case == {"p10:memory-bug": bug, "p10:race-condition": race}
    more = '[points]\np16 = 0.3\n"p16:naive" = 0.1\n"p16:single-block" = 0.2\n'
    assert str(scheme(tmp_path, more).most("p16:tiled")) == "0.0"


@pytest.mark.parametrize(
    ("points", "text"),
    [
        *((0.0, "0"), (2.0, "2"), (0.8, "0.8"), (100.0, "100"), (2 / 3, "0.666667"), (1 / 7, "0.142857")),
        *((1234.567, "1234.567"), (1e6, "1000000"), (1e6 + 0.5, "1000000.5"), (7e7 / 3, "23333333.333333")),
    ],
)
def test_points_are_written_in_full_in_the_table_too(points, text):
    result = ModeResult(case="p15", verdict="PASS")
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions={})
    person = PersonResult("ann", (GradedMode(result, "p15.mojo", points, points),))
    grading = Grading(settings=settings, people=(person,), sandbox="bwrap", alike=(), figures={})

    assert format_points(points) == text
    assert as_csv(grading).decode().splitlines()[1] == f"ann,{text},{text},yes,PASS,{text}"


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "missing.toml")
