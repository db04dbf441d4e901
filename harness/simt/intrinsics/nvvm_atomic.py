"""NVIDIA's atomics with a scope narrower or wider than the device, as clang's built-ins give them.

`llvm.nvvm.atomic.add.gen.i.cta` is `atomicAdd_block`: relaxed, for the threads of a block.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
"""

from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.state.allocation import Access

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
    def handler(call: Call) -> Result:
        pointer, value = call.values
        access = Access(call.site.instruction.type)
        marks = call.taint(0), call.taint(1)
        return call.engine.atomics.update(call.lanes, operation, pointer, value, access, call.site, marks, scope)

    return handler


def _exchange(scope: str) -> Stateful:
    def handler(call: Call) -> Result:
        pointer, expected, new = call.values
        marks = call.taint(0), call.taint(1, 2)
        access = Access(call.site.instruction.type)
        old, _, taint = call.engine.atomics.exchange(
            call.lanes, pointer, expected, new, access, call.site, marks, scope
        )
        return old, taint

    return handler


for word, scope in SCOPES.items():
    for name, operation in OPERATIONS.items():
        stateful(f"llvm.nvvm.atomic.{name}.{word}", accesses=(MemoryAccess(0, "atomic"),))(_update(operation, scope))
    stateful(f"llvm.nvvm.atomic.cas.gen.i.{word}", accesses=(MemoryAccess(0, "atomic"),))(_exchange(scope))
