"""NVIDIA's intrinsics for atomics of block or system scope, as clang names its built-ins; by effects of `atomics`.

`llvm.nvvm.atomic.add.gen.i.cta` is `atomicAdd_block`: relaxed, for the threads of a block.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
"""

from harness.simt.compile.registry import declare_effect
from harness.simt.intrinsics.atomics import CompareExchange, Update

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
for word, scope in SCOPES.items():
    for name, operation in OPERATIONS.items():
        update = Update(scope, operation=operation, floating=operation)
        declare_effect(f"llvm.nvvm.atomic.{name}.{word}", of=update, compiled=f"update.{operation}.{scope}")
    declare_effect(f"llvm.nvvm.atomic.cas.gen.i.{word}", of=CompareExchange(scope))
