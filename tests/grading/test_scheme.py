"""Points by a TOML file: what it says counts, and what it cannot mean is told."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.grading.scheme import Scheme, read
from harness.grading.work import ModeResult


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
    ],
)
def test_what_it_cannot_mean_is_told(tmp_path, text, told):
    with pytest.raises(UsageError, match=told):
        scheme(tmp_path, text)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "missing.toml")
