"""A reference interpreter: one lane at a time, one instruction at a time.

It reads the decoded `ir` and shares nothing else with the simulator: integers
are Python's, masked to their width, a float is a Python float rounded through
`struct`, a pointer is a buffer and an offset. Each lane has a program counter
of its own and runs until it ends or waits. Slow, and meant to be read.
See: https://llvm.org/docs/LangRef.html and, for warps, the PTX manual.
"""

from tests.simt.reference.machine import Reference, StuckError
from tests.simt.reference.memory import Address, NotModelledError

__all__ = ["Address", "NotModelledError", "Reference", "StuckError"]
