"""Declare NVIDIA's intrinsics that only compute, from prelude files in LLVM IR: integers, rounding, conversions."""

from harness.simt.compile.prelude import declare_file

__all__: list[str] = []

for file in ("nvvm_integer", "nvvm_float", "nvvm_to_integer", "nvvm_to_float"):
    declare_file(file)
