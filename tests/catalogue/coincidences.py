"""Numbers that are equal in every launch that judges a mode, though nothing says that they are the same.

A kernel that takes one of them for the other is right by coincidence, and so is one without a condition that no thread
of any launch fails. `python -m tests.catalogue.coincidences [MODE...]`
prints those that nothing explains.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import combinations

from harness.catalogue import CASES, select_cases
from harness.model.case import Case
from harness.model.sources import Sources
from tests.catalogue import fixed as fixed_modules
from tests.catalogue.definitions import EXTENTS, classes, unused_axes
from tests.catalogue.fixed.launch import Fixed
from tests.catalogue.guards import Guard, guards
from tests.catalogue.quantities import Subject, subjects, widths_of
from tests.catalogue.strides import strides

__all__ = ["FIXED", "Coincidence", "coincidences", "found", "unexplained", "views"]

FIXED: tuple[Fixed, ...] = tuple(
    entry
    for module in sorted(found.name for found in pkgutil.iter_modules(fixed_modules.__path__) if found.name != "launch")
    for entry in import_module(f"{fixed_modules.__name__}.{module}").FIXED
)


@dataclass(frozen=True, slots=True)
class Coincidence:
    """Two numbers that are equal at the documented launch, each with all its names.

    Attributes:
        case: The id of the mode.
        kernel: The kernel, or the host function that has a library launch.
        one: The names of the first: what follows from one another.
        other: The names of the second.
        broken: What tells them apart: `launch` or `size`; empty if nothing does.
        explained: Why they may stay equal: `axis` or `documents`; empty if nothing says so.
    """

    case: str
    kernel: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    broken: str = ""
    explained: str = ""

    def __str__(self) -> str:
        return " = ".join(
            names[0] if len(names) == 1 else f"{names[0]} ({', '.join(names[1:])})" for names in (self.one, self.other)
        )


def coincidences(subject: Subject, fixed: Sequence[Fixed] = ()) -> Iterator[Coincidence]:
    """Yield the numbers that are equal at the documented launch, each pair with what breaks or explains it."""
    documented = subject.observations[0].values
    unused = _unused(subject)
    for one, other in combinations(classes(subject), 2):
        if documented[one[0]] != documented[other[0]]:
            continue
        broken = explained = ""
        if apart := [at for at in subject.observations if at.values[one[0]] != at.values[other[0]]]:
            broken = "size" if all(at.is_fresh for at in apart) else "launch"
        elif unused.intersection(one) and unused.intersection(other):
            explained = "axis"
        elif any(_names_both(entry, subject, one, other) for entry in fixed):
            explained = "documents"
        yield Coincidence(subject.case.id, subject.kernel or subject.name, one, other, broken, explained)


def _names_both(entry: Fixed, subject: Subject, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether an entry says of two numbers that the documents fix them."""
    return entry.case == subject.case.id and all(set(entry.equal).intersection(names) for names in (one, other))


def _unused(subject: Subject) -> set[str]:
    """Return the extents of axes that no launch uses, and the numbers of blocks and threads where there is no other."""
    axes = unused_axes(subject) if subject.kernel else ""
    unused = {name for name in EXTENTS if name[-1] in axes}
    return unused | {"blocks", "threads"} if axes == "xy" else unused


_subjects = cache(subjects)  # of the puzzle's own files: several tables and tests ask for them


def views(case: Case) -> Iterator[Subject]:
    """Yield what is looked at of a case: at each warp width, at the simulator's size and at the documented one."""
    for at in dict.fromkeys((case.simulated, case)):
        for width in widths_of(case):
            yield from _subjects(at, width)


@cache
def found(case: Case, fixed: tuple[Fixed, ...] = FIXED) -> tuple[Coincidence, ...]:
    """Return the coincidences of a mode from all views, each once."""
    return tuple(dict.fromkeys(entry for subject in views(case) for entry in coincidences(subject, fixed)))


@cache
def unexplained(case: Case, fixed: tuple[Fixed, ...] = FIXED) -> tuple[str, ...]:
    """Return what is right by coincidence in a mode and nothing explains, each as a line with the kernel in front.

    These are numbers that stay equal, those that pass for the threads of a block, and conditions that no launch needs.
    """
    solution = Sources("solutions").kernel_file(case).read_text(encoding="utf-8")
    lines: list[str] = []
    for subject in views(case):
        name = subject.kernel or subject.name
        pairs = [entry for entry in coincidences(subject, fixed) if not entry.broken and not entry.explained]
        lines += [f"{name}: {entry}" for entry in pairs]
        if not subject.kernel:
            continue
        for stride in strides(subject, solution):
            if not any(_names_both(entry, subject, stride.names, stride.right) for entry in fixed):
                lines.append(f"{name}: {stride}")
        for guard in guards(subject, solution):
            if not guard.needed and not any(_fixes(entry, guard, subject) for entry in fixed):
                lines.append(f"{name}: no launch needs the guard `{guard.text}`")
    return tuple(dict.fromkeys(lines))


def _fixes(entry: Fixed, guard: Guard, subject: Subject) -> bool:
    """Whether an entry says why no launch needs a condition: by its text, or by what it compares."""
    if entry.case != subject.case.id:
        return False
    names = {name for names in classes(subject) if guard.numbers.intersection(names) for name in names}
    extents = {*EXTENTS, "blocks", "threads"}
    equal = set(entry.equal)
    return guard.text in equal or bool(equal & (names - extents) and equal & extents)


def main(words: Sequence[str]) -> None:
    """Print what is unexplained of the modes that are named, or of all."""
    cases = select_cases(tuple(words)) if words else CASES
    lines = [f"{case.id} {line}" for case in cases for line in unexplained(case)]
    print("\n".join(lines) or "nothing is unexplained")


if __name__ == "__main__":
    main(sys.argv[1:])
