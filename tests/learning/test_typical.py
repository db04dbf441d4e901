"""Typical mistakes over the puzzles: each is told once, by its cause, at its line, in both languages."""

from __future__ import annotations

import re

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.learning.indices import find_shape_violations
from harness.model import language
from harness.model.report import CaseReport
from harness.model.sources import MOJO, Sources
from harness.report.causes import select_causes
from harness.report.findings import format_case, make_renderer
from tests import compiled
from tests.learners import write
from tests.learning.mistakes import MISTAKES
from tests.learning.more_mistakes import MORE
from tests.learning.told import NOT_TAUGHT, TARGET, source
from tests.learning.typical import FIRST, Typical
from tests.learning.typical_blocks import BLOCKS
from tests.learning.typical_values import VALUES

TYPICAL = (*FIRST, *BLOCKS)
HANGUL = re.compile("[가-힣]")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What becomes of a mistake, from one compilation of all; and the file."""
    codes = compiled.codes([(find_case(mistake.case).simulated, source(mistake), TARGET) for mistake in TYPICAL])
    held = dict(zip(TYPICAL, codes, strict=True))
    folder = tmp_path_factory.mktemp("typical")

    def tell(mistake: Typical) -> tuple[CaseReport, Sources]:
        entry, file = find_case(mistake.case), folder / f"{mistake.case.replace(':', '-')}-{mistake.name}.mojo"
        file.write_text(source(mistake))
        compiled.put(held[mistake], entry.simulated, file, TARGET)
        sources, plan = Sources("problems", {entry.puzzle: file}), pipeline.plan(TARGET.name, "simulator")
        return pipeline.learner(entry, plan=plan, sources=sources).case, sources

    return tell


@pytest.mark.full  # each is compiled
@pytest.mark.parametrize("mistake", TYPICAL, ids=lambda mistake: f"{mistake.case}-{mistake.name}")
def test_a_mistake_is_told_by_its_cause_at_its_line(mistake, told):
    report, sources = told(mistake)
    (file,) = sources.overrides.values()
    lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if mistake.at in line]
    found = [one for one in (*select_causes(report.findings), *report.unkept) if one.id.startswith(mistake.told)]

    assert found, [one.id for one in report.findings]
    assert not mistake.at or any(place.line in lines for one in found for place in one.sites), found
    texts = {}
    for name in language.LANGUAGES:
        language.set_language(name)
        try:
            texts[name] = "\n".join(format_case(report, make_renderer(sources)))
        finally:
            language.set_language(None)
    assert not any(word in texts["en"] for word in NOT_TAUGHT) and "{" not in texts["en"].replace("{ ", "")
    assert HANGUL.search(texts["ko"]) and "Remedy" not in texts["ko"]


# What is said of some, and what is not: it would name the wrong thing, or ask for what the file has.
SAID = {
    "p15-returned-early": ("2 threads of the block ended before a barrier", "condition or loop that some skip"),
    "p15-missing-guard": ("Invalid global read of a[4, 0]: a has the shape (4, 6)", "bytes"),
    "p15-one-statement": ("call `barrier()` again before the next step", "between the two"),
    "p26:parallel-max-one-step-too-many": ("a lane takes part in 6 exchanges", "the puzzle is about"),
    "p26:parallel-max-endless": ("change in the loop what its condition reads", "more instructions"),
    "p34:reduction-rank-not-asked": ("on the block's rank", "add `local_i"),
    "p34:reduction-sync-removed": ("call `cluster_sync()` between the two", "peer-ended"),
    "p34:reduction-sync-in-branch": ("never arrive at the cluster's barrier", "llvm."),
}


@pytest.mark.full
@pytest.mark.parametrize("id", SAID)
def test_reason_and_remedy_fit_what_was_done(id, told):
    (mistake,) = (one for one in TYPICAL if f"{one.case}-{one.name}" == id)
    report, sources = told(mistake)
    said, not_said = SAID[id]
    text = "\n".join(format_case(report, make_renderer(sources)))

    assert said in text and not_said not in text
    assert len(select_causes([finding for finding in report.findings if finding.severity != "information"])) <= 1, (
        "one cause"
    )


def test_an_index_outside_of_the_shape_is_told_where_the_result_is_right(tmp_path):
    """It lies inside of the memory, so that nothing else notices."""
    file = tmp_path / "p15.mojo"
    write("an index of another row", file)
    sources = Sources("problems", {"p15": file})
    (outside,) = find_shape_violations(find_case("p15"), pipeline.plan(TARGET.name, "simulator"), sources)

    assert "output[0, 1] is outside the shape (4, 1) of output" in "\n".join(make_renderer(sources).block(outside))


@pytest.mark.full
def test_an_index_in_a_kernel_that_a_function_of_the_host_launches_is_told(tmp_path):
    file = tmp_path / "p17.mojo"
    text, begins = (MOJO / "p17" / "solution.mojo").read_text(), "    # FILL ME IN: about 25 lines\n"
    square = "    var square = stack_allocation[dtype=dtype, address_space=AddressSpace.SHARED](row_major[2, 2]())\n"
    file.write_text(text.replace(begins, f"{begins}{square}    square[0, 2] = 1\n", 1))
    sources = Sources("problems", {"p17": file})
    (outside,) = find_shape_violations(find_case("p17"), pipeline.plan(TARGET.name, "simulator"), sources)

    assert "square[0, 2] is outside the shape (2, 2) of square" in "\n".join(make_renderer(sources).block(outside))


def test_no_mistake_is_there_twice():
    made = [(one.case, " ".join(source(one).split())) for one in (*MISTAKES, *MORE, *TYPICAL, *VALUES)]

    assert len(set(made)) == len(made) > 120
