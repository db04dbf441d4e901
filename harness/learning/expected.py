"""List wrong elements of a launch's results: expected values, last writers in a trace, and the check's findings."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from harness.backends.base import Outcome, Request
from harness.cases.check import compare_values
from harness.learning.replay import DecodedTrace
from harness.model.report import CaseReport
from harness.simt.findings import Finding
from harness.simt.observing.columns import ATOMIC, STORE

__all__ = ["MOST", "REASON", "check_findings", "expected_cells", "writers", "wrong_cells"]

REASON = "check.reason."  # what a wrong element is made of
MOST = 4096  # cells of a result: a page shows no more of a buffer


def wrong_cells(request: Request, outcome: Outcome, names: Container[str | None]) -> dict[str, dict[int, str]]:
    """Return the expected value of each element that differs from it, as text, by result name and flat index.

    Only the results with these names are compared, each within the case's tolerance. A result without wrong elements,
    without a value or with another shape is left out; so are elements that the oracle masks. All is empty if the launch
    failed. Of each result, the first `MOST` (4096) wrong elements at most are returned.
    """
    wrong: dict[str, dict[int, str]] = {}
    judged_results = [tensor for tensor in request.instance.results if tensor.name in names]
    oracle = request.expected if judged_results and outcome.failure is None else {}
    for tensor in judged_results:
        observed, values = outcome.results.get(tensor.name), oracle.get(tensor.name)
        if observed is None or values is None or observed.values.shape != tensor.shape:
            continue
        masked = np.broadcast_to(getattr(values, "mask", False), tensor.shape).reshape(-1)
        correct = np.broadcast_to(np.asarray(values), tensor.shape)
        fits = compare_values(observed.values, correct, request.case.tolerance(tensor.name, request.dataset.name))
        as_stored = correct.astype(tensor.dtype).reshape(-1)
        places = np.flatnonzero(~fits & ~masked)[:MOST].tolist()
        if places:
            wrong[tensor.name] = {place: str(as_stored[place]) for place in places}
    return wrong


def expected_cells(data: Mapping[str, Any], wrong: Mapping[str, Mapping[int, str]]) -> list[dict[str, Any]]:
    """Return, for each buffer of a trace with wrong cells, a dict of `buffer` (its index), `cells` (flat indices) and
    `texts` (the values that belong there, in the same order).

    `wrong` is what `wrong_cells` returns; its names are compared with each buffer's `called`.
    """
    pairs = [(number, wrong.get(buffer["called"])) for number, buffer in enumerate(data["buffers"])]
    return [{"buffer": number, "cells": list(cells), "texts": list(cells.values())} for number, cells in pairs if cells]


def check_findings(report: CaseReport) -> tuple[Finding, ...]:
    """Return what the check found wrong with the results of the decisive (first wrong) data set; empty if none is.

    First come the reasons (ids `check.reason.*`), raised to severity `error`, of results that the other findings name;
    then the other findings with an id `check.*` and an argument.
    """
    findings = report.decisive.findings if report.decisive else ()
    checked = [finding for finding in findings if finding.id.startswith("check.") and finding.argument]
    reasons = [
        replace(finding, severity="error")
        for finding in report.findings
        if finding.id.startswith(REASON) and any(other.argument == finding.argument for other in checked)
    ]
    return (*reasons, *(finding for finding in checked if not finding.id.startswith(REASON)))


def writers(replay: DecodedTrace, buffer: int, cells: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return the step's index and the lane's number in the grid that wrote each of these cells last.

    Stores and atomics are writes. Cells that nobody wrote are left out.
    """
    searched, last = set(cells), {}
    for number, step in enumerate(replay.steps):
        for access in step.accesses:
            if access.buffer == buffer and access.kind in (STORE, ATOMIC):
                for lane, touched in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                    last.update({cell: (number, lane) for cell in touched if cell in searched})
    return last
