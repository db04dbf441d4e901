"""Every lesson stands in both languages, its numbers are the catalogue's, and its Korean is of the English there is."""

from __future__ import annotations

import re
import shutil
from itertools import chain

import numpy as np
import pytest

from harness.catalogue import CASES
from harness.errors import UsageError
from harness.learning.hints import hints_in
from harness.model.case import CounterClaim, ScalarArgument
from harness.model.sources import MOJO
from tests.generate import lessons
from tests.generate.figures import FIGURE
from tests.generate.files import GenerateError
from tests.messages import FORBIDDEN

TAUGHT = lessons.taught(MOJO)
EACH = [(puzzle, language) for puzzle in TAUGHT for language in lessons.LANGUAGES]
# What a lesson may name beside its own sizes: offsets and strides are halves of sizes, other puzzles, and these.
EVERYWHERE = {0, 1, 2, 3, 4, 32, 64, *(int(puzzle[1:3]) for puzzle in TAUGHT)}
# Numbers of a worked example, or of what is not so: the English lesson names them in a comment, with what they are.
OTHER = re.compile(r"<!-- numbers: (?P<numbers>[\d. ]+) \(")


def text(puzzle, language):
    return lessons.path(puzzle, language).read_text(encoding="utf-8")


def known(puzzle):
    """Every number that the catalogue has of a puzzle, with halves of sizes, as strides are, and what is left of 32."""
    numbers = set()
    for case in (case for case in CASES if case.puzzle == puzzle):
        for width in lessons.WIDTHS:
            instance = case.instance(width)
            launches = case.launches(width)
            numbers |= {size for launch in launches for size in (*launch.grid, *launch.block, *launch.cluster)}
            numbers |= {*instance.constants.values(), width // 2}
            numbers |= set(chain.from_iterable(tensor.shape for tensor in instance.tensors))
            numbers |= {part.value for part in instance.arguments if isinstance(part, ScalarArgument)}
            numbers |= {claim.expected(width) for claim in case.claims if isinstance(claim, CounterClaim)}
            threads = [size for launch in launches for size in launch.block]
            sizes = {size for size in (*threads, *instance.constants.values()) if size <= 1024}
            numbers |= {size >> shift for size in sizes for shift in range(1, 4)} | {width - size for size in sizes}
            inputs = instance.datasets[0].inputs
            for array in (*inputs.values(), *case.oracle(inputs, width).values()):
                numbers |= set(np.asarray(array, np.float64).ravel()[:6]) | {float(array.max())}
                numbers |= set(np.asarray(array, np.float64).ravel()) if array.size <= 8 else set()
            numbers |= {launch.block[0] // 32 for launch in launches}
    return numbers | {float(number) for found in OTHER.findall(text(puzzle, "en")) for number in found.split()}


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_every_lesson_has_the_sections_in_order(puzzle, language):
    wanted = list(lessons.SECTIONS if language == "en" else lessons.SECTIONS.values())

    assert [heading for heading, _ in lessons.sections(text(puzzle, language))][1:] == wanted


def structure(source):
    """Headings, fences, hints, tables and lists, without their words."""
    parts = (r"#+", r"```\w*", "<details>", r"<!-- (?:hints|figure|gen)[^\n]*", r"\d\.", r"\|(?=[ -])", "- ")
    return re.findall(f"^({'|'.join(parts)})", source, re.MULTILINE)


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_both_languages_are_built_alike(puzzle):
    english, korean = (structure(text(puzzle, language)) for language in lessons.LANGUAGES)

    assert english == korean and len(english) > 40


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_every_case_of_a_lesson_has_hints(puzzle, language):
    """In the catalogue's order; a lesson may leave out cases."""
    hints = hints_in(text(puzzle, language))

    assert list(hints) == [case.id for case in CASES if case.id in hints] and hints
    assert all(len(steps) >= 2 and all(step.title and step.text for step in steps) for steps in hints.values())


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_numbers_are_those_of_the_catalogue(puzzle, language):
    named = {float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", lessons.prose(text(puzzle, language)))}
    allowed = {float(number) for number in known(puzzle) | EVERYWHERE}

    assert named <= allowed, sorted(named - allowed)


def test_a_number_that_the_catalogue_lost_is_noticed():
    """As if a block had grown: what the lesson says of it is no longer so."""
    assert 77.0 not in {float(number) for number in known("p15")} and 24.0 in {float(number) for number in known("p15")}


def test_the_korean_is_that_of_the_english():
    assert list(lessons.stale()) == []


@pytest.fixture
def copied(tmp_path):
    for puzzle in TAUGHT:
        (tmp_path / puzzle).mkdir()
        for language in lessons.LANGUAGES:
            shutil.copy(lessons.path(puzzle, language), tmp_path / puzzle)
        shutil.copytree(MOJO / puzzle / "figures", tmp_path / puzzle / "figures")
    return tmp_path


def test_a_changed_english_section_makes_its_korean_stale(copied):
    english = copied / "p15" / "README.md"
    english.write_text(english.read_text().replace("never talk to each other", "talk to each other"))

    (told,) = lessons.stale(copied)
    assert "p15/README.ko.md" in told and "'무엇을 배우나요'" in told and "--translated" in told
    for made in lessons.generated(copied, translated=True):
        made.write()
    assert list(lessons.stale(copied)) == []


def test_how_lines_are_broken_and_what_is_generated_makes_nothing_stale(copied):
    english = copied / "p15" / "README.md"
    held = english.read_text()
    english.write_text(held.replace("A matrix, a sum", "A matrix,\na sum").replace("(8, 1)", "(9, 1)"))

    assert list(lessons.stale(copied)) == []


def test_what_the_catalogue_says_is_written_again(copied):
    path = copied / "p26" / "README.ko.md"
    held = path.read_text(encoding="utf-8")
    path.write_text(held.replace("shfl.sync.bfly`", "shfl.sync.up`").replace("(32, 1)", "(33, 1)"))
    for made in lessons.generated(copied):
        made.write()

    assert "(33, 1)" not in path.read_text(encoding="utf-8")
    assert [made.path for made in lessons.generated(MOJO) if made.stale] == []


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_korean_lessons_use_the_words_of_the_field(puzzle):
    assert not [word for word in FORBIDDEN if word in text(puzzle, "ko")]
    assert "배리어" in text(puzzle, "ko")


def test_every_case_with_hints_has_a_figure_in_both_languages():
    for puzzle in TAUGHT:
        english, korean = (
            [match["wish"] for match in FIGURE.finditer(text(puzzle, name))] for name in lessons.LANGUAGES
        )
        assert english == korean
        assert {wish.split()[0] for wish in english} == {*hints_in(text(puzzle, "en"))}


def test_a_figure_that_was_drawn_over_is_stale_and_one_that_nobody_shows_goes(copied):
    for made in lessons.generated(copied):
        made.write()
    drawing = copied / "p15" / "figures" / "p15-lanes.svg"
    held = drawing.read_text()
    drawing.write_text(held.replace("Barrier", "barrier"))
    (copied / "p15" / "figures" / "old.svg").write_text("<svg/>")

    stale = {made.path.name: made.text for made in lessons.generated(copied) if made.stale}
    assert stale == {"p15-lanes.svg": held, "old.svg": None}


def test_a_marker_makes_a_figure(copied):
    for language in lessons.LANGUAGES:
        path = lessons.path("p26", language, copied)
        path.write_text(
            path.read_text() + "\n<!-- figure: p26:pair-swap owners output most=8 -->\n<!-- figure end -->\n"
        )
    files = {file.path.relative_to(copied).as_posix(): file.text for file in lessons.generated(copied)}

    assert "](figures/p26-pair-swap-owners-output-most-8.ko.svg)" in files["p26/README.ko.md"]
    assert "In each cell: the thread that writes it" in files["p26/figures/p26-pair-swap-owners-output-most-8.svg"]


@pytest.mark.parametrize(
    ("marker", "told"),
    [
        ("<!-- figure: p15 lanes -->\n<!-- figure end -->\n", "a lesson of p26 shows its own cases"),
        ("<!-- figure: p26:pair-swap lanes -->\n", "comes a line `<!-- figure end -->`"),
        ("<!-- figure: p26:pair-swap owners output -->\n<!-- figure end -->\n", "pixels wide, and on a telephone"),
        ("<!-- figure: p26:pair-swap drawing -->\n<!-- figure end -->\n", "unknown kind of figure"),
    ],
)
def test_a_wrong_marker_is_refused(marker, told, copied):
    path = lessons.path("p26", "en", copied)
    path.write_text(path.read_text() + marker)

    with pytest.raises((GenerateError, UsageError), match=re.escape(told)):
        list(lessons.generated(copied))
