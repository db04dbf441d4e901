"""What documented forms of kernels come to where `Fixed` says that they are wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from harness.cases import pipeline
from harness.model.case import Case
from harness.model.report import CaseReport
from harness.model.sources import Sources
from tests import compiled
from tests.catalogue.fixed.launch import Fixed
from tests.puzzles.forms import FORMS, TARGETS, pasted

__all__ = ["reports"]


def reports(entries: Sequence[Fixed]) -> list[CaseReport]:
    """Return the reports of the documented forms at the launches of some entries, compiled together."""
    cases = [_with_form(entry, at) for at, entry in enumerate(entries)]
    return list(pipeline.run(cases, plan=pipeline.plan(TARGETS[0].name, "simulator"), sources=Sources()).cases)


def _with_form(entry: Fixed, number: int) -> Case:
    """The launch of an entry, under a name of its own, with the documented form as its file."""
    launch = entry.launch
    text = pasted(launch, FORMS / f"{launch.puzzle}.mojo", "solutions" if launch.called else "problems")
    name = re.sub(r"\W", "_", f"{entry.case}_fixed_{number}")
    return replace(launch, mode=name, file=compiled.placed(f"{name}.mojo", text), graph=None, op="")
