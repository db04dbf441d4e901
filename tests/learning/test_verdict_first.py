"""A verdict is told as soon as it is known: nothing is compiled before it, and after a right answer nothing at all."""

from __future__ import annotations

import pytest

from harness.build import device_code
from harness.cases import pipeline
from harness.cli import checking
from harness.cli.main import main
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, DatasetReport, LearnerReport
from harness.model.sources import MOJO
from harness.model.target import Target
from harness.model.verdict import Verdict
from tests.report.reports import WRONG

PLAN = LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "no GPU", "it is asked for")


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """What `check p15` printed before it compiled anything more than the kernel, and all that it printed."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p15", "."]) == 0
    (tmp_path / "p15" / "problem.mojo").write_text((MOJO / "p15" / "solution.mojo").read_text())
    capsys.readouterr()
    before: list[str] = []
    monkeypatch.setattr(pipeline, "plan", lambda *_: PLAN)

    def tell(*_) -> None:
        before.append(capsys.readouterr().out)

    def compile_again(*_, **__) -> None:
        raise AssertionError("something is compiled once more")

    monkeypatch.setattr(device_code, "build_device_code", compile_again)
    monkeypatch.setattr(checking.check_case, "__defaults__", (checking.check_case.__defaults__[0], tell))

    def run(verdict: Verdict, *datasets: DatasetReport) -> tuple[list[str], str]:
        report = CaseReport(
            case="p15",
            target="nvidia:sm_90",
            backend="simulator",
            device="",
            verdict=verdict,
            launches=(),
            datasets=datasets,
        )
        monkeypatch.setattr(pipeline, "learner", lambda *_, **__: LearnerReport((), report))
        main(["check", "p15", "--language", "en"])
        return before, capsys.readouterr().out

    return run


def test_a_wrong_answer_is_told_before_the_build_that_shows_its_indices(check):
    before, _ = check(Verdict.MISMATCH, WRONG)

    assert len(before) == 1 and before[0].startswith("p15: MISMATCH on data set one-hot")


def test_a_right_answer_takes_no_second_build(check):
    before, after = check(Verdict.PASS, DatasetReport("documented", Verdict.PASS))

    assert before == [] and after.startswith("p15: PASS, 1 of 1 data sets")
