"""The launches that were made, beside the documented ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.backends.base import Outcome, Request
from harness.model.case import HostStep
from harness.model.messages import make_finding
from harness.model.steps import ANY
from harness.simt.findings import Finding

__all__ = ["wrong_launches", "wrong_trace"]

# Of a long name a symbol keeps the first 27 to 31 characters, and some letters for its parameters, before its digest.
_SYMBOL = 27
_PARAMETERS = re.compile(r"(?:6A|cB)+$")


def wrong_trace(request: Request, outcome: Outcome) -> list[Finding]:
    """How the launches that a driver saw differ from the documented ones."""
    if outcome.traced is None:
        return []
    documented = request.case.launches(request.instance.width)
    if not outcome.traced:
        return [make_finding("check.launch.none")]
    if len(outcome.traced) != len(documented):
        names = tuple(name for name, _ in outcome.traced)
        return [make_finding("check.launch.several", launches=len(names), names=names, documented=len(documented))]
    problems = []
    for (_, seen), wanted in zip(outcome.traced, documented, strict=True):
        # The driver's trace tells grid and block; the cluster is asserted in the graph.
        if (seen.grid, seen.block) != (wanted.grid, wanted.block):
            grid, block = str(seen.grid), str(seen.block)
            problems.append(make_finding("check.launch.other", grid=grid, block=block, documented=str(wanted)))
    return problems


def wrong_launches(request: Request, outcome: Outcome) -> Iterator[Finding]:
    """What the host functions launched that is not documented."""
    for number, made in outcome.made.items():
        step = request.case.steps[number]
        assert isinstance(step, HostStep)
        function, documented = step.name, step.geometries(request.instance.width)
        if step.launches == ANY:
            continue
        if not made:
            yield make_finding("check.made.none", function=function)
            continue
        wanted_launches = 1 if step.expected_launches is None else len(documented)
        if len(made) != wanted_launches:
            held: dict[str, Any] = {"launches": len(made), "names": tuple(name for name, _ in made)}
            yield make_finding("check.made.several", function=function, documented=wanted_launches, **held)
            continue
        for (name, seen), promised, wanted in zip(made, step.expected_launches or (), documented, strict=False):
            told: dict[str, Any] = {"function": function, "kernel": name}
            if not _is(name, promised.name):
                yield make_finding("check.made.kernel", documented=promised.name, **told)
            elif (seen.grid, seen.block) != (wanted.grid, wanted.block):
                seen_as = {"grid": str(seen.grid), "block": str(seen.block)}
                yield make_finding("check.made.other", documented=str(wanted), **told | seen_as)


def _is(seen: str, kernel: str) -> bool:
    """Whether a launch was of a kernel: a driver knows its name in the code, where the module stands before that in the
    source, a digest behind it, and a long one is cut.
    """
    stem = _PARAMETERS.sub("", seen.rpartition("_")[0])
    cut = len(stem) >= _SYMBOL and any(stem.endswith(f"_{kernel[:length]}") for length in range(1, len(kernel)))
    return kernel in seen or cut
