"""Cases in several processes: their reports are the same, in the same order, as in one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from harness.cases import forked, pipeline
from harness.cases.prepare import CompiledCases
from harness.cases.runner import Runner
from harness.catalogue import select_cases
from harness.cli.main import main
from harness.model.exit_code import USAGE
from harness.model.sources import ROOT, Sources
from harness.process import reaper

PLAN = pipeline.plan("nvidia:sm_90", "simulator")
SOLUTIONS = ROOT / "tests" / "solutions"
# At the documented launch alone, of which code is kept.
SEVERAL = [
    replace(case, further=()) for case in select_cases(("p26:pair-swap", "p15", "p26:parallel-max", "p34:reduction"))
]


def _reports(plan, cases, data_seed):
    names = {case.id: re.sub("[:-]", "_", case.id) for case in cases}
    code = {case: [(SOLUTIONS / f"{name}.sm_90.ll").read_text(encoding="utf-8")] for case, name in names.items()}
    with Runner(cases, replace(plan, data_seed=data_seed), Sources(), compiled=CompiledCases(code=code)) as runner:
        for report in runner.reports(cases):
            sets = tuple(replace(one, run_seconds=0.0) for one in report.datasets)
            yield replace(report, run_seconds=0.0, datasets=sets)


@pytest.mark.slow
@pytest.mark.skipif(not reaper.LINUX, reason="nothing is forked here")
def test_reports_do_not_depend_on_how_many_processes_make_them():
    alone, several, more = (list(_reports(replace(PLAN, jobs=jobs), SEVERAL, 7)) for jobs in (1, 2, 20))

    assert alone == several == more
    assert [report.case for report in alone] == [case.id for case in SEVERAL]
    assert all(report.counters for report in alone)


def test_threads_are_shared_out_among_the_processes(monkeypatch):
    monkeypatch.setattr(forked, "count_processors", lambda: 16)
    workers = [forked.divide_workers(replace(PLAN, workers=16, jobs=jobs)).workers for jobs in (1, 2, 5, 16, 40)]
    assert workers == [16, 8, 3, 1, 1]


def test_what_calls_host_functions_and_large_launches_begin_first():
    cases = select_cases(("p01", "p23:elementwise", "p33:tensor-core", "p15"))
    ranked = sorted(cases, key=lambda case: -forked._cost(case, PLAN))
    assert {case.id for case in ranked[:2]} == {"p23:elementwise", "p33:tensor-core"}


def test_a_process_that_was_forked_says_nothing_on_the_way():
    said = []
    notify = forked.limit_to_this_process(said.append)
    notify("here")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.getpid", lambda: 1)
        notify("there")
    assert said == ["here"]


def test_jobs_are_refused_where_a_gpu_runs_the_cases(monkeypatch, capsys):
    plan = replace(PLAN, backend="max")
    monkeypatch.setattr(pipeline, "plan", lambda *_: plan)
    assert main(["run", "p01", "--jobs", "2"]) == USAGE
    assert "--jobs is for the simulator" in capsys.readouterr().err
