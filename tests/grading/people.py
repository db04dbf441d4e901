"""Submissions made for tests: right, wrong, alike, hostile and broken ones, the same for the same seed."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.grading.work import ModeResult
from harness.model.frames import blank_regions
from harness.model.sources import MOJO
from harness.model.verdict import Verdict
from tests.exploits.__main__ import EXPLOITS, as_it_must
from tests.exploits.hosts import MODES, with_bodies
from tests.grading import host_people
from tests.grading.host_people import HOST_PUZZLES
from tests.mutants.handwritten import MUTANTS, SourceMutant
from tests.puzzles.right import RIGHT

__all__ = ["KINDS", "came_to_what_it_must", "make"]

KERNELS = ("p15", "p26", "p34")
PUZZLES = (*KERNELS, *HOST_PUZZLES)
# Weights as a course has them: most people are right, or wrong in a way of their own.
KINDS = {"right": 40, "wrong": 25, "alike": 15, "unattempted": 8, "broken": 8, "hostile": 4}
LARGE = 50  # people: some are in every class of so many, whatever is drawn
HOSTS = ("holds_memory", "stops_its_parent")
# Those that cost the compiler its limit would take most of the time of a run.
DEAR = ("endless_comptime", "takes_all_memory", "huge_code", "imports_the_glue")


def solution(puzzle: str) -> str:
    """The solved file of a puzzle."""
    return (MOJO / puzzle / "solution.mojo").read_text(encoding="utf-8")


def make(folder: Path, count: int, seed: int = 0, *, dear: bool = True) -> dict[str, str]:
    """Makes submissions.

    Args:
        folder: Gets a folder or an archive for each person.
        count: How many.
        seed: The same one makes the same.
        dear: Whether those are among the hostile ones that take the compiler to its limits.

    Returns:
        The kind of each person's submission.
    """
    generator, kinds = random.Random(seed), {}
    always = list(_always()) if count >= LARGE else []
    for number in range(count - len(always)):
        (kind,) = generator.choices(list(KINDS), list(KINDS.values()))
        person = f"person{number:03}"
        kinds[person] = kind
        files = [*_files(kind, generator, number, dear), *host_people.files(kind, seed, number)]
        _hand_in(folder, person, dict(files), packed=generator.random() < 0.2)
    for number, (kind, name, own) in enumerate(always, count - len(always)):
        kinds[f"person{number:03}{name}"] = kind
        _hand_in(folder, f"person{number:03}{name}", own, packed=kind == "outside")
    return kinds


def _hand_in(folder: Path, person: str, files: Mapping[str, bytes], *, packed: bool) -> None:
    """Write what a person hands in: a folder, or an archive."""
    folder.mkdir(parents=True, exist_ok=True)
    if packed:
        with zipfile.ZipFile(folder / f"{person}.zip", "w") as archive:
            for name, text in sorted(files.items()):
                archive.writestr(name, text)
        return
    for name, text in files.items():
        path = folder / person / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def _always() -> Iterator[tuple[str, str, dict[str, bytes]]]:
    """The kinds, ends of names and files of people who are in every large class."""
    own = solution("p15").encode()
    yield "right", "x" * 231, {"p15.mojo": own}  # 240 letters
    yield "outside", "", {"../p15.mojo": own}
    for name in HOSTS:
        text = f"{with_bodies({MODES[0]: name})}\n\ncomptime HOSTILE_{name.upper()} = 0\n"
        yield "hostile", "", {"p23.mojo": text.encode()}


def _files(kind: str, generator: random.Random, number: int, dear: bool) -> Iterator[tuple[str, bytes]]:
    for puzzle in sorted(generator.sample(KERNELS, generator.randint(1, len(KERNELS)))):
        name = generator.choice([f"{puzzle}.mojo", f"{puzzle}/problem.mojo"])
        yield name, _text(kind, puzzle, generator, number, dear)


def _text(kind: str, puzzle: str, generator: random.Random, number: int, dear: bool) -> bytes:
    if kind == "alike":
        return f"# Written by person {number}.\n\n{solution(puzzle)}".encode()
    if kind == "unattempted":
        return blank_regions(solution(puzzle)).encode()
    if kind == "broken":
        whole = solution(puzzle).encode()
        return generator.choice([whole[: len(whole) // 2], b"\xff\xfe" + whole, b"", whole + b"\nvar = =\n"])
    if kind == "hostile":
        chosen = [path for path in EXPLOITS if dear or path.stem not in DEAR]
        return _own(generator.choice(chosen).read_text(encoding="utf-8"), number).encode()
    if kind == "wrong":
        wrong = [mutant for mutant in MUTANTS if mutant.case.split(":")[0] == puzzle and not mutant.equivalent]
        return _own(_mutated(generator.choice(wrong)), number).encode()
    ways = [kernel.source() for kernel in RIGHT if kernel.case == puzzle] or [solution(puzzle)]
    return _own(generator.choice([solution(puzzle), *ways]), number).encode()


def came_to_what_it_must(kind: str, text: str, modes: Sequence[ModeResult], python: str = "") -> bool:
    """Whether all modes of a file that `make` made have verdicts that its kind must get.

    Args:
        kind: As `make` returns it.
        text: The file; empty where it is none.
        modes: Of its puzzle.
        python: The puzzle's Python, where there is some.
    """
    if modes[0].case.partition(":")[0] in HOST_PUZZLES:
        return host_people.came_to_what_it_must(kind, text, python, modes)
    verdicts = {mode.verdict for mode in modes}
    if kind in ("right", "alike"):
        return verdicts == {"PASS"}
    if kind == "outside":
        return verdicts == {Verdict.UNREADABLE}
    if kind == "unattempted":
        return verdicts == {Verdict.NOT_ATTEMPTED}
    if kind == "broken":  # half a file may hold a whole kernel
        return verdicts <= {Verdict.UNREADABLE, "COMPILE_ERROR", "PASS"} and verdicts != {"PASS"}
    if kind == "wrong":
        mutated = {mutant.case for mutant in MUTANTS if text.startswith(_mutated(mutant).rstrip())}
        wrong = [mode for mode in modes if mode.verdict != "PASS" or mode.unkept]
        return bool(mutated) and mutated <= {mode.case for mode in wrong}
    (exploit,) = (told for told in (path.read_text() for path in EXPLOITS) if text.startswith(told.rstrip()))
    # They have p15's kernel; as another's file they do not compile.
    own = [mode for mode in modes if mode.case == "p15"]
    return all(as_it_must(exploit, mode, "simulator") for mode in own) and "PASS" not in verdicts


def _mutated(mutant: SourceMutant) -> str:
    return mutant.source()


def _own(text: str, number: int) -> str:
    """The text as nobody else has it: with a name that counts."""
    return f"{text.rstrip()}\n\n\ncomptime PERSON = {number}\n"
