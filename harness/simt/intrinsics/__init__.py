"""What calls do: every module here declares its handlers when imported.

Those of which most kernels need nothing are imported when one of their names is first looked up.
"""

from importlib import import_module

from harness.simt.compile.registry import declare_lazily

__all__: list[str] = []

OFTEN = (
    *("blocks", "generic", "host", "math", "nvvm_atomic", "nvvm_cluster", "nvvm_copy"),
    *("nvvm_index", "nvvm_mbarrier", "nvvm_sync", "nvvm_warp"),
)
LATER = {
    "air.": ("air", "air_matrix", "written_out"),
    "asm:": (
        *("assembly", "eight_bit", "nvvm_mma", "nvvm_mma_integer", "nvvm_tensor", "nvvm_wgmma"),
        *("prelude_assembly", "ptx_arithmetic", "ptx_async", "ptx_convert", "ptx_integer", "ptx_logic"),
        *("ptx_matrix", "ptx_memory", "ptx_simd", "ptx_sync"),
    ),
    "llvm.amdgcn.": (
        *("amdgcn", "amdgcn_buffer", "amdgcn_float", "amdgcn_integer", "amdgcn_lanes", "amdgcn_matrix", "eight_bit"),
        "written_out",
    ),
    "llvm.nvvm.cp.async.bulk.tensor.": ("nvvm_tensor",),
    "llvm.nvvm.ldmatrix.": ("nvvm_mma",),
    "llvm.nvvm.mma.": ("nvvm_mma", "nvvm_mma_integer"),
    "llvm.nvvm.prefetch.tensormap": ("nvvm_tensor",),
    "llvm.nvvm.stmatrix.": ("nvvm_mma",),
    "llvm.nvvm.wgmma.": ("nvvm_wgmma",),
    "llvm.nvvm.wmma.": ("nvvm_wmma",),
    "std_sys__amdgpu_hostcall": ("hostcall",),
}
SPELLED = (
    *("add.", "bf2h.", "div.", "e4m3x2.", "e5m2x2.", "f16x2.", "f2bf16.", "f2f16.", "f2tf32.", "ff.", "ff2"),
    *("fma.", "fmax.", "fmin.", "mul.", "neg.", "prmt", "saturate", "sqrt."),
)
WRITTEN_OUT = (
    *("canonicalize", "convert.from.fp16", "expect", "frexp", "launder.", "ldexp", "llrint", "llround", "lrint"),
    *("lround", "ptr.annotation", "round", "sincos", "sshl.sat", "ssa.copy", "stepvector", "strip.", "ushl.sat"),
    *("vector.extract", "vector.insert", "vector.reduce.f", "vector.reverse", "vector.splice."),
)
PRELUDE = (  # of NVIDIA: arithmetic that rounds in a direction, integers, conversions
    *("add.r", "ceil.", "d2", "div.r", "f2h.", "f2i.", "f2ll.", "f2ui.", "f2ull.", "fabs.ftz", "floor.", "fma.r", "i2"),
    *("idp", "ll2", "lohi.", "mbarrier.pending.", "mul.r", "mul24.", "mulhi.", "rcp.", "round.", "rsqrt.approx.d"),
    *("bmsk.", "fsh", "sad.", "sext.", "sqrt.r", "trunc.", "ui2", "ull2", "zext."),
)
LATER |= {f"llvm.{name}": ("written_out",) for name in WRITTEN_OUT}
for name in SPELLED:
    LATER[f"llvm.nvvm.{name}"] = ("nvvm_spelled",)
for name in PRELUDE:
    beginning = f"llvm.nvvm.{name}"
    LATER[beginning] = (*LATER.get(beginning, ()), "prelude_nvvm")
for beginning, modules in LATER.items():
    declare_lazily(beginning, *(f"{__name__}.{module}" for module in modules))
for name in OFTEN:
    import_module(f"{__name__}.{name}")
