"""NVIDIA's asynchronous copies from global to shared memory, `cp.async`, and their groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy
"""

from harness.simt.compile.registry import effect, fence, ignored
from harness.simt.intrinsics.asynchronous import Commit, Copy, WaitGroups

__all__: list[str] = []

NAME = "llvm.nvvm.cp.async"
SIZES = {"ca": (4, 8, 16), "cg": (16,)}
for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{NAME}.{cache}.shared.global.{size}"
        effect(name, of=Copy(size), native=f"copy.{size}")
        effect(f"{name}.s", of=Copy(size, given=2))
effect(f"{NAME}.commit.group", of=Commit("cp.async"), native="commit")
effect(f"{NAME}.wait.group", f"{NAME}.wait.all", of=WaitGroups("cp.async"), native="land")

# A grid begins when the one before it has ended; who did not wait all the same is told of whole programs.
fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
ignored("llvm.nvvm.griddepcontrol.launch.dependents")
