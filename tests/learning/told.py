"""What learners are told of their mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.build.device_code import Code
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.model import language
from harness.model.frames import blank_regions
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.report.findings import format_case, make_renderer
from tests import compiled
from tests.learning.mistakes import MISTAKES, Mistake

__all__ = ["NOT_TAUGHT", "SOUND", "TARGET", "source", "teller"]

TARGET = Target.parse("nvidia:sm_90")
UNBUILT = ("constant-changed",)  # does not compile either; what is told first is why
# What does not compile would have all others compiled one by one.
SOUND = [mistake for mistake in MISTAKES if "컴파일되지" not in mistake.korean and mistake.name not in UNBUILT]
NOT_TAUGHT = ("syncwarp", "give the launch more", "JSON report")


def source(mistake: Any) -> str:
    """The learner's file; the mistake has a case, an old text of the solution, and the new one."""
    entry = find_case(mistake.case)
    text = (MOJO / entry.puzzle / "solution.mojo").read_text()
    if not mistake.old:
        return blank_regions(text)
    begin = re.search(rf"^def {entry.kernels[0]}\b", text, re.MULTILINE)
    start = 0 if begin is None or mistake.old.startswith(("comptime", "def")) else begin.start()
    assert mistake.old in text[start:]
    return text[:start] + text[start:].replace(mistake.old, mistake.new, 1)


def teller(
    codes: Mapping[str, Code], folder: Path, data_seed: int | None = None
) -> Callable[[Mistake, str], tuple[list[str], Path]]:
    """Tells what is said of a mistake in a language, and the learner's file.

    Args:
        codes: What is compiled already, by the mistake's id.
        folder: Gets the files.
        data_seed: Of the fresh data; drawn unless given.
    """
    reports = {}

    def tell(mistake: Mistake, name: str) -> tuple[list[str], Path]:
        entry = find_case(mistake.case)
        file = folder / f"{mistake.id.replace(':', '-')}.mojo"
        file.write_text(source(mistake))
        sources = Sources("problems", {entry.puzzle: file})
        if mistake.id not in reports:
            if mistake.id in codes:
                compiled.put(codes[mistake.id], entry, file, TARGET)
            plan = pipeline.plan(TARGET.name, "simulator")
            reports[mistake.id] = pipeline.learner(entry, plan=replace(plan, data_seed=data_seed), sources=sources).case
        language.set_language(name)
        try:
            lines = list(format_case(reports[mistake.id], make_renderer(sources)))
        finally:
            language.set_language(None)
        return lines, file

    return tell
