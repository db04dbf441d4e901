"""Why the mutants that survive cannot be told from the solutions.

A rule names mutants by operator and by a pattern of `old -> new`; `nth` counts the
instructions that differ in their registers only, from 0. Every survivor must meet a
rule, every rule a survivor, and no killed mutant may meet one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tests.mutants.operators import IrMutant

__all__ = ["RULES", "Rule", "explain"]

ANY, AMD, WIDTH_32 = r".*", r"amd:.*", r"(?!amd:gfx942).*"
BUTTERFLIES = ("p26:pair-swap", "p26:parallel-max", "p26:conditional-max")
MAXIMA = BUTTERFLIES[1:]
V = r"%\d+"
CHANGE, NEGATE, SHIFT = "change-constant", "negate-comparison", "shift-comparison"


@dataclass(frozen=True, slots=True)
class Rule:
    """A class of equivalent mutants.

    Attributes:
        cases: The cases it speaks of.
        operators: Their operators.
        pattern: Matches the whole of `old -> new`.
        reason: The proof, in a sentence or two.
        nth: Which instruction of that text, or None for any.
        targets: Matches the targets it speaks of.
        documented: Whether it holds at the documented launch alone: at another one the mutant may be told apart.
    """

    cases: Collection[str]
    operators: Collection[str]
    pattern: str
    reason: str
    nth: int | None = None
    targets: str = ANY
    documented: bool = False

    def fits(self, case: str, target: str, mutant: IrMutant) -> bool:
        """Whether it explains a mutant."""
        change = f"{mutant.old} -> {mutant.new}"
        return (
            case in self.cases
            and re.fullmatch(self.targets, target) is not None
            and mutant.operator in self.operators
            and re.fullmatch(self.pattern, change) is not None
            and self.nth in (None, _nth(mutant))
        )


def _nth(mutant: IrMutant) -> int:
    own = re.sub(V, "%", mutant.old)
    before = mutant.text.split("\n")[: mutant.line - 1]
    return sum(re.sub(V, "%", line.strip()).startswith(own) for line in before)


SUMS = ("p24:kernel", "p24:functional", "p27:block-sum-dot-product", "p27:normalize")
SHUFFLED = r"float @llvm\.nvvm\.shfl\.sync\.bfly\.f32\(i32 -1, float %\d+, i32"
ALL = ("p15", *BUTTERFLIES, "p34:reduction")
ENOUGH = "the documented grid has exactly as many threads as there are elements"
POSITIVE = "the stride is never negative, so the term that makes the division round down is 0 either way"
RULES = (
    Rule(ALL, (CHANGE,), rf"{V} = mul i64 {V}, 2 -> .* 3", POSITIVE, nth=0),
    Rule(ALL, (CHANGE,), rf"{V} = xor i64 {V}, 2 -> .* 3", POSITIVE),
    Rule(ALL, (NEGATE,), rf"{V} = icmp eq i64 {V}, {V} -> .*", POSITIVE),
    Rule(
        ("p15",),
        ("delete-barrier", "delete-fence"),
        r"(call void @.*(barrier\(.*|all\(i32 0)\)|fence .*) -> ",
        "a step reads slots stride..2*stride-1 and writes slots 0..stride-1, each its own thread's: "
        "the barrier between reading and adding orders nothing that conflicts",
        nth=1,
    ),
    Rule(
        ("p15", "p34:reduction"),
        (CHANGE,),
        rf"{V} = icmp eq i64 {V}, 0 -> .* 1",
        "after the last barrier of the tree any one thread may hand the sum on, and thread 1 does",
        nth=0,
    ),
    Rule(
        ("p12", "p24:traditional", "p27:traditional-dot-product", SUMS[0]),
        (CHANGE,),
        rf"{V} = icmp eq i64 {V}, 0 -> .* 1",
        "the sum lies in shared memory behind a barrier, or in every lane: any one thread may hand it on",
    ),
    Rule(
        SUMS,
        (CHANGE,),
        rf"{V} = call {SHUFFLED} (16|8|4|2), i32 31\) -> {V} = call {SHUFFLED} (17|9|5|3), i32 31\)",
        "as bit vectors the offsets are still a basis: each lane still gets the sum of all, whose terms are exact",
    ),
    Rule(
        ("p15",),
        (CHANGE,),
        rf"{V} = phi float \[ 0\.0+e\+00, .*",
        "the addend of a thread that takes no part in the step is not used",
    ),
    Rule(
        BUTTERFLIES[:2],
        (SHIFT, CHANGE),
        rf"{V} = icmp slt i64 {V}, (32|64) -> .*",
        ENOUGH,
    ),
    Rule(
        BUTTERFLIES[2:],
        (SHIFT, CHANGE),
        rf"{V} = icmp slt i64 {V}, 64 -> .*",
        ENOUGH,
        targets=WIDTH_32,
    ),
    Rule(
        MAXIMA,
        (CHANGE,),
        rf"{V} = phi i64 \[ {V}, {V} \], \[ (16|32), {V} \] -> .*",
        "the offsets become 17, 8, 4, 2, 1 (33, 16, ...): as bit vectors they are still a basis, "
        "so the butterfly still joins all lanes, in as many steps",
    ),
    Rule(
        MAXIMA,
        (CHANGE,),
        rf"{V} = select i1 {V}, i64 0, i64 {V} -> .*",
        "the offsets become 16, 9, 4, 3, 1: as bit vectors they are still a basis",
        targets=WIDTH_32,
    ),
    Rule(
        ("p26:conditional-max",),
        (NEGATE, SHIFT, CHANGE),
        rf"{V} = icmp slt i64 {V}, 0 -> .*",
        "the sign of the lane matters only for an odd lane, whose remainder 1 or 1 + 2 is not 0 either way",
    ),
    Rule(
        ("p26:conditional-max",),
        (NEGATE, CHANGE),
        rf"{V} = icmp ne i64 {V}, 0 -> .*",
        "it is joined by `and` with `lane < 0`, which never holds",
    ),
    Rule(
        ("p26:conditional-max",),
        (CHANGE,),
        rf"{V} = select i1 {V}, i64 2, i64 0 -> .* i64 3, i64 0",
        "the arm for a negative lane is never chosen",
    ),
    Rule(
        BUTTERFLIES,
        (SHIFT,),
        rf"{V} = icmp ult i32 {V}, {V} -> .*",
        "lane xor offset is always below the end of its wave",
        targets=AMD,
    ),
    Rule(
        BUTTERFLIES,
        (CHANGE,),
        rf"{V} = (and i32 {V}, -(32|64)|add i32 {V}, (32|64)) -> .*",
        "the end of the wave moves up, and lane xor offset is below it all the same",
        targets=AMD,
    ),
    Rule(
        BUTTERFLIES,
        (CHANGE,),
        r".*mbcnt\.hi\(i32 -1, .*",
        "a wave of 32 has no upper half to count",
        targets=r"amd:gfx1100",
    ),
    Rule(
        ("p15", *BUTTERFLIES[:2]),
        (CHANGE,),
        rf"{V} = getelementptr inbounds i16, .*, i32 6 -> .*",
        "the block's size in x is multiplied by the number of the only block in x, 0",
        targets=AMD,
        documented=True,
    ),
    Rule(
        ("p34:reduction",),
        (SHIFT,),
        rf"{V} = icmp slt i64 {V}, {V} -> .*",
        "size is the number of threads of the documented grid: no thread's number equals it",
        nth=0,
        documented=True,
    ),
    Rule(
        ("p34:reduction",),
        ("delete-store", CHANGE),
        r"store float 0\.0+e\+00, ptr addrspace\(3\).*",
        "size is the number of threads of the documented grid: no thread is past the end",
        documented=True,
    ),
)


def explain(case: str, target: str, mutant: IrMutant) -> Rule | None:
    """The rule that explains a survivor, or None."""
    return next((rule for rule in RULES if rule.fits(case, target, mutant)), None)
