"""Prints what became of the automatic mutants, by case and operator: `python -m tests.mutants.report`.

With `--all` on every target, else on the first; exits non-zero when a mutant
survives without an explanation.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.mutants.automatic import TARGETS, Fate, fates
from tests.mutants.equivalent import explain

__all__ = ["main"]


def _fate(fate: Fate) -> str:
    if fate.killer:
        return "killed"
    return "equivalent" if explain(fate.case.id, fate.target, fate.mutant) else "survived"


def main(arguments: list[str]) -> int:
    """Runs the mutants and prints the table."""
    started = time.perf_counter()
    table: Counter[tuple[str, str, str]] = Counter()
    by_operator: Counter[tuple[str, str]] = Counter()
    open_ones = []
    for target in TARGETS if "--all" in arguments else TARGETS[:1]:
        for fate in fates(target):
            outcome = _fate(fate)
            table[target, fate.case.id, outcome] += 1
            by_operator[fate.mutant.operator, outcome] += 1
            if outcome == "survived":
                open_ones.append(f"{target} {fate.case.id} {fate.mutant}")
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
