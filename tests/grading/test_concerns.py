"""What stands out of a class: named by verdict and finding, never by a guess."""

from __future__ import annotations

import pytest

from harness.catalogue import find_case
from harness.grading import judge_stage
from harness.grading.concerns import CHEATING, HUNG, LIMITED, concerns
from harness.grading.result import assemble_grading, collect_jobs
from harness.grading.scheme import Scheme
from harness.grading.work import JobResult, ModeResult
from harness.model.language import set_language
from harness.model.messages import make_finding
from harness.model.sources import Sources
from harness.report.findings import make_renderer
from tests.grading.judges import SETTINGS, person
from tests.report.reports import report


def mode(verdict, *findings):
    """The result of p15 as a judge has it of a report with findings."""
    whole = report(verdict, findings=findings).cases[0]
    return judge_stage._result(find_case("p15"), whole, make_renderer(Sources()))


def grading(**modes):
    people = [person(name, p15=f"# {name}\n") for name in modes]
    jobs = collect_jobs(people)
    results = {key: JobResult(key=key, modes=(modes[job.text.split()[1]],)) for key, job in jobs.items()}
    return assemble_grading(people, results, Scheme(cases=(find_case("p15"),)), SETTINGS, "none", {})


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_hung_was_limited_or_cheated_is_told_apart(language):
    set_language(language)
    try:
        by_host = make_finding("check.by-host", count=4, total=4, argument="output", index="[0]")
        found = concerns(
            grading(
                ann=ModeResult.without_a_run("p15", "TIMEOUT", "it did not end"),
                bob=ModeResult.without_a_run("p15", "LIMIT", "too much memory"),
                cid=mode("FINDING", make_finding("run.reads-clock")),
                dan=mode("FINDING", by_host),
                eve=mode("FINDING", make_finding("check.lost", role="output", argument="output")),
                fay=ModeResult(case="p15", verdict="PASS"),
            )
        )
    finally:
        set_language(None)
    assert found == {
        HUNG: {"ann": ["p15"]},
        LIMITED: {"bob": ["p15"]},
        CHEATING: {"cid": ["p15: reads the clock"], "dan": ["p15: the host computed it"]},
    }


def test_of_a_class_without_any_nothing_is_told():
    assert concerns(grading(ann=ModeResult(case="p15", verdict="PASS"))) == {}
