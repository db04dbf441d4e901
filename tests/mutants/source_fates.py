"""What becomes of the mutants of a mode's text, at every launch that the mode has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

from harness.model.case import Case
from harness.model.sources import Sources
from harness.model.target import Target
from tests.mutants.coincident_reasons import find_reason
from tests.mutants.source_operators import SourceEdit, edits
from tests.mutants.source_runs import LARGER, SAME, Compiled, Compiler

__all__ = ["CONSTANTS", "FIXED", "OUTCOMES", "PROVED", "Fate", "find_fates", "mode_edits"]

FIXED, CONSTANTS, BY_HAND = "fixed", "same constant", "by hand"
PROVED = (SAME, LARGER, FIXED, CONSTANTS, BY_HAND)
OUTCOMES = ("does not compile", "killed", "claim", *PROVED, "left over")
_TRAPPED = re.compile(r"^(?!TIMEOUT|COMPILE_ERROR)\S")


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant.

    Attributes:
        outcome: One of `OUTCOMES`: `claim` where only a promise that is not kept kills it.
        by: The verdict that killed it, and on which data set.
        launch: The id of the launch that killed it.
    """

    target: str
    case: str
    function: str
    edit: str
    operator: str
    outcome: str
    by: str = ""
    launch: str = ""

    def record(self) -> dict[str, str]:
        """Returns it as plain values."""
        return asdict(self)


def mode_edits(case: Case) -> list[SourceEdit]:
    """Returns the mutants of a mode's solution."""
    case = case.simulated
    names = dict.fromkeys(name for size in case.sizes for name in size.functions)
    return list(edits(Sources().kernel_file(case).read_text(encoding="utf-8"), tuple(names)))


def find_fates(case: Case, target: Target, mutants: Sequence[SourceEdit]) -> Iterator[Fate]:
    """Runs mutants of one mode, compiled together; yields each fate, those that need a second program last."""
    case = case.simulated
    text = Sources().kernel_file(case).read_text(encoding="utf-8")
    with Compiler(target) as compiler:
        # At the documented launch every mutant, and the solution at each launch.
        requests = [(text, size) for size in case.sizes] + [(mutant.text, case) for mutant in mutants]
        made = compiler.compile(requests)
        solutions = [solution for solution in made[: len(case.sizes)] if solution is not None]
        assert len(solutions) == len(case.sizes), f"{case.id} does not compile"
        run = _Run(case, target, [_Solution(solution, solution.time_limit()) for solution in solutions], compiler)
        left: list[_Survivor] = []
        for mutant, own in zip(mutants, made[len(case.sizes) :], strict=True):
            if own is None:
                yield run.fate(mutant, "does not compile")
                continue
            survivor = _Survivor(mutant)
            if by := run.judge(0, own, survivor):
                yield run.fate(mutant, "killed", by, case.id)
            else:
                left.append(survivor)
        yield from run.judge_survivors(left)


@dataclass(frozen=True, slots=True)
class _Solution:
    compiled: Compiled
    seconds: float


@dataclass(slots=True)
class _Survivor:
    """A mutant that no launch has killed yet.

    Attributes:
        rules: By which it does the same as the solution, one for each launch; empty where it does not.
        claim: The id of the first launch at which it does not keep a promise, and nothing else tells it apart.
    """

    mutant: SourceEdit
    rules: list[str] = field(default_factory=list)
    claim: str = ""

    @property
    def rule(self) -> str:
        """The rule by which it is the same code at every launch."""
        if not all(self.rules):
            return ""
        rule = LARGER if LARGER in self.rules else SAME
        return CONSTANTS if self.mutant.constants and rule == SAME else rule


@dataclass(frozen=True, slots=True)
class _Run:
    """A mode on a target, and its solution at each launch."""

    case: Case
    target: Target
    solutions: Sequence[_Solution]
    compiler: Compiler

    def fate(self, mutant: SourceEdit, outcome: str, by: str = "", launch: str = "") -> Fate:
        return Fate(self.target.name, self.case.id, mutant.function, str(mutant), mutant.operator, outcome, by, launch)

    def judge(self, launch: int, own: Compiled, survivor: _Survivor) -> str:
        """Returns what kills a mutant at a launch; else notes the rule by which it does the same, or the promise."""
        solution = self.solutions[launch]
        if not own.calls and (rule := solution.compiled.equality(own)):
            survivor.rules.append(rule)
            return ""
        by = own.verdict(seconds=solution.seconds)
        if by == "claim":
            survivor.claim = survivor.claim or own.size.id
            by = own.verdict(promises=False, seconds=solution.seconds)
        survivor.rules.append("" if by else solution.compiled.equality(own))
        return by

    def judge_survivors(self, left: Sequence[_Survivor]) -> Iterator[Fate]:
        """Runs what survives the documented launch at the further ones, and proves what survives these."""
        further = self.case.further
        made = self.compiler.compile([(survivor.mutant.text, size) for survivor in left for size in further])
        unproved = []
        for at, survivor in enumerate(left):
            by = launch = ""
            for number, own in enumerate(made[at * len(further) : (at + 1) * len(further)], 1):
                by, launch = self.judge(number, own, survivor) if own else "COMPILE_ERROR", further[number - 1].id
                if by:
                    break
            if by:
                yield self.fate(survivor.mutant, "killed", by, launch)
            elif survivor.claim:
                yield self.fate(survivor.mutant, "claim", "claim", survivor.claim)
            elif survivor.rule:
                yield self.fate(survivor.mutant, survivor.rule)
            else:
                unproved.append(survivor.mutant)
        yield from self.prove(unproved)

    def prove(self, unproved: Sequence[SourceEdit]) -> Iterator[Fate]:
        """Proves mutants that survive every launch, by probes or by hand; the others are left over."""
        sizes = self.case.sizes
        probed = [mutant for mutant in unproved if mutant.probe and mutant.decided]
        texts = [probe for mutant in probed for probe in (mutant.probe, mutant.reached)]
        made = self.compiler.compile([(probe, size) for probe in texts for size in sizes])
        fixed = set()
        for at, mutant in enumerate(probed):
            own = made[2 * at * len(sizes) : 2 * (at + 1) * len(sizes)]
            agree, reached = own[: len(sizes)], own[len(sizes) :]
            # Where no thread ever evaluates the changed text, that the values agree says nothing.
            if all(self._runs_clean(number, probe) for number, probe in enumerate(agree)) and any(
                self._is_reached(number, probe) for number, probe in enumerate(reached)
            ):
                fixed.add(mutant)
        for mutant in unproved:
            outcome = FIXED if mutant in fixed else "left over"
            if outcome == "left over" and find_reason(self.case.id, mutant):
                outcome = BY_HAND
            yield self.fate(mutant, outcome)

    def _runs_clean(self, launch: int, probe: Compiled | None) -> bool:
        return probe is not None and not probe.verdict(promises=False, seconds=self.solutions[launch].seconds)

    def _is_reached(self, launch: int, probe: Compiled | None) -> bool:
        if probe is None:
            return False
        return _TRAPPED.match(probe.verdict(promises=False, seconds=self.solutions[launch].seconds)) is not None
