"""Where an error of a file stands: at a line as Mojo counts them."""

from __future__ import annotations

from harness.build.unit import Build, make_units
from harness.catalogue import select_cases
from harness.model.sources import Sources
from harness.model.target import Target


def test_an_error_stands_at_a_line_as_mojo_counts_them(tmp_path):
    file = tmp_path / "p15.mojo"
    file.write_text("# one\u2028def axis_sum(\u2028still one\ndef axis_sum():\n    pass\n", encoding="utf-8")
    build = Build(target=Target.parse("nvidia:sm_90"), sources=Sources(overrides={"p15": file}))

    (unit,) = make_units(select_cases(["p15"]), build)

    assert unit.format_error(r"def axis_sum\b", "no").split("\n")[:2] == [f"{file}:2:1: error: no", "def axis_sum():"]
    assert unit.format_error(r"def other\b", "no") == f"{file}:1:1: error: no"
