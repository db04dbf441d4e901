"""A class whose people hand in all puzzles, no two the same file: solved ones, and in their midst hostile ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from harness.catalogue import PUZZLES
from harness.grading.submissions import Submission, SubmittedFile
from harness.grading.work import ModeResult, solution_python, solution_text
from harness.model.verdict import Verdict
from tests.exploits.__main__ import EXPLOITS, as_it_must
from tests.exploits.hosts import HOSTILE, MODES, PYTHONS, came_to_what_they_must, with_bodies

__all__ = ["came_to_what_they_must_come_to", "everybody"]

# What the hostile ones hand in, in turns: a kernel, a function of the host and a Python file; all else is solved.
_EXPLOITS = {path.stem: path.read_text(encoding="utf-8") for path in EXPLOITS}
_KERNEL, _HOST, _PYTHON = "p15", "p23", "p17"
_WAYS = (("endless_comptime", "ends_its_box", "starts_a_process"), ("lookup_table", "reads_secrets", "patches_max"))


def everybody(count: int, hostile: int) -> list[Submission]:
    """What people hand in.

    Args:
        count: Of people.
        hostile: How many of them are; they stand between the others.
    """
    places = [(2 * number + 1) * count // (2 * hostile) for number in range(hostile)]
    ways = {place: _WAYS[at % len(_WAYS)] for at, place in enumerate(places)}
    return [Submission(f"person{number}", _files(number, ways.get(number))) for number in range(count)]


def _files(number: int, way: tuple[str, str, str] | None) -> dict[str, SubmittedFile]:
    texts = {puzzle: solution_text(puzzle) for puzzle in PUZZLES}
    pythons = {puzzle: solution_python(puzzle) for puzzle in PUZZLES}
    if way:
        kernel, host, python = way
        texts |= {_KERNEL: _EXPLOITS[kernel], _HOST: with_bodies({MODES[0]: host})}
        pythons[_PYTHON] = PYTHONS[python]
    return {
        puzzle: SubmittedFile(
            f"{puzzle}.mojo", f"{text.rstrip()}\n\n\ncomptime PERSON = {number}\n", python=pythons[puzzle]
        )
        for puzzle, text in texts.items()
    }


def came_to_what_they_must_come_to(person: Submission, modes: Iterable[ModeResult]) -> Mapping[str, str]:
    """The verdicts, with their reasons, that are not what they must be, by case.

    Args:
        person: Of `everybody`.
        modes: What became of all files.
    """
    told = {mode.case: mode for mode in modes}
    kernel = next((text for text in _EXPLOITS.values() if _begins(person, _KERNEL, text)), None)
    host = next((name for name in HOSTILE if _begins(person, _HOST, with_bodies({MODES[0]: name}))), None)
    python = next((text for text in PYTHONS.values() if person.files[_PYTHON].python == text), None)
    good = {name: mode.verdict == Verdict.PASS for name, mode in told.items()}
    if kernel:
        good[_KERNEL] = as_it_must(kernel, told[_KERNEL], "simulator")
    if host:
        good |= dict.fromkeys(MODES, came_to_what_they_must({MODES[0]: host}, [told[name] for name in MODES]))
    if python:
        wanted = re.findall(r"^verdict: (.*)$", python, re.MULTILINE)[0].split()
        good[_PYTHON] = told[_PYTHON].verdict in wanted
    return {name: f"{told[name].verdict}: {told[name].reason}" for name, right in good.items() if not right}


def _begins(person: Submission, puzzle: str, text: str) -> bool:
    return person.files[puzzle].text.startswith(text.rstrip())
