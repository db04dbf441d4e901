"""Declare the prelude's intrinsics that only assembly and other prelude functions are lowered to."""

from harness.simt.compile.prelude import declare_file

__all__: list[str] = []

for file in ("amdgcn", "ptx", "rounding"):
    declare_file(file)
