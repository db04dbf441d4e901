"""Automatic mutants of every mode, of what its host functions launch too, and what is left over of them.

`python -m tests.mutants.everywhere [MODE ...] [--jobs N] [--write]` prints a table, and what is left over by name;
`--write`, for which all modes are taken, puts both into docs/mutants.md. The code is compiled, for one target, and each
mutant is run on every data set of the mode and on fresh data, at every launch that the mode has: at a further launch
the same instruction is changed in the code of that launch (`counterparts.py`). One that survives all is proved
equivalent by a rule (`proofs.py`) or by hand (`equivalent.py`), or it is left over; so is one that a further launch has
no instruction for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby, islice

from harness import simt
from harness.catalogue import CASES, find_case
from harness.model.case import Case
from harness.model.sources import ROOT
from harness.model.target import Target
from tests.generate.files import between
from tests.mutants.automatic import SEED, TARGETS
from tests.mutants.counterparts import find_counterpart
from tests.mutants.equivalent import explain
from tests.mutants.operators import IrMutant, mutants
from tests.mutants.originals import Original, originals
from tests.mutants.proofs import RULES, proof, whole_proof
from tests.mutants.report import Ended

__all__ = ["DOCUMENT", "MOST", "OUTCOMES", "accepted", "everywhere", "format_left_over", "main", "written"]

Kernel = tuple[Original, str, str]  # a mode's launch, the name of a kernel among its texts, and its text
MOST = 150  # of a kernel: one that a library unrolls has a thousand
OUTCOMES = ("killed", *RULES, "by hand", "left over")
DOCUMENT = ROOT / "docs" / "mutants.md"
LEFT_OVER = ROOT / "tests" / "mutants" / "left_over_code.txt"
BEGIN, END = (
    "<!-- made by `python -m tests.mutants.everywhere --write`: begin mutants -->",
    "<!-- made: end mutants -->",
)


def everywhere(cases: Sequence[Case] = CASES, target: Target | None = None) -> Iterator[Ended]:
    """What became of each mutant, in the order of the modes; `Ended.outcome` is one of `OUTCOMES`."""
    sizes = [size for mode in cases for size in mode.simulated.sizes if size.redefined or not size.further_of]
    for _, launches in groupby(
        originals(sizes, target or Target.parse(TARGETS[0])), lambda one: one.case.documented_id
    ):
        original, *further = launches
        others = [list(other.texts().items()) for other in further]
        for at, (name, text) in enumerate(original.texts().items()):
            # The host's kernels have other symbols at another launch, and the same order.
            beside = [(other, *texts[at]) for other, texts in zip(further, others, strict=True) if at < len(texts)]
            if len(beside) < len(further):
                raise AssertionError(f"{original.case.id}: a further launch has fewer kernels")
            for mutant in filter(accepted, islice(mutants(text), MOST)):
                outcome = _outcome((original, name, text), beside, mutant)
                yield Ended(original.target.name, original.case.id, mutant.operator, outcome, str(mutant))


def accepted(mutant: IrMutant) -> bool:
    """Whether it is a program: the number of a structure's part may be changed to that of none."""
    try:
        simt.decode(mutant.text)
    except simt.DecodeError:
        return False
    return True


def _outcome(own: Kernel, further: Sequence[Kernel], mutant: IrMutant) -> str:
    original, name, text = own
    by_hand = explain(original.case.id, original.target.name, mutant)
    if original.verdict({name: mutant.text}, seed=SEED):
        assert by_hand is None, f"{original.case.id}: {mutant} is killed, and explained all the same"
        return "killed"
    launches = [(own, mutant)]
    for other in further:
        counterpart = find_counterpart(mutant, text, other[2])
        if counterpart is None:
            return "left over"
        if other[0].verdict({other[1]: counterpart.text}, seed=SEED):
            assert by_hand is None or by_hand.documented, f"{other[0].case.id}: {counterpart} is killed, and explained"
            return "killed"
        launches.append((other, counterpart))
    rule = whole_proof([_rule(kernel, changed) for kernel, changed in launches])
    return rule or ("by hand" if by_hand and not by_hand.documented else "left over")


def _rule(kernel: Kernel, mutant: IrMutant) -> str:
    """The rule by which a mutant is equivalent at one launch."""
    original, name, text = kernel
    return proof(mutant, text, lambda probe: not original.verdict({name: probe}, promises=False, seed=SEED))


def written(ended: Sequence[Ended]) -> str:
    """Return the table of modes, in Markdown."""
    counts = Counter((mutant.case, mutant.outcome) for mutant in ended)
    rows = [f"| mode | {' | '.join(OUTCOMES)} |", "| --- |" + " ---: |" * len(OUTCOMES)]
    for mode in dict.fromkeys(mutant.case for mutant in ended):
        rows.append(f"| {mode} | " + " | ".join(str(counts[mode, outcome]) for outcome in OUTCOMES) + " |")
    sums = [sum(mutant.outcome == outcome for mutant in ended) for outcome in OUTCOMES]
    rows.append("| all | " + " | ".join(map(str, sums)) + " |")
    return "\n".join(["", *rows, ""])


def format_left_over(ended: Sequence[Ended]) -> str:
    """Return a line for each mutant that is neither killed nor proved equivalent."""
    return "".join(f"{mutant.case}: {mutant.text}\n" for mutant in ended if mutant.outcome == "left over")


def _of_mode(mode: str) -> list[Ended]:
    return list(everywhere([find_case(mode)]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.everywhere", description=__doc__.partition("\n")[0])
    parser.add_argument("modes", nargs="*", metavar="MODE", help="all, if none is named")
    parser.add_argument("--write", action="store_true", help="put it into docs/mutants.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    options = parser.parse_args(arguments)
    if options.write and options.modes:
        parser.error("--write needs all modes: name none")
    modes = options.modes or [entry.id for entry in CASES]
    ended: list[Ended] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for mode, own in zip(modes, pool.map(_of_mode, modes), strict=True):
            print(mode, file=sys.stderr, flush=True)
            ended += own
    print(written(ended), format_left_over(ended), sep="\n")
    if options.write:
        LEFT_OVER.write_text(format_left_over(ended), encoding="utf-8")
        text = between(DOCUMENT.read_text(encoding="utf-8"), BEGIN, END, written(ended), DOCUMENT)
        DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
