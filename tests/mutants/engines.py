"""Mutants of every mode by both engines: of each, machine code says what Python says.

`python -m tests.mutants.engines [MODE ...] [--target TARGET ...] [--by-hand] [--long] [--sample N] [--jobs N]` runs
the solutions and their automatic mutants on every data set, up to the first that catches them, and prints what
differs; or the hand-written mutants, those of blind spots and of functions of the host among them. Left aside is what
does not end in two seconds, since how far it comes depends on the machine, and how many steps a launch takes, which is
each engine's own. `--long` is for the code of long launches, however short they are. `--sample` takes N mutants of each
kernel, always the same ones.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from itertools import islice
from unittest import mock

from harness.backends.base import Outcome, Request
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import CASES, find_case
from harness.model.case import Case
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.simt.native import attempt
from harness.simt.options import Engine
from harness.simt.run import orders
from tests.mutants.automatic import verdict
from tests.mutants.compiled import changed, device_code
from tests.mutants.everywhere import MOST, accepted
from tests.mutants.handwritten import HOSTS, MUTANTS, SourceMutant
from tests.mutants.operators import IrMutant, mutants
from tests.mutants.originals import Original, originals

__all__ = ["EVERY_TARGET", "Both", "compared", "compared_by_hand", "main"]

EVERY_TARGET = "nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4"


class Both:
    """A backend that runs each request by two, and remembers where they differ.

    Args:
        python, machine_code: The two.

    Attributes:
        requests: How many it ran.
        differences: What differed, by name, of each that did.
    """

    def __init__(self, python: SimulatorBackend, machine_code: SimulatorBackend) -> None:
        self._engines = python, machine_code
        self.requests = 0
        self.differences: list[str] = []

    def launch(self, request: Request) -> Outcome:
        """What the first of them says."""
        expected, outcome = (engine.launch(request) for engine in self._engines)
        if not any(one.failure and one.failure.kind == Verdict.TIMEOUT for one in (expected, outcome)):
            self.requests += 1
            told = _told(expected)
            differ = [name for name, what in _told(outcome).items() if what != told[name]]
            self.differences += [f"on {request.dataset.name}: {', '.join(differ)}"] if differ else []
        return expected


def _told(outcome: Outcome) -> dict[str, object]:
    """All that does not depend on the engine; a value may be a NaN."""
    return {
        "failure": repr(outcome.failure),
        "findings": repr(outcome.findings),
        "results": {
            name: [part.tobytes() for part in (one.before, one.values, one.after)]
            for name, one in outcome.results.items()
        },
        "inputs": {name: values.tobytes() for name, values in outcome.inputs.items()},
        "counters": [{name: count for name, count in counts.items() if name != "steps"} for counts in outcome.counters],
        "printed": outcome.printed,
        "made": repr(outcome.host_launches),
    }


Ran = Iterable[tuple[str, Case, Callable[[Engine], SimulatorBackend]]]  # what it is, and what runs it with an engine


def compared(mode: str, target: str, long: bool = False, sample: int = MOST) -> tuple[int, int, list[str]]:
    """How many kernels and requests of a mode were run by both engines, and what differed of which.

    Args:
        long: By the machine code of long launches.
        sample: How many mutants of each kernel at most.
    """
    return _compared(_automatic(mode, Target.parse(target), sample), Target.parse(target), long)


def compared_by_hand(ids: Collection[str], target: str, long: bool = False) -> tuple[int, int, list[str]]:
    """The same of hand-written mutants, which are compiled together: of kernels, and of functions of the host."""
    return _compared(_by_hand(ids, Target.parse(target)), Target.parse(target), long)


def _compared(kernels: Ran, target: Target, long: bool) -> tuple[int, int, list[str]]:
    count, requests, differences = 0, 0, list[str]()
    for what, entry, backend in kernels:
        both = Both(backend("reference"), backend("native"))
        with (
            mock.patch.object(orders, "LITTLE", math.inf),  # how many are tried does not depend on the machine
            mock.patch.object(attempt, "LONG", 0.0 if long else attempt.LONG),
        ):
            verdict(both, entry, target)
        count, requests = count + 1, requests + both.requests
        differences += [f"{what}, {target.name}: {told}" for told in both.differences]
    return count, requests, differences


def _automatic(mode: str, target: Target, sample: int) -> Ran:
    for original in originals([find_case(mode).simulated], target):
        texts = original.texts()
        yield f"{mode} as it is", original.case, partial(original.backend, {})
        for name, text in texts.items():
            for mutant in _sample(list(filter(accepted, islice(mutants(text), MOST))), sample):
                yield f"{mode} {name}: {mutant}", original.case, partial(original.backend, {name: mutant.text})


def _sample(population: list[IrMutant], count: int) -> list[IrMutant]:
    """Draw some of a kernel's mutants with a fixed seed, or return all if there are no more."""
    return population if len(population) <= count else random.Random(0).sample(population, count)


def _by_hand(ids: Collection[str], target: Target) -> Ran:
    """Those that a target runs, at further launches too."""

    def wanted(all_of_them: Sequence[SourceMutant]) -> list[SourceMutant]:
        return [one for one in all_of_them if one.id in ids and not find_case(one.case).simulated.refusal(target)]

    codes = device_code(wanted(MUTANTS), target)
    for mutant in wanted(MUTANTS):
        code = codes[mutant.id]
        for entry, texts in zip(find_case(mutant.case).simulated.sizes, (code.code, *code.further), strict=False):
            yield f"{mutant.id}, {entry.id}", entry, partial(Original(entry, target, texts, None).backend, {})
    hosts = wanted(HOSTS)
    sizes = [(mutant.id, size) for mutant, entry in zip(hosts, changed(hosts), strict=True) for size in entry.sizes]
    made = list(originals([size for _, size in sizes], target))
    for (name, entry), original in zip(sizes, made, strict=True):
        yield f"{name}, {entry.id}", entry, partial(original.backend, {})


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what differs, and how much was run; 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.engines", description=__doc__.partition("\n")[0])
    parser.add_argument("modes", nargs="*", metavar="MODE", help="all, if none is named")
    parser.add_argument("--target", action="append", dest="targets", help="these alone; once for each")
    parser.add_argument("--by-hand", action="store_true", help="the hand-written mutants")
    parser.add_argument("--long", action="store_true", help="by the machine code of long launches")
    parser.add_argument("--sample", type=int, default=MOST, metavar="N", help="N mutants of each kernel (default: all)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    modes, targets = options.modes or [mode.id for mode in CASES], options.targets or EVERY_TARGET
    wanted: list[Callable[[], tuple[int, int, list[str]]]]
    if options.by_hand:
        ids = [mutant.id for mutant in (*MUTANTS, *HOSTS) if mutant.case in modes]
        parts = filter(None, (ids[first :: options.jobs] for first in range(options.jobs)))
        wanted = [partial(compared_by_hand, part, target, options.long) for part in parts for target in targets]
    else:
        wanted = [partial(compared, mode, target, options.long, options.sample) for target in targets for mode in modes]
    sums, differences = [0, 0, 0], 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, done in enumerate(as_completed([pool.submit(one) for one in wanted]), 1):
            kernels, requests, told = done.result()
            print(*told, sep="\n", end="\n" * bool(told))
            sums = [one + more for one, more in zip(sums, (1, kernels, requests), strict=True)]
            differences += len(told)
            print(f"{number} of {len(wanted)}: {sums[1]} kernels, {sums[2]} launches", file=sys.stderr, flush=True)
    print(f"{sums[1]} kernels, {sums[2]} launches of cases, {differences} differ")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
