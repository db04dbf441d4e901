"""What assembly and the functions of the prelude are lowered to beside LLVM's own, as functions of the prelude."""

from harness.simt.compile.prelude import declare

__all__: list[str] = []

for file in ("amdgcn", "ptx", "rounding"):
    declare(file)
