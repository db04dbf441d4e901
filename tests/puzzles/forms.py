"""Kernels in the form of the documents, in the place of those to write, and how they are compiled.

Each file of `documented/` holds whole `def`s and nothing else; one takes the place of the `def`
of its name in `mojo/pNN/problem.mojo`, or in `solution.mojo` where functions of the host are to be written too.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import CASES
from harness.catalogue import find_case as case_of
from harness.model.case import Case
from harness.model.sources import Sources
from harness.model.steps import HostStep
from harness.model.target import Target
from tests import compiled
from tests.puzzles import reported
from tests.puzzles.reported import written
from tests.puzzles.right import RIGHT
from tests.solutions import stored

__all__ = [
    *("FORMS", "MORE", "ONE_LINE", "PLACES", "SOME", "TARGETS", "forms", "functions", "launched", "one_line"),
    *("part", "pasted", "together"),
]

FORMS = Path(__file__).parent / "documented"
ONE_LINE = "p15_one_line"
TARGETS = tuple(map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")))


def functions(text: str) -> dict[str, str]:
    """Every `def` of a file, by its name."""
    parts = re.split(r"^(?=def |struct |comptime |@)", text, flags=re.MULTILINE)
    found = (part.removeprefix("def ") for part in parts if part.startswith("def "))
    return {part.partition("[")[0].partition("(")[0]: part for part in found}


def forms(case: Case) -> set[str]:
    """The functions of the file with the documented forms of a puzzle, if there is one."""
    file = FORMS / f"{case.puzzle}.mojo"
    return set(functions(file.read_text())) if file.is_file() else set()


def launched(case: Case) -> set[str]:
    """What a case launches or calls, and what that is to launch."""
    calls = (step for step in case.steps if isinstance(step, HostStep))
    return {*case.kernels, *(launch.name for call in calls for launch in call.expected_launches or ())}


GIVEN = [case.simulated for case in CASES if not case.called and set(case.kernels) <= forms(case)]
STORED = {case.id for case, _ in stored.PLACES}
PLACES = [
    (case, target)
    for target in TARGETS
    for case in GIVEN
    if case.refusal(target) is None and case.id in STORED  # those that are read on every target
]
MORE = [case for case in GIVEN if case.id not in STORED]
SOME = [case for case in MORE if not "p28" < case.puzzle < "p34"]  # which `tests` run


def pasted(case: Case, form: Path, kernels: str = "problems") -> str:
    """The problem of a case with the functions of a file in the place of its own."""
    text = Sources(kernels).kernel_file(case).read_text()
    for name, body in functions(form.read_text()).items():
        own = functions(text)[name]
        assert text.count(own) == 1
        text = text.replace(own, f"{body.rstrip()}\n\n\n")
    return f"{text.rstrip()}\n"


def part(case: Case, target: Target, form: str = "") -> list[tuple[BuildUnit, Target]]:
    """Documented kernels as the compiler takes them, at each of the case's sizes; those of a form, or of its puzzle."""
    form = form or case.puzzle
    file = compiled.placed(f"{form}.mojo", pasted(case, FORMS / f"{form}.mojo"))
    return [
        (replace(unit, file=file, module=unit.module.replace(case.puzzle, form)), target)
        for size in case.sizes
        for unit in make_units([size], Build(target=target))
    ]


def one_line() -> list[tuple[BuildUnit, Target]]:
    """The other form of puzzle 15."""
    return part(case_of("p15"), TARGETS[0], ONE_LINE)


@cache
def together() -> None:
    """Compiles what `tests` run of these forms, and of right kernels that are no solutions and of reported ones, for
    `compiled.levels` to find: alone those of each file take nearly as long.
    """
    parts = [one for case, target in PLACES for one in part(case, target)]
    parts += [*one_line(), *(one for case in SOME for one in part(case, TARGETS[0]))]
    parts += [one for right in RIGHT for one in right.parts(TARGETS[0])]
    compiled.levels([*parts, *(one for entry, file in written() for one in reported.parts(entry, file, TARGETS[0]))])
