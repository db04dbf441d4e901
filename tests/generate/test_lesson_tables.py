"""Tables of lessons name what differs between their cases, and lessons name the book that they speak of."""

from __future__ import annotations

from math import prod

import pytest

from harness.catalogue import CASES
from harness.model.sources import MOJO
from tests.generate import lessons

TAUGHT = lessons.taught(MOJO)
EACH = [(puzzle, language) for puzzle in TAUGHT for language in lessons.LANGUAGES]


def text(puzzle, language):
    return lessons.path(puzzle, language).read_text(encoding="utf-8")


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_a_table_names_clusters_only_where_a_launch_has_one(puzzle, language):
    head = text(puzzle, language).partition("begin sizes -->\n\n")[2].partition("\n")[0]
    launches = (launch for case in CASES if case.puzzle == puzzle for launch in case.launches(32))

    assert head.count(" x ") == 1 + any(prod(launch.cluster) > 1 for launch in launches)


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_a_promise_that_not_all_cases_make_names_its_cases(puzzle, language):
    cases = [case for case in CASES if case.puzzle == puzzle]
    rows = [line.split(" | ") for line in text(puzzle, language).partition("begin promises")[2].splitlines()]
    first = [row[0].removeprefix("| ") for row in rows if row[0].startswith("| ")][2:]
    made = [{claim.sentence for claim in case.claims} for case in cases]

    if any(sentences != made[0] for sentences in made):
        assert {name for cell in first for name in cell.split("<br>")} <= {"all", "모두", *(f"`{c.id}`" for c in cases)}
    else:
        assert not any(cell.startswith("`p") for cell in first)


def test_no_lesson_speaks_of_documents_that_nobody_has_seen():
    """The book that the puzzles come from is called so."""
    assert [puzzle for puzzle in TAUGHT if "the documents" in lessons.prose(text(puzzle, "en")).lower()] == []
