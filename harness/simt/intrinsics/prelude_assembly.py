"""Declare `asm:` intrinsics from prelude files in LLVM IR: PTX's shifts, bit fields, `cvt`, rounding; two for AMD."""

from harness.simt.compile.prelude import declare_file

__all__: list[str] = []

for file in ("amdgcn", "ptx", "rounding"):
    declare_file(file)
