"""Ops of MAX that the documents' own check lets pass, and the harness does not."""

import pytest

from harness.cases import pipeline
from harness.catalogue import select
from harness.model.sources import MOJO, Sources

pytestmark = pytest.mark.slow

WRONG = {
    # The documents' vector fits into one block, which needs nothing of the next one.
    "p17": ("input[next_i] if next_i < input_size else 0", "0"),
    # The documents' numbers are small: their powers are held without the largest taken off.
    "p18": ("exp(value - rebind[Scalar[dtype]](shared_max[0]))", "exp(value)"),
}


def test_what_the_documents_data_does_not_show_is_found(tmp_path):
    files = {}
    for puzzle, (was, now) in WRONG.items():
        text = (MOJO / puzzle / "solution.mojo").read_text()
        assert text.count(was) == 1
        files[puzzle] = tmp_path / f"{puzzle}.mojo"
        files[puzzle].write_text(text.replace(was, now))
        files[puzzle].with_suffix(".py").write_text((MOJO / puzzle / "solution.py").read_text())
    cases = select(list(WRONG))
    report = pipeline.run(cases, plan=pipeline.plan("nvidia:sm_90", "simulator"), sources=Sources(overrides=files))
    convolution, softmax = report.cases
    documented = convolution.datasets[0]
    assert (documented.name, documented.verdict.value) == ("documented", "MISMATCH")
    assert {finding.argument for finding in documented.findings if finding.kind == "check"} == {"output_wide"}
    assert softmax.datasets[0].verdict.value == "PASS" and softmax.decisive.name == "far-right"
