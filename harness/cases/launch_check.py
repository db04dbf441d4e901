"""Compare actual launches, from a driver's trace or a host function, with documented ones: number, kernel, grid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.backends.base import Outcome, Request
from harness.model.case import HostStep
from harness.model.messages import make_finding
from harness.model.steps import ANY
from harness.simt.findings import Finding

__all__ = ["find_wrong_launches", "find_wrong_trace"]

# Of a long name a symbol keeps the first 27 to 31 characters, and some letters for its parameters, before its digest.
_SYMBOL = 27
_PARAMETERS = re.compile(r"(?:6A|cB)+$")
_END_OF_NAME = r"(?=[a-z0-9][AB]|[^a-z0-9]|$)"  # those letters are pairs such as `6A`


def find_wrong_trace(request: Request, outcome: Outcome) -> list[Finding]:
    """Return findings for launches in a driver's trace that differ from the documented ones in grid or block.

    If their number differs, that is the only finding. Names and clusters are not compared. Empty without a trace.
    """
    if outcome.traced is None:
        return []
    documented = request.case.launches(request.instance.width)
    if not outcome.traced:
        return [make_finding("check.launch.none")]
    if len(outcome.traced) != len(documented):
        names = tuple(name for name, _ in outcome.traced)
        return [make_finding("check.launch.several", launches=len(names), names=names, documented=len(documented))]
    problems = []
    for (_, actual), expected in zip(outcome.traced, documented, strict=True):
        # The driver's trace tells grid and block; the cluster is asserted in the graph.
        if (actual.grid, actual.block) != (expected.grid, expected.block):
            grid, block = str(actual.grid), str(actual.block)
            problems.append(make_finding("check.launch.other", grid=grid, block=block, documented=str(expected)))
    return problems


def find_wrong_launches(request: Request, outcome: Outcome) -> Iterator[Finding]:
    """Yield findings for host functions whose launches differ from the documented ones in number, kernel, grid or
    block.

    Of a step whose launches are `ANY` nothing is compared; of a library's only that it is one launch.
    """
    for number, launches in outcome.host_launches.items():
        step = request.case.steps[number]
        assert isinstance(step, HostStep)
        function, documented = step.name, step.geometries(request.instance.width)
        if step.launches == ANY:
            continue
        if not launches:
            yield make_finding("check.made.none", function=function)
            continue
        expected_count = 1 if step.expected_launches is None else len(documented)
        if len(launches) != expected_count:
            counts: dict[str, Any] = {"launches": len(launches), "names": tuple(name for name, _ in launches)}
            yield make_finding("check.made.several", function=function, documented=expected_count, **counts)
            continue
        for (name, actual), promised, expected in zip(launches, step.expected_launches or (), documented, strict=False):
            details: dict[str, Any] = {"function": function, "kernel": name}
            if not _is_symbol_of(name, promised.name):
                yield make_finding("check.made.kernel", documented=promised.name, **details)
            elif (actual.grid, actual.block) != (expected.grid, expected.block):
                actual_extents = {"grid": str(actual.grid), "block": str(actual.block)}
                yield make_finding("check.made.other", documented=str(expected), **details | actual_extents)


def _is_symbol_of(symbol: str, kernel: str) -> bool:
    """Return True if a launched symbol is of a kernel: it contains the kernel's name between names of other things, or
    is long and ends, before its digest, with the beginning of that name, since compilers cut long names.

    `file_my_sum_1a2b` counts as a symbol of `sum` too, because a file may be named `file_my`.
    """
    stem = _PARAMETERS.sub("", symbol.rpartition("_")[0])
    cut = len(stem) >= _SYMBOL and any(stem.endswith(f"_{kernel[:length]}") for length in range(1, len(kernel)))
    return cut or re.search(f"(?:^|_){re.escape(kernel)}{_END_OF_NAME}", symbol) is not None
