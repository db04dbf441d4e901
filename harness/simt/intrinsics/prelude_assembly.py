"""What assembly and the functions of the prelude are lowered to beside LLVM's own, as functions of the prelude."""

from harness.simt.compile.prelude import declare_file

__all__: list[str] = []

for file in ("amdgcn", "ptx", "rounding"):
    declare_file(file)
