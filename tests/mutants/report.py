"""Says what became of the mutants, by case and by operator: `python -m tests.mutants.report`.

The automatic ones on every target, and the hand-written ones, which are compiled first;
`--quick` leaves these out, `--write` puts the totals into docs/wrong-kernels.md. Exits non-zero
when a mutant survives without an explanation, or an equivalent one is killed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.catalogue import find_case
from harness.model.sources import ROOT
from harness.model.target import Target
from tests.generate.files import between
from tests.mutants.automatic import SEED, TARGETS, fates, killer
from tests.mutants.compiled import device_code, hosts_reports, killer_of_host
from tests.mutants.equivalent import explain
from tests.mutants.handwritten import HOSTS, MUTANTS

__all__ = ["DOCUMENT", "Ended", "automatic", "handwritten", "main", "totals"]

OUTCOMES = ("killed", "equivalent", "survived")
BY_HAND = "by hand"
DOCUMENT = ROOT / "docs" / "wrong-kernels.md"
BEGIN, END = "<!-- made by `nox -s mutants -- --write`: begin mutants -->", "<!-- made: end mutants -->"


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of one mutant; `operator` is what was done to it, `outcome` one of `OUTCOMES`."""

    target: str
    case: str
    operator: str
    outcome: str
    text: str


def automatic(targets: Sequence[str] = TARGETS) -> Iterator[Ended]:
    """The automatic mutants of some targets."""
    for target in targets:
        for fate in fates(target):
            explained = explain(fate.case.id, target, fate.mutant)
            outcome = "killed" if fate.killer else "equivalent" if explained else "survived"
            yield Ended(target, fate.case.id, fate.mutant.operator, outcome, str(fate.mutant))


def handwritten() -> Iterator[Ended]:
    """The hand-written mutants, on the first target."""
    target = Target.parse(TARGETS[0])
    code, hosts = device_code(MUTANTS, target), hosts_reports(HOSTS, target)
    for mutant in (*MUTANTS, *HOSTS):
        by = (
            killer_of_host(hosts[mutant.id])
            if mutant in HOSTS
            else killer(find_case(mutant.case), target, *code[mutant.id], seed=SEED)
        )
        outcome = "killed" if by else "survived"
        if mutant.equivalent:
            outcome = "survived" if by else "equivalent"
        yield Ended(target.name, mutant.case, BY_HAND, outcome, f"{mutant.id}: {by or 'PASS'}")


def totals(ended: Sequence[Ended]) -> str:
    """Tables by target and by operator, in Markdown."""
    by_target = _table("target", ended, lambda mutant: mutant.target)
    by_operator = _table("operator", ended, lambda mutant: mutant.operator)
    return f"\n{by_target}\n{by_operator}\n"


def _table(head: str, ended: Sequence[Ended], group: Callable[[Ended], str]) -> str:
    counts = Counter((group(mutant), mutant.outcome) for mutant in ended)
    rows = [f"| {head} | {' | '.join(OUTCOMES)} |", "| --- |" + " ---: |" * len(OUTCOMES)]
    for name in dict.fromkeys(map(group, ended)):
        rows.append(f"| {name} | " + " | ".join(str(counts[name, outcome]) for outcome in OUTCOMES) + " |")
    sums = [sum(mutant.outcome == outcome for mutant in ended) for outcome in OUTCOMES]
    return "\n".join([*rows, "| all | " + " | ".join(map(str, sums)) + " |", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the mutants and prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.report", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the automatic ones alone")
    parser.add_argument("--write", action="store_true", help="put the totals into docs/wrong-kernels.md")
    options = parser.parse_args(arguments)
    if options.quick and options.write:
        parser.error("--write needs all of them: leave out --quick")
    started = time.perf_counter()
    ended = [*automatic(), *(() if options.quick else handwritten())]
    print(_table("target and case", ended, lambda mutant: f"{mutant.target} {mutant.case}"), totals(ended), sep="")
    print(f"{len(ended)} mutants in {time.perf_counter() - started:.1f} s")
    if options.write:
        text = between(DOCUMENT.read_text(encoding="utf-8"), BEGIN, END, totals(ended), DOCUMENT)
        DOCUMENT.write_text(text, encoding="utf-8")
    survivors = [mutant for mutant in ended if mutant.outcome == "survived"]
    for mutant in survivors:
        print(f"survived: {mutant.target} {mutant.case} {mutant.text}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
