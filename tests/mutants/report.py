"""Prints what became of the mutants, by case and operator: `python -m tests.mutants.report`.

Without arguments: the automatic ones on every target and the hand-written ones,
which are compiled first. `--quick` leaves the hand-written ones out. Exits non-zero
when a mutant survives without an explanation, or an equivalent one is killed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator

from harness.catalogue import case
from harness.model.target import Target
from tests.mutants.automatic import TARGETS, Fate, fates, killer
from tests.mutants.compiled import device_code
from tests.mutants.equivalent import explain
from tests.mutants.handwritten import MUTANTS

__all__ = ["main"]


def _fate(fate: Fate) -> str:
    if fate.killer:
        return "killed"
    return "equivalent" if explain(fate.case.id, fate.target, fate.mutant) else "survived"


def _automatic() -> Iterator[tuple[str, str, str, str, str]]:
    """(target, case, operator, outcome, text) of each automatic mutant."""
    for target in TARGETS:
        for fate in fates(target):
            yield target, fate.case.id, fate.mutant.operator, _fate(fate), str(fate.mutant)


def _handwritten() -> Iterator[tuple[str, str, str, str, str]]:
    """The same of each hand-written mutant, on the first target."""
    target = Target.parse(TARGETS[0])
    code = device_code(MUTANTS, target)
    for mutant in MUTANTS:
        by = killer(case(mutant.case), target, code[mutant.id])
        outcome = "killed" if by else "survived"
        if mutant.equivalent:
            outcome = "survived" if by else "equivalent"
        yield target.name, mutant.case, "by hand", outcome, f"{mutant.id}: {by or 'PASS'}"


def main(arguments: list[str]) -> int:
    """Runs the mutants and prints the table."""
    started = time.perf_counter()
    table: Counter[tuple[str, str, str]] = Counter()
    by_operator: Counter[tuple[str, str]] = Counter()
    open_ones = []
    sources = (_automatic,) if "--quick" in arguments else (_automatic, _handwritten)
    for source in sources:
        for target, name, operator, outcome, text in source():
            table[target, name, outcome] += 1
            by_operator[operator, outcome] += 1
            if outcome == "survived":
                open_ones.append(f"{target} {name} {text}")
    columns = ("killed", "equivalent", "survived")
    print(f"{'':36}" + "".join(f"{name:>12}" for name in columns))
    for key in dict.fromkeys(key[:2] for key in table):
        print(f"{' '.join(key):36}" + "".join(f"{table[*key, name]:12}" for name in columns))
    for operator in dict.fromkeys(key[0] for key in by_operator):
        print(f"{operator:36}" + "".join(f"{by_operator[operator, name]:12}" for name in columns))
    total = [sum(count for key, count in table.items() if key[2] == name) for name in columns]
    print(f"{'all':36}" + "".join(f"{count:12}" for count in total))
    print(f"{sum(total)} mutants in {time.perf_counter() - started:.1f} s")
    for line in open_ones:
        print(f"survived: {line}")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
