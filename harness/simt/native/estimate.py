"""Estimate CPU seconds of interpreting a launch, and of emitting and compiling a kernel; `attempt` compares them."""

from __future__ import annotations

import sys
from typing import NamedTuple

from harness.simt.compile.program import Program

__all__ = ["OPTIMISED", "PATIENCE", "QUICK", "WRITING", "Costs", "costs_of", "interpreting", "is_slower_unoptimised"]

# So many times what it costs a launch must take interpreted before that is worth it. Whatever comes together of these
# takes less than half of the interpreter's time, which is what `auto` may add.
WRITING, QUICK, OPTIMISED = 5.0, 4.0, 3.0
PATIENCE = 2.5  # the same of all together, for a launch that turns out to be long and begins again
IMPORTING = 0.12  # what writes modules, once in a process
# Of a module: for all of it, for each instruction, for each load and store, which have checks.
SECONDS = 0.003, 40e-6, 150e-6
CHARACTERS = 35_000, 40, 2_900
OUTLINED = 450  # characters of a load or store whose checks are a call
# What an instruction of a thread takes: interpreted, a load or store also where observers look on; not optimised.
ARITHMETIC, ACCESS, OBSERVED = 0.8e-9, 2e-9, 60e-9
QUICK_ARITHMETIC, QUICK_ACCESS = 5e-9, 40e-9


class Costs(NamedTuple):
    """Estimated costs of making machine code of a kernel, in seconds of CPU.

    Attributes:
        writing: Emitting its module.
        quick, optimised: Compiling it, without optimising and with it.
    """

    writing: float
    quick: float
    optimised: float

    @property
    def together(self) -> float:
        """The costs of a launch that is emitted and optimised at once."""
        return self.writing + self.optimised


def costs_of(program: Program, inline_checks: int, quick: float, optimised: float, calls: float) -> Costs:
    """Estimate the CPU seconds of emitting a kernel, and of compiling it without and with optimisation.

    They follow from the numbers of instructions; nothing is emitted. Emitting costs 0.12 s more if this process has not
    imported `harness.simt.native.module` yet.

    Args:
        inline_checks: So many loads and stores have checks in line; checks of all others are calls, with less code.
        quick, optimised: Seconds of compiling for each character of a module.
        calls: Seconds of optimising, times the square of the number of checks that are calls.
    """
    count, accesses = program.instructions
    outlined = max(0, accesses - inline_checks)
    characters = CHARACTERS[0] + CHARACTERS[1] * count + CHARACTERS[2] * (accesses - outlined) + OUTLINED * outlined
    importing = 0.0 if "harness.simt.native.module" in sys.modules else IMPORTING
    writing = importing + SECONDS[0] + SECONDS[1] * count + SECONDS[2] * accesses
    return Costs(writing, quick * characters, optimised * characters + calls * outlined**2)


def interpreting(program: Program, threads: int, *, observed: bool) -> float:
    """Return a lower estimate of the CPU seconds that interpreting a launch takes: each loop counts as 4 rounds.

    Args:
        observed: Whether observers see each load and store, which then takes 30 times as long.
    """
    count, accesses = program.estimated_instructions
    return threads * ((count - accesses) * ARITHMETIC + accesses * (OBSERVED if observed else ACCESS))


def is_slower_unoptimised(program: Program, threads: int, interpreted: float) -> bool:
    """Return whether unoptimised machine code would run longer than the interpreter; compiling does not count.

    Args:
        threads: The number of all threads of the launch.
        interpreted: The seconds that the interpreter takes for all of them.
    """
    count, accesses = program.estimated_instructions
    return threads * ((count - accesses) * QUICK_ARITHMETIC + accesses * QUICK_ACCESS) > interpreted
