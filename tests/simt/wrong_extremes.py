"""Engines that trust a size, an address or a length: `python -m tests.simt.wrong_extremes NAME` makes one and runs
kernels at their edges until one shows it. Exits 9 if none does; the process may also end by what is wrong.
"""

from __future__ import annotations

import inspect
import resource
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from harness.simt.compile import emit_memory, program
from harness.simt.intrinsics import bulk_memory
from harness.simt.ir import sizes
from harness.simt.native.lower import access_granularity as grain
from harness.simt.native.lower import local_memory as local
from harness.simt.native.sanitize import address as spots
from tests.simt import random_extremes
from tests.simt.compare_extremes import compared

__all__ = ["SURVIVED", "WRONG"]

SEEDS = 300  # of one kind of statement, until what is wrong must have shown
SURVIVED = 9
MEMORY = 6 << 30  # bytes that the process may take

# What is wrong: the function, what stands there, what takes its place, and the kind of statement that shows it.
WRONG = {
    "a count has a sign": (sizes.unsigned_value, "& ((1 << bits_of(constant.type)) - 1)", "", "local_variable"),
    "a local variable has no count": (sizes.allocation_bytes, "unsigned_value(count)", "1", "local_variable"),
    "machine code copies a byte within bounds": (local._of, "access.width, pointer)", "1, pointer)", "block_copy"),
    "a product of constants does not wrap": (
        emit_memory.emit_getelementptr, ":= to_signed(fixed)", "", "address_arithmetic",
    ),
    "machine code skips what is in front": (
        spots._check_within,
        "not 0 <= where.fixed",
        "not where.fixed",
        "local_variable",
    ),
    "an address counts with a sign in machine code": (
        spots._check_within, "icmp_unsigned", "icmp_signed", "address_arithmetic",
    ),
    "machine code forgets the width": (
        spots._check_within, "where.offset), width)", "where.offset), 0)", "address_arithmetic",
    ),
    "a length has a sign": (
        bulk_memory._lengths, '.view(f"u{requested.dtype.itemsize}").astype(np.uint64)', "", "block_copy",
    ),
    "a length has a sign in machine code": (
        grain.accessed_bytes, "unsigned_value(length)", "length.value", "block_copy",
    ),
    "each number is a variable's": (
        program.Program.variable_at, "0 < number <= len(self.variables)", "number", "constant_address",
    ),
    "a constant address does not wrap": (
        program.Program.address, "to_signed(self._constant(operand), bits_of(operand.type) or ADDRESS_BITS)",
        "self._constant(operand)", "constant_expression",
    ),
}  # fmt: skip


def replace_in_source(function: Callable[..., Any], old: str, new: str) -> Callable[..., Any]:
    """Make a function again with a part of its source replaced."""
    source = textwrap.dedent(inspect.getsource(function))
    if old not in source:
        sys.exit(SURVIVED)
    lines = source.replace(old, new).splitlines()
    while lines[0].startswith("@"):
        del lines[0]
    made: dict[str, Any] = {}
    exec("\n".join(["from __future__ import annotations", *lines]), sys.modules[function.__module__].__dict__, made)
    wrong: Callable[..., Any] = made[function.__name__]
    return wrong


def _holders(function: Callable[..., Any]) -> Iterator[tuple[dict[Any, Any], Any]]:
    """Where the function stands: in modules that import it, and in their tables."""
    for module in [one for name, one in sys.modules.items() if name.startswith("harness.simt")]:
        for name, value in list(vars(module).items()):
            if value is function:
                yield vars(module), name
            if isinstance(value, dict):
                yield from ((value, key) for key, one in list(value.items()) if one is function)


def main(name: str) -> int:
    """Run kernels by the wrong engine until one is not as it should be."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    function, old, new, kind = WRONG[name]
    compared(0)  # imports what is imported late
    instead = replace_in_source(function, old, new)
    if "." in function.__qualname__:
        setattr(program.Program, function.__name__, instead)
    for table, key in list(_holders(function)):
        table[key] = instead
    for seed in range(SEEDS):
        try:
            compared(seed, [getattr(random_extremes, kind)])
        except (AssertionError, KeyError, OverflowError, MemoryError) as error:
            print(f"caught by seed {seed}: {error!r}")
            return 0
    return SURVIVED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
