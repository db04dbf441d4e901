"""Which operations a launch computed exactly, and which not.

`exact`: bit for bit what the architecture defines. `may fuse`: exact as written,
but the compiler may contract it into an fma. `approximate`: the hardware's
result may differ in the last places. `unknown`: refused.
"""

from collections.abc import Mapping
from types import MappingProxyType

from harness.simt.compile.program import Program

__all__ = ["note", "record"]


def note(program: Program, operation: str, level: str) -> None:
    """Records how an operation of a program is computed."""
    program.made.fidelity[operation] = level


def record(program: Program) -> Mapping[str, str]:
    """The record as a read-only mapping from operation to level."""
    return MappingProxyType(dict(program.made.fidelity))
