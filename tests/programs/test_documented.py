"""The documented puzzles as programs print the documents' own lines, those that the catalogue's commands print."""

from __future__ import annotations

import pytest

from harness.catalogue import select_cases
from harness.model.target import Target
from tests.programs.expectation import RUNS, Expectation

COMMANDS = {
    "p15": ("p15_axis_sum", []),
    "p26:pair-swap": ("p26_butterfly", ["--pair-swap"]),
    "p26:parallel-max": ("p26_butterfly", ["--parallel-max"]),
    "p26:conditional-max": ("p26_butterfly", ["--conditional-max"]),
    "p34:reduction": ("p34_cluster", ["--reduction"]),
}


def runs(name: str) -> list[Expectation]:
    program, arguments = COMMANDS[name]
    return [run for run in RUNS if run.file.stem == program and run.arguments == arguments]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_program_prints_the_documents_lines(name: str):
    (case,) = select_cases([name])
    printed = {run.vendor: run.output.splitlines() for run in runs(name)}

    assert set(printed) == {vendor for vendor in ("nvidia", "amd", "apple") if not case.refusal(Target.parse(vendor))}
    for vendor, lines in printed.items():
        instance = case.instance(Target.parse(vendor).warp_width)
        expected = case.printed_values(case.expected(instance.datasets[0], instance.width))
        assert lines == list(case.printed(instance.width, expected, expected, True)), vendor
