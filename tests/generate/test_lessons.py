"""Every lesson stands in both languages, its numbers are the catalogue's, and its Korean is of the English there is."""

from __future__ import annotations

import re
import shutil
from itertools import chain
from math import prod

import numpy as np
import pytest

from harness.catalogue import CASES, PUZZLES
from harness.errors import UsageError
from harness.learning.hints import parse_hints
from harness.model.case import CounterClaim, ScalarArgument
from harness.model.place import puzzle_number
from harness.model.sources import MOJO, Sources
from tests.generate import lessons, unlike
from tests.generate.figures import FIGURE
from tests.generate.files import GenerateError

TAUGHT = lessons.taught(MOJO)
EACH = [(puzzle, language) for puzzle in TAUGHT for language in lessons.LANGUAGES]
# What a lesson may name beside its own sizes: offsets and strides are halves of sizes, other puzzles, and these.
EVERYWHERE = {0, 1, 2, 3, 4, 32, 64, *map(puzzle_number, PUZZLES)}
MOST_ELEMENTS = 100_000
# Numbers of a worked example, or of what is not so: the English lesson names them in a comment, with what they are.
OTHER = re.compile(r"<!-- numbers: (?P<numbers>[\d. ]+) \(")


NAME = re.compile(r"[^\W\d]\w+")
# What a hint may name although the file does not.
ELSEWHERE = {"True", "False", "puzzles", "check", "show", "trace", "run", "profile"}

# What nobody needs to be told: Mojo has it from Python.
OF_THE_LANGUAGE = {"min", "max", "range", "while", "and", "not", "elif", "return"}
REGION = re.compile(r"# FILL ME IN:[^\n]*\n(.*?)# END OF FILL ME IN", re.DOTALL)
# Names that a region gives: variables, functions, and those that Python takes apart.
OWN = re.compile(r"\b(?:var|comptime|for|def)\s+\w+(?:, \w+)*|^ *\w+(?:, \w+)* (?== )", re.MULTILINE)


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
            numbers |= {launch.block[0] // 32 for launch in launches}
            sizes = {size for size in (*threads, *instance.constants.values()) if size <= 1024}
            numbers |= {size >> shift for size in sizes for shift in range(1, 4)} | {width - size for size in sizes}
            if sum(prod(tensor.shape) for tensor in instance.tensors) > MOST_ELEMENTS:
                continue  # nobody looks at single values of so many
            inputs = instance.datasets[0].inputs
            for array in (*inputs.values(), *case.oracle(inputs, width).values()):
                numbers |= set(np.asarray(array, np.float64).ravel()[:6]) | {float(array.max())}
                numbers |= set(np.asarray(array, np.float64).ravel()) if array.size <= 8 else set()
    return numbers | {float(number) for found in OTHER.findall(text(puzzle, "en")) for number in found.split()}


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_a_lesson_has_the_sections_that_it_needs_in_order_and_none_is_empty(puzzle, language):
    said = lessons.SECTIONS if language == "en" else {korean: korean for korean in lessons.SECTIONS.values()}
    needed = {name if language == "en" else lessons.SECTIONS[name] for name in lessons.NEEDED}
    title, *found = lessons.sections(text(puzzle, language))
    names = [name for name, _ in found]

    assert names == [name for name in said if name in names] and needed <= set(names)
    assert all(re.sub(r"<!--.*?-->", "", body).strip() for _, body in [title, *found])


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_what_gives_the_solution_away_is_folded(puzzle, language):
    heading = lessons.FOLDED if language == "en" else lessons.SECTIONS[lessons.FOLDED]
    for body in (body for name, body in lessons.sections(text(puzzle, language)) if name == heading):
        own = re.sub(r"<!-- made from [^\n]*-->", "", body).strip()
        assert own.startswith("<details><summary>") and own.endswith("</details>") and own.count("<details>") == 1


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_a_lesson_is_short(puzzle):
    """Every word counts, hints too; code, tables of the catalogue and headings do not."""
    own = re.sub(r"^#.*", "", lessons.prose(text(puzzle, "en")), flags=re.MULTILINE)
    words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", own)

    assert 100 < len(words) <= lessons.MOST_WORDS, len(words)


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_a_lesson_repeats_no_eight_words_of_the_documents(puzzle):
    """Facts carry over, sentences do not."""
    assert unlike.alike(lessons.own(text(puzzle, "en"))) == []


def test_eight_words_that_somebody_else_wrote_are_noticed(monkeypatch):
    """Wherever lines break and sentences end; words about code do not run on behind it."""
    said = "The barrier makes sure that all of the threads have written."
    monkeypatch.setattr(unlike, "known", lambda: frozenset(map(unlike.hash_of, unlike.runs(said))))

    assert unlike.alike("So: the barrier\nmakes sure, that ALL of the `x`.") == [
        "the barrier makes sure that all of the"
    ]
    assert unlike.alike("The barrier makes sure `that` all of the threads have") == []


def test_runs_of_the_documents_are_there():
    assert len(unlike.known()) > 40_000


def structure(source):
    """Headings, fences, hints, tables and lists, without their words."""
    parts = (r"#+", r"```\w*", "<details>", r"<!-- (?:hints|figure|gen)[^\n]*", r"\d\.", r"\|(?=[ -])", "- ")
    return re.findall(f"^({'|'.join(parts)})", source, re.MULTILINE)


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_both_languages_are_built_alike(puzzle):
    english, korean = (structure(text(puzzle, language)) for language in lessons.LANGUAGES)

    assert english == korean and len(english) > 15


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_every_case_of_a_lesson_has_hints(puzzle, language):
    """In the catalogue's order."""
    hints = parse_hints(text(puzzle, language))

    assert list(hints) == [case.id for case in CASES if case.puzzle == puzzle]
    assert all(2 <= len(steps) <= 4 and all(all(step) for step in steps) for steps in hints.values())
    assert len(list(chain.from_iterable(hints.values()))) >= 3
    if len(hints) > 1:  # on the page each has the name of its case above it
        assert all(f"**`{id}`**\n\n<!-- hints: {id} -->" in text(puzzle, language) for id in hints)


def code_of(hint):
    """What stands in a hint as code: lines of its blocks, and words within its sentences."""
    blocks = re.findall(r"^```mojo\n(.*?)^```", hint, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", hint, flags=re.MULTILINE | re.DOTALL))
    return [line for block in blocks for line in block.splitlines()], inline


def plain(lines):
    """Lines of code without comments and blanks; what every region has says nothing."""
    found = {re.sub(r"\s+", "", re.sub(r"#.*", "", line)) for line in lines}
    return found - {"", "barrier()", "else:", "pass"}


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_hints_give_no_solution(puzzle, language):
    """Of the lines that a region holds, or that mend what is handed out wrong, less than half."""
    for case in (case for case in CASES if case.puzzle == puzzle):
        given = [Sources(kernels).kernel_file(case).read_text() for kernels in ("problems", "solutions")]
        solution = plain(given[1].splitlines()) - plain(given[0].splitlines())
        lines, inline = zip(*(code_of(hint.text) for hint in parse_hints(text(puzzle, language))[case.id]), strict=True)
        told = plain(chain(*lines, *inline)) & solution

        assert 2 * len(told) < max(1, len(solution)), (case.id, told)


@pytest.mark.parametrize(("puzzle", "language"), EACH)
def test_names_in_hints_are_those_of_the_file(puzzle, language):
    """What a hint calls by name is in the learner's file, or in the region that we solved."""
    for case in (case for case in CASES if case.puzzle == puzzle):
        known = set(NAME.findall("".join(part.path.read_text() for part in Sources("solutions").learner_files(case))))
        for hint in parse_hints(text(puzzle, language))[case.id]:
            lines, inline = code_of(hint.text)
            named = {name for line in [*lines, *inline] for name in NAME.findall(re.sub(r"#.*", "", line))}
            assert named <= known | ELSEWHERE | {puzzle}, (case.id, hint.title, named - known)


@pytest.mark.parametrize(
    ("puzzle", "english", "korean"),
    [
        ("p01", ("**warp**", "**lane**", "(x, y, z)"), ("**워프**", "**레인**", "(x, y, z)")),
        ("p04", ("thread (2,1,0) is in row 1",), ("(2,1,0)은 1행 2열",)),
        ("p12", ("AddressSpace.SHARED\n](", "by `//`"), ("AddressSpace.SHARED\n](", "`//`로 나누세요")),
        ("p16", ("`a.tile[3, 3](i, j)`",), ("`a.tile[3, 3](i, j)`",)),
        ("p15", ("`row_major` puts row after row", "3 steps for 8 values"), ("`row_major`", "3단계")),
        ("p26", ("Through shared memory that takes a store, a barrier and a load",), ("공유 메모리",)),
        ("p34", ("| `cluster_arrive()` |", "| `cluster_wait()` |", "`block.sum`"), ("| `cluster_wait()` |",)),
    ],
)
def test_what_learners_missed_in_a_lesson_is_there(puzzle, english, korean):
    assert [part for part in english if part not in text(puzzle, "en")] == []
    assert [part for part in korean if part not in text(puzzle, "ko")] == []


def test_what_a_solution_needs_was_taught():
    """Each name in a solved region: in the learner's file, in this lesson or an earlier one, or of the language."""
    known = set(ELSEWHERE | OF_THE_LANGUAGE)
    for puzzle in (puzzle for puzzle in PUZZLES if puzzle in TAUGHT):
        files = {
            part.path for case in CASES if case.puzzle == puzzle for part in Sources("solutions").learner_files(case)
        }
        handed_out = "".join(path.with_stem("problem").read_text() for path in files)
        known |= {*NAME.findall(handed_out), *NAME.findall(text(puzzle, "en"))}
        regions = "".join("".join(REGION.findall(path.read_text())) for path in files)
        code = re.sub(r"#.*", "", regions)
        own = set(chain.from_iterable(NAME.findall(match[0]) for match in OWN.finditer(code)))
        used = set(NAME.findall(code))

        assert used <= known | own, (puzzle, sorted(used - known - own))
        known |= used


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
    for puzzle in ("p15", "p26"):
        shutil.copytree(MOJO / puzzle, tmp_path / puzzle, ignore=shutil.ignore_patterns("*.mojo"))
    return tmp_path


def test_a_changed_english_section_makes_its_korean_stale(copied):
    english = copied / "p15" / "README.md"
    english.write_text(english.read_text().replace("never talk to each other", "talk to each other"))

    (told,) = lessons.stale(copied)
    assert "p15/README.ko.md" in told and "'핵심 개념'" in told and "--translated" in told
    for made in lessons.generated(copied, translated=True):
        made.write()
    assert list(lessons.stale(copied)) == []


def test_how_lines_are_broken_and_what_is_generated_makes_nothing_stale(copied):
    english = copied / "p15" / "README.md"
    held = english.read_text()
    english.write_text(held.replace("A matrix, a sum", "A matrix,\na sum").replace("(8, 1)", "(9, 1)"))

    assert list(lessons.stale(copied)) == []


@pytest.mark.slow
def test_what_the_catalogue_says_is_written_again(copied):
    path = copied / "p26" / "README.ko.md"
    held = path.read_text(encoding="utf-8")
    path.write_text(held.replace("shfl.sync.bfly`", "shfl.sync.up`").replace("(32, 1)", "(33, 1)"))
    for made in lessons.generated(copied):
        made.write()

    assert "(33, 1)" not in path.read_text(encoding="utf-8")
    assert [made.path for made in lessons.generated(MOJO) if made.stale] == []


@pytest.mark.parametrize("puzzle", TAUGHT)
def test_figures_are_the_same_in_both_languages(puzzle):
    english, korean = ([match["wish"] for match in FIGURE.finditer(text(puzzle, name))] for name in lessons.LANGUAGES)

    assert english == korean


def test_a_part_that_nobody_generates_is_refused(copied):
    path = lessons.path("p26", "en", copied)
    path.write_text(
        path.read_text().replace("begin sizes -->", "begin size -->").replace("end sizes -->", "end size -->")
    )

    with pytest.raises(GenerateError, match="knows no 'size', only commands, sizes, promises"):
        list(lessons.generated(copied))


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
