"""The intrinsics: importing this package declares the common ones, and names the modules that declare the others.

Each module declares its intrinsics when it is imported. Modules that most kernels do not need are imported when one of
their names is first looked up.
"""

from importlib import import_module

from harness.simt.compile.registry import declare_lazily

__all__: list[str] = []

ALWAYS = (
    *("bulk_memory", "host", "llvm_float", "llvm_integer", "nvvm_atomic", "nvvm_cluster", "nvvm_copy"),
    *("nvvm_index", "nvvm_mbarrier", "nvvm_sync", "nvvm_warp"),
)
LAZY_MODULES = {
    "air.": ("air", "air_matrix", "llvm_expansions"),
    "asm:": (
        *("assembly", "eight_bit", "nvvm_mma", "nvvm_mma_integer", "nvvm_tensor", "nvvm_wgmma"),
        *("prelude_assembly", "ptx_arithmetic", "ptx_async", "ptx_convert", "ptx_integer", "ptx_logic"),
        *("ptx_matrix", "ptx_memory", "ptx_simd", "ptx_sync"),
    ),
    "llvm.amdgcn.": (
        *("amdgcn", "amdgcn_buffer", "amdgcn_float", "amdgcn_integer", "amdgcn_lanes", "amdgcn_matrix", "eight_bit"),
        "llvm_expansions",
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
NVVM_AS_PTX = (
    *("add.", "bf2h.", "div.", "e4m3x2.", "e5m2x2.", "f16x2.", "f2bf16.", "f2f16.", "f2tf32.", "ff.", "ff2"),
    *("fma.", "fmax.", "fmin.", "mul.", "neg.", "prmt", "saturate", "sqrt."),
)
LLVM_EXPANSIONS = (
    *("canonicalize", "convert.from.fp16", "expect", "frexp", "launder.", "ldexp", "llrint", "llround", "lrint"),
    *("lround", "ptr.annotation", "round", "sincos", "sshl.sat", "ssa.copy", "stepvector", "strip.", "ushl.sat"),
    *("vector.extract", "vector.insert", "vector.reduce.f", "vector.reverse", "vector.splice."),
)
NVVM_PRELUDE = (  # arithmetic with a rounding mode, integers, conversions
    *("add.r", "ceil.", "d2", "div.r", "f2h.", "f2i.", "f2ll.", "f2ui.", "f2ull.", "fabs.ftz", "floor.", "fma.r", "i2"),
    *("idp", "ll2", "lohi.", "mbarrier.pending.", "mul.r", "mul24.", "mulhi.", "rcp.", "round.", "rsqrt.approx.d"),
    *("bmsk.", "fsh", "sad.", "sext.", "sqrt.r", "trunc.", "ui2", "ull2", "zext."),
)
LAZY_MODULES |= {f"llvm.{name}": ("llvm_expansions",) for name in LLVM_EXPANSIONS}
for name in NVVM_AS_PTX:
    LAZY_MODULES[f"llvm.nvvm.{name}"] = ("nvvm_as_ptx",)
for name in NVVM_PRELUDE:
    prefix = f"llvm.nvvm.{name}"
    LAZY_MODULES[prefix] = (*LAZY_MODULES.get(prefix, ()), "prelude_nvvm")
for prefix, modules in LAZY_MODULES.items():
    declare_lazily(prefix, *(f"{__name__}.{module}" for module in modules))
for name in ALWAYS:
    import_module(f"{__name__}.{name}")
