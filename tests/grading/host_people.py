"""Submissions for puzzles with functions of the host, and with Python beside them, of the kinds that `people` makes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from harness.grading.work import ModeResult, solution_python, solution_text
from harness.model.frames import blank_regions
from harness.model.verdict import Verdict
from tests.exploits.hosts import HOSTILE, MODES, PYTHONS, came_to_what_they_must, with_bodies

__all__ = ["HOST_PUZZLES", "came_to_what_it_must", "files"]

HOST_PUZZLES = ("p17", "p23")
SHARE = 0.3  # of people who hand one in: each takes the compiler as long as several kernels' files. Hostile ones do.
# What is wrong of the sums of p23's first mode, and of the order in which p17's graph hands its inputs on.
_SUM, _ORDER = ("at) + b.load", "at) - b.load"), ("input_value, kernel_value]", "kernel_value, input_value]")


def files(kind: str, seed: int, number: int) -> Iterator[tuple[str, bytes]]:
    """The names and contents of what a person hands in; often nothing.

    Args:
        kind: Of `people.KINDS`.
        seed: Of the class.
        number: Of the person.
    """
    generator = random.Random(f"{seed} {number}")
    chosen = HOST_PUZZLES if kind == "hostile" else [generator.choice(HOST_PUZZLES)]
    for puzzle in chosen if kind == "hostile" or generator.random() < SHARE else ():
        kernels, python = _texts(kind, puzzle, generator, number)
        yield f"{puzzle}.mojo", kernels.encode()
        if python:
            yield f"{puzzle}.py", python.encode()


def _texts(kind: str, puzzle: str, generator: random.Random, number: int) -> tuple[str, str]:
    kernels, python = solution_text(puzzle), solution_python(puzzle)
    own = f"{kernels}\n\ncomptime PERSON = {number}\n"
    if kind == "alike":
        return f"# Written by person {number}.\n\n{kernels}", python
    if kind == "unattempted":
        return blank_regions(kernels), blank_regions(python)
    if kind == "broken":
        return f"{kernels}\nvar = =\n", python
    if kind == "wrong":
        return (own, python.replace(*_ORDER)) if python else (own.replace(*_SUM, 1), "")
    if kind == "hostile" and python:
        return kernels, f"{PYTHONS[generator.choice(list(PYTHONS))].rstrip()}\n\nPERSON = {number}\n"
    if kind == "hostile":
        name = generator.choice([name for name in HOSTILE if name != "never_returns"])  # which takes its limit
        return f"{with_bodies({MODES[0]: name})}\n\ncomptime HOSTILE_{name.upper()} = {number}\n", ""
    return own, python


def came_to_what_it_must(kind: str, text: str, python: str, modes: Sequence[ModeResult]) -> bool:
    """Whether all modes have verdicts that their kind must get.

    Args:
        kind: Of `people.KINDS`.
        text: The Mojo file.
        python: The Python, where there is some.
        modes: Of its puzzle.
    """
    verdicts = [mode.verdict for mode in modes]
    if kind in ("right", "alike"):
        return set(verdicts) == {Verdict.PASS}
    if kind == "unattempted":
        return set(verdicts) == {Verdict.NOT_ATTEMPTED}
    if kind == "broken":
        return set(verdicts) == {Verdict.COMPILE_ERROR}
    if kind == "wrong":
        rest = [Verdict.PASS] * (len(modes) - 1)
        return verdicts == [Verdict.FINDING if python else Verdict.MISMATCH, *rest]
    if python:
        (told,) = (told for told in PYTHONS.values() if python.startswith(told.rstrip()))
        wanted = re.findall(r"^verdict: (.*)$", told, re.MULTILINE)[0].split()
        return all(verdict in wanted for verdict in verdicts)
    (name,) = re.findall(r"^comptime HOSTILE_(\w+) =", text, re.MULTILINE)
    return came_to_what_they_must({MODES[0]: name.lower()}, modes)
