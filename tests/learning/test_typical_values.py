"""Of kernels whose only fault is a wrong value, the explanation points at the line that is wrong."""

from __future__ import annotations

from unittest import mock

import pytest

from harness.build import toolchain
from harness.cases import pipeline, reasons
from harness.catalogue import find_case
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from tests import compiled
from tests.learning.told import TARGET, source
from tests.learning.typical import Typical
from tests.learning.typical_values import VALUES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.full,  # each is compiled
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]
# What only computes is no access that a change could be followed through: the lines around it are named instead.
MISSED = {
    "p26:partition-pivot-below",
    "p27:normalize-sum-for-mean",
    "p29:multi-stage-one-side",
    "p29:double-buffer-one-side",
}


def name_of(mistake: Typical) -> str:
    return f"{mistake.case}-{mistake.name}"


@pytest.fixture(scope="module")
def named(tmp_path_factory) -> dict[str, bool]:
    """Whether the explanation of each names its line; one compilation for those of a single kernel."""
    folder, found = tmp_path_factory.mktemp("values"), {}
    enough = mock.patch.object(reasons, "SECONDS", 60.0)  # however slow the machine is
    single = [mistake for mistake in VALUES if len(find_case(mistake.case).kernels) == 1]
    codes = compiled.codes([(find_case(mistake.case).simulated, source(mistake), TARGET) for mistake in single])
    held = dict(zip(single, codes, strict=True))
    for mistake in VALUES:
        entry, file = find_case(mistake.case), folder / f"{name_of(mistake).replace(':', '-')}.mojo"
        file.write_text(source(mistake), encoding="utf-8")
        if mistake in held:
            compiled.put(held[mistake], entry.simulated, file, TARGET)
        sources = Sources("problems", {entry.puzzle: file})
        with enough:
            report = pipeline.learner(entry, plan=pipeline.plan(TARGET.name, "simulator"), sources=sources).case
        assert report.verdict == Verdict.MISMATCH, name_of(mistake)
        lines = enumerate(source(mistake).splitlines(), 1)
        wanted = {number for number, line in lines if any(part in line for part in mistake.at.split("|"))}
        (reason,) = (one for one in report.findings if one.id.startswith("check.reason."))
        assert wanted and len(reason.sites) <= 3, name_of(mistake)
        found[name_of(mistake)] = any(place.line in wanted for place in reason.sites)
    return found


def test_nine_of_ten_explanations_name_the_line(named):
    assert {name for name, right in named.items() if not right} == MISSED
    assert len(named) == len(VALUES) >= 40 and len(MISSED) < len(VALUES) / 10
