"""What a learner is told names a line of their file, also where a result alone is wrong."""

from __future__ import annotations

import pytest

from harness.cases.frame_check import add_file_causes, add_file_remarks
from harness.catalogue import find_case
from harness.model.frames import blank_regions
from harness.model.messages import make_finding
from harness.model.sources import MOJO, Sources
from harness.simt.findings import Finding, SourceLocation
from harness.simt.messages import words

STORE = "        output[batch, 0] = cache[0]"


def told(tmp_path, text, wrong):
    path = tmp_path / "p15.mojo"
    path.write_text(text)
    *_, finding = add_file_causes((wrong,), find_case("p15"), Sources(overrides={"p15": path}))
    return [(place.line, place.column) for place in finding.sites]


@pytest.fixture
def solved():
    return (MOJO / "p15" / "solution.mojo").read_text()


def wrong(argument="output"):
    return make_finding("check.wrong-value.shared", argument=argument, count=4, total=4)


def test_a_wrong_result_names_the_lines_that_store_it(tmp_path, solved):
    text = solved.replace(STORE, f"{STORE} + 1\n        # output[batch, 0] = 2\n        output[batch, 0] += 3")
    line = solved.splitlines().index(STORE) + 1

    assert told(tmp_path, text, wrong()) == [(line, 9), (line + 2, 9)]


def test_a_docstring_that_shows_the_store_is_not_where_it_happens(tmp_path, solved):
    text = solved.replace('    """Writes', '    """Does `output[batch, 0] = sum`. Writes', 1)
    line = text.splitlines().index(STORE) + 1
    assert "Does `output" in text and told(tmp_path, text, wrong()) == [(line, 9)]


def test_a_result_that_nothing_stores_names_the_kernel(tmp_path, solved):
    """Comparisons store nothing, and neither does another kernel of the file."""
    text = solved.replace(STORE, "        _ = output[batch, 0] == cache[0]") + "\n\ndef other():\n    output[0] = 1\n"
    line = solved.splitlines().index("def axis_sum(") + 1

    assert told(tmp_path, text, wrong()) == [(line, 1)]


@pytest.mark.parametrize(
    ("old", "new", "english", "korean"),
    [
        (
            "\n    barrier()\n",
            "\n        barrier()\n",
            "was moved: `barrier()` has another indentation now, which puts it inside the `if` of line 48",
            "`barrier()`의 들여쓰기가 달라져 48번째 줄의 `if` 안에 있습니다",
        ),
        (
            "        shared[local_i] = a[global_i]",
            "    shared[local_i] = a[global_i]",
            "was moved: `shared[local_i] = a[global_i]` has another indentation now.",
            "`shared[local_i] = a[global_i]`의 들여쓰기가 달라졌습니다",
        ),
    ],
    ids=["into a condition", "out of it"],
)
def test_a_line_with_another_indentation_is_said_to_be_moved(tmp_path, old, new, english, korean):
    """It reads the same as before: to say that it was changed says nothing."""
    text = (MOJO / "p08" / "solution.mojo").read_text()
    path = tmp_path / "p08.mojo"
    path.write_text(text.replace(old, new))
    first, *_ = add_file_causes((wrong(),), find_case("p08"), Sources(overrides={"p08": path}))

    assert old in text and english in f"{words('en').text(first)}." and korean in words("ko").text(first)


def test_a_barrier_that_was_handed_out_is_not_called_redundant(tmp_path):
    """It is to stay, as the rest of the frame; the learner's own is told of, and of a file without regions any."""
    text = (MOJO / "p08" / "solution.mojo").read_text().replace("    # END OF", "        barrier()\n    # END OF")
    given, own = (number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "barrier()")

    def lines(text):
        path = tmp_path / "p08.mojo"
        path.write_text(text)
        found = [
            Finding("redundant-barrier.one", "information", sites=(SourceLocation(str(path), at, 5, ""),))
            for at in (given, own)
        ]
        told = add_file_remarks(found, find_case("p08"), Sources("problems", {"p08": path}))
        return [place.line for finding in told for place in finding.sites]

    assert lines(text) == [own]
    assert lines(text.replace("FILL ME IN", "FILLED")) == [given, own]


def test_a_barrier_of_a_faulty_kernel_is_not_called_redundant_unless_the_learner_wrote_it(tmp_path):
    """The whole file is handed out: what is unchanged in it is the puzzle's."""
    entry, text = find_case("p09:third-case"), (MOJO / "p09" / "problem.mojo").read_text()
    given = next(number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "barrier()")
    lines = text.splitlines()
    lines.insert(given, lines[given - 1].replace("barrier()", "barrier();"))
    path = tmp_path / "p09.mojo"
    path.write_text("\n".join(lines) + "\n")
    found = [
        Finding("redundant-barrier.one", "information", sites=(SourceLocation(str(path), at, 5, ""),))
        for at in (given, given + 1)
    ]
    told = add_file_remarks(found, entry, Sources("problems", {"p09": path}))

    assert [place.line for finding in told for place in finding.sites] == [given + 1]


IMPORTED = "from max.gpu.sync import barrier"


@pytest.mark.parametrize(
    ("line", "blamed"),
    [
        (f"{IMPORTED}, named_barrier", []),
        (f"{IMPORTED}\nfrom max.gpu.primitives.warp import sum as warp_sum\nimport std.math", []),
        ("from max.gpu.sync import named_barrier", ["frame.changed"]),
        (f"{IMPORTED}\ncomptime barrier_count = 2", ["frame.added"]),
    ],
)
def test_what_is_imported_beside_the_rest_is_not_to_be_undone(tmp_path, solved, line, blamed):
    """Another way to a right result may take it, and it is never why a result is wrong."""
    path = tmp_path / "p15.mojo"
    path.write_text(solved.replace(IMPORTED, line))
    *changed, _ = add_file_causes((wrong(),), find_case("p15"), Sources(overrides={"p15": path}))

    assert [finding.id for finding in changed] == blamed


def test_what_has_a_place_or_is_of_no_buffer_stays_as_it_is(tmp_path, solved):
    site = SourceLocation("k.mojo", 3, 1, "")
    race = Finding("race.shared.write-read", "error", sites=(site,), argument="cache")

    assert told(tmp_path, solved, race) == [(3, 1)]
    assert told(tmp_path, solved, make_finding("check.launch.none")) == []


def test_of_a_kernel_that_is_filled_in_in_part_both_are_told(tmp_path):
    path = tmp_path / "p29.mojo"
    problem = blank_regions((MOJO / "p29" / "solution.mojo").read_text())
    path.write_text(problem.replace("    pass\n", "    input_shared[local_i] = 0\n", 1))
    mode = find_case("p29:multi-stage")
    assert mode.functions == ("multi_stage_image_blur_pipeline",)

    left, wrong_value = add_file_causes((wrong(),), mode, Sources(overrides={"p29": path}))

    line = path.read_text().split("\n").index("    pass")
    assert (left.id, left.values["place"]) == ("frame.left", f"{path}:{line}:5")
    assert wrong_value.id == wrong().id
