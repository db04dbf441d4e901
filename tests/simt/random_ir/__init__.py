"""Random kernels as LLVM IR text, made from a seed.

`structured` nests ifs, switches, loops and early exits as a compiler would, and
puts barriers and shuffles where all lanes come, and anywhere vectors, structs, calls of
all kinds and copies that are waited for later; `graph` joins blocks at random, irreducible loops included, with
fuel so that every lane ends. No kernel has a race, reads what nobody wrote, or depends
on anything that LLVM leaves open.
"""

from tests.simt.random_ir.calls import makers, signatures
from tests.simt.random_ir.graph import graph
from tests.simt.random_ir.kernel import COUNTERS, MIRROR, SLOT_BYTES, Kernel
from tests.simt.random_ir.octets import LANES, SIZE, Octets, octets
from tests.simt.random_ir.structured import structured

__all__ = [
    "COUNTERS",
    "LANES",
    "MIRROR",
    "SIZE",
    "SLOT_BYTES",
    "Kernel",
    "Octets",
    "graph",
    "makers",
    "octets",
    "signatures",
    "structured",
]
