"""Checks collected mistakes as a learner's command does, all of them compiled together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.build.cache import Cache
from harness.build.device_code import build_device_code
from harness.build.hosts import build_host_programs
from harness.build.unit import Build
from harness.cases import pipeline
from harness.cases.frame_check import add_file_causes
from harness.cases.python_graph import check_case_graph, merge_graph_verdict
from harness.catalogue import find_case
from harness.model import language
from harness.model.case import Case
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process.box import SandboxPool, choose_strongest
from harness.report.findings import format_case, make_renderer
from tests import compiled
from tests.learning.collection.entry import Entry

__all__ = ["TARGET", "check", "render"]

TARGET = Target.parse("nvidia:sm_90")
SEED = 56  # of the fresh data: a mistake is told in the same words whenever it is checked


def _case_of(text: str, entry: Entry, suffix: str) -> Case:
    """Make a case of an entry's mode whose file has this text."""
    puzzle = find_case(entry.case).puzzle
    file = compiled.placed(f"{puzzle}_{re.sub(r'[^0-9a-z]', '_', entry.name)}_{suffix}.mojo", text)
    own: dict[str, Any] = {"file": file, "graph": None, "op": ""}
    mode = re.sub(r"\W", "_", f"{entry.id}_{suffix}")
    base = find_case(entry.case).simulated
    further = tuple(replace(one, mode=f"{mode}_{at}", **own) for at, one in enumerate(base.further))
    further = further if entry.further else ()  # what is compiled takes most of the time
    return replace(base, mode=mode, further=further, **own)


def check(entries: Iterable[Entry], *, followed: bool = False) -> Mapping[str, CaseReport]:
    """Check mistakes, and return the reports by the entries' ids.

    Args:
        entries: What to check; the kernels and functions of the host are compiled together.
        followed: Whether to check the texts that following the remedies makes instead.
    """
    entries = list(entries)
    texts = {entry.id: entry.followed() if followed else entry.source() for entry in entries}
    suffix = "followed" if followed else "wrong"
    cases = {entry.id: _case_of(texts[entry.id], entry, suffix) for entry in entries if not entry.python}
    plan = pipeline.plan(TARGET.name, "simulator")
    build = Build(target=TARGET)
    sizes = [size for entry in cases.values() for size in plan.case_to_run(entry).sizes]
    build_device_code(sizes, build, "llvm")
    build_host_programs([size for size in sizes if size.called], build)
    reports, entries_by = {}, {entry.id: entry for entry in entries}
    for name, entry in cases.items():
        report = pipeline.learner(entry, plan=replace(plan, data_seed=SEED), sources=Sources()).case
        own, file = replace(find_case(entries_by[name].case).simulated, graph=None), entry.file
        assert file is not None
        learners = Sources("problems", {own.puzzle: file})
        decided = replace(own, file=file)
        reports[name] = (
            report if report.ok else replace(report, findings=add_file_causes(report.findings, own, learners, decided))
        )
    return reports | _check_graphs([entry for entry in entries if entry.python], texts)


def _check_graphs(entries: Sequence[Entry], texts: Mapping[str, str]) -> dict[str, CaseReport]:
    if not entries:
        return {}
    reports = {}
    with SandboxPool(choose_strongest()) as boxes:
        for entry in entries:
            own = find_case(entry.case)
            file = compiled.placed(f"{own.puzzle}.py", texts[entry.id])
            right = CaseReport(
                case=own.id,
                target=TARGET.name,
                backend="simulator",
                device="",
                verdict=Verdict.PASS,
                launches=(),
            )
            graph = check_case_graph(own, file, texts[entry.id], TARGET.warp_width, Cache.default(), boxes)
            reports[entry.id] = merge_graph_verdict(right, graph, own)
    return reports


def render(report: CaseReport, entry: Entry, name: str) -> list[str]:
    """Return the lines that a learner is shown of a report, in a language."""
    files = (Path(place.file) for finding in report.findings for place in finding.sites if place.known)
    language.set_language(name)
    try:
        return list(format_case(report, make_renderer(None, *files)))
    finally:
        language.set_language(None)
