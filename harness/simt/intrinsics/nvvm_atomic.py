"""NVIDIA's atomics with a scope narrower or wider than the device, as clang's built-ins give them.

`llvm.nvvm.atomic.add.gen.i.cta` is `atomicAdd_block`: relaxed, for the threads of a block.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
"""

from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

SCOPES = {"cta": "block", "sys": "system"}
# By the name's middle part; operations of LLVM's `atomicrmw`.
OPERATIONS = {
    "add.gen.i": "add",
    "add.gen.f": "fadd",
    "exch.gen.i": "xchg",
    "max.gen.i": "max",
    "min.gen.i": "min",
    "inc.gen.i": "uinc_wrap",
    "dec.gen.i": "udec_wrap",
    "and.gen.i": "and",
    "or.gen.i": "or",
    "xor.gen.i": "xor",
}


def _update(operation: str, scope: str) -> Stateful:
    def handler(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
        pointer, value = values
        access = Access(site.instruction.type)
        marks = (taints[0], taints[1]) if taints else (None, None)
        return engine.atomics.update(lanes, operation, pointer, value, access, site, marks, scope)

    return handler


def _exchange(scope: str) -> Stateful:
    def handler(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
        pointer, expected, new = values
        marks = (None, None) if taints is None else (taints[0], taints[2] if taints[1] is None else taints[1])
        access = Access(site.instruction.type)
        old, _, taint = engine.atomics.exchange(lanes, pointer, expected, new, access, site, marks, scope)
        return old, taint

    return handler


for word, scope in SCOPES.items():
    for name, operation in OPERATIONS.items():
        stateful(f"llvm.nvvm.atomic.{name}.{word}", accesses=(MemoryAccess(0, "atomic"),))(_update(operation, scope))
    stateful(f"llvm.nvvm.atomic.cas.gen.i.{word}", accesses=(MemoryAccess(0, "atomic"),))(_exchange(scope))
