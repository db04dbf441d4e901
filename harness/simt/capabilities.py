"""Table of intrinsics, PTX and atomics that only some targets have, by name pattern, with sources; and its look-up.

Using what a target lacks is an error at its line, never a pass; `compile.requirements` searches a kernel for it.

A row holds for the targets of one vendor. `has` says which of them have the capability; on the others its use is the
finding `capability.ID`. How wide, how many and how large things may be are figures of `harness.simt.gpus`; a launch
that exceeds them is refused.

Sources, as of 2026:

* NVIDIA: the "Target ISA Notes" of each instruction in the PTX ISA (version 9). NVIDIA's own compiler of PTX agrees
  for sm_75 and later; a test asks it.
* AMD: LLVM 22's AMDGPU target, which cannot select the instruction for other processors (`llc -mcpu=...`), and its user
  guide, "Processors" and "Memory Model"; the linker, to which `malloc` is an undefined symbol.
* Apple: the Metal Shading Language Specification (version 4): "C++ Restrictions" (no `new` and `delete`, no function
  pointers but those of a table), "Scalar Data Types" (no `double`), "Atomic Functions" (widths; arithmetic of
  `atomic_float` only in device memory; `atomic_ulong` only with `min` and `max`). The Metal Feature Set Tables: 64-bit
  atomics of Apple8 (M2) and later. That Metal compiles and launches a kernel with a heap, and that its stores are lost:
  https://github.com/modular/modular/issues/6923
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from harness.simt.gpus import Gpu, Vendor

__all__ = [
    "CAPABILITIES",
    "DOUBLES",
    "FLOAT_ATOMICS",
    "FUNCTION_POINTERS",
    "OTHER_ATOMICS",
    "WIDE_ATOMICS",
    "Capability",
    "Use",
    "is_listed",
    "missing_capability",
]

MSL = "Metal Shading Language Specification"
FEATURE_TABLES = "Metal Feature Set Tables"
PTX = "PTX ISA, Target ISA Notes"
AMDGPU = "LLVM 22, AMDGPU target"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """A row of the table.

    Attributes:
        id: The second part of the finding's id.
        vendor: The vendor whose targets may lack it.
        what: The capability in words.
        targets: The targets that have it, in words that are the same in each language; empty for none.
        has: Returns whether a target of the vendor has it.
        source: The document that says so.
        calls: A pattern of the intrinsics and functions that need it, matched to the whole name without suffix.
        assembly: A pattern of the instructions of inline assembly that need it, matched to the whole opcode.
        atomics: A pattern of LLVM's own atomic instructions that need it, written as `load i32 acquire cluster`.
        when: `compiled`: the target's own compiler rejects the whole kernel; `run`: only lanes that execute it fail.
    """

    id: str
    vendor: Vendor
    what: str
    targets: str
    has: Callable[[Gpu], bool]
    source: str
    calls: str = ""
    assembly: str = ""
    atomics: str = ""
    when: Literal["compiled", "run"] = "compiled"


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a capability that the target lacks.

    Attributes:
        subject: The instruction, function or type, as the code names it.
    """

    capability: Capability
    subject: str


def _since(
    first: int, what: str, calls: str = "", assembly: str = "", atomics: str = "", before: int = 1000
) -> Capability:
    """Make a row for NVIDIA's instructions that exist from one compute capability on, and before another."""
    return Capability(
        id="instruction",
        vendor="nvidia",
        what=what,
        targets=f"sm_{first}+" if before == 1000 else f"sm_{first}a",
        has=lambda gpu: first <= (gpu.capability or 0) < before,
        source=PTX,
        calls=f"llvm\\.nvvm\\.(?:{calls})" if calls else "",
        assembly=assembly,
        atomics=atomics,
    )


CDNA = ("gfx90a", "gfx942", "gfx950")
GFX10 = ("gfx103",)
GFX11 = ("gfx110", "gfx115")
GFX12 = ("gfx120",)


def _on(families: tuple[str, ...], what: str, calls: str) -> Capability:
    """Make a row for AMD's instructions, with the beginnings of the names of the processors that have them."""
    return Capability(
        id="instruction",
        vendor="amd",
        what=what,
        targets=", ".join(name if len(name) > 6 or name in CDNA else f"{name}x" for name in families),
        has=lambda gpu: gpu.architecture.startswith(families),
        source=AMDGPU,
        calls=f"llvm\\.amdgcn\\.(?:{calls})",
    )


def _never(
    name: str,
    vendor: Vendor,
    what: str,
    source: str,
    calls: str = "",
    when: Literal["compiled", "run"] = "compiled",
) -> Capability:
    """Make a row for a capability that no target of the vendor has."""
    return Capability(
        id=name, vendor=vendor, what=what, targets="", has=lambda _: False, source=source, calls=calls, when=when
    )


HEAP = "malloc|free"
RUNTIME = "vprintf|__assertfail"
RUNTIME_WORDS = "functions of CUDA's runtime: `vprintf`, `__assertfail`"
UNDEFINED = "ld.lld: undefined symbol"
COPY = "(?:c[ag]|commit|wait|mbarrier)"  # the beginnings of `cp.async` that are no bulk copies
ORDERS = "relaxed|acquire|release|acq_rel"

# Capabilities without a name pattern; `harness.simt.compile.requirements` finds their uses.
DOUBLES = _never("double", "apple", "doubles: 64-bit floats, computed with or moved", f"{MSL}, Scalar Data Types")
WIDE_ATOMICS = Capability(
    id="atomic",
    vendor="apple",
    what="64-bit atomics: unsigned `min` and `max` in device memory, whose old value is not used",
    targets="apple-m2+",
    has=lambda gpu: gpu.architecture != "apple-m1",
    source=f"{MSL}, Atomic Modify Functions (64 Bits); {FEATURE_TABLES}",
)
OTHER_ATOMICS = _never(
    "atomic", "apple", "all other atomics of 64 bits; atomics of 8 and of 16 bits", f"{MSL}, Atomic Functions"
)
FLOAT_ATOMICS = _never(
    "atomic",
    "apple",
    "atomic `add` and `sub` of floats in threadgroup memory, `min` and `max` of floats in any",
    f"{MSL}, Atomic Functions",
)
FUNCTION_POINTERS = _never(
    "function-pointer",
    "apple",
    "calls through pointers that no visible function table holds",
    f"{MSL}, C++ Restrictions and Visible Functions",
)

CAPABILITIES: tuple[Capability, ...] = (
    _never(
        "heap", "apple", "a heap in a kernel: `malloc`, `free`", f"{MSL}, C++ Restrictions; modular#6923", HEAP, "run"
    ),
    DOUBLES,
    WIDE_ATOMICS,
    OTHER_ATOMICS,
    FLOAT_ATOMICS,
    FUNCTION_POINTERS,
    _never("runtime", "apple", RUNTIME_WORDS, MSL, RUNTIME),
    # Mojo's `print` has a `free` of what it never allocates there, which AMD's backend drops.
    _never("heap", "amd", "`malloc` that the module does not define", UNDEFINED, "malloc"),
    _never("runtime", "amd", RUNTIME_WORDS, UNDEFINED, RUNTIME),
    _on(CDNA, "`mfma`", r"mfma\..*"),
    _on(
        CDNA[1:],
        "`mfma` of 8-bit floats, and the larger ones of 8-bit integers",
        r"mfma\.(?:.*\.(?:fp8|bf8)|i32\.(?:16x16x32|32x32x16)\.i8)",
    ),
    _on(CDNA[2:], "the larger `mfma` of 16-bit floats", r"mfma\.f32\.(?:16x16x32|32x32x16)\.b?f16"),
    _on((*GFX11, *GFX12), "`wmma`", r"wmma\..*"),
    _on(GFX11, "`wmma` of operands that both halves of a wave hold", r"wmma\..*\.v16b?[fi]16"),
    _on((*CDNA[1:], *GFX12), "conversions to 8-bit floats", r"cvt\.(?:pk\.)?(?:(?:fp8|bf8)\.f32|f32\.(?:fp8|bf8))"),
    _on((*CDNA, *GFX10), "the scalar clocks `s_memtime`, `s_memrealtime`", r"s\.mem(?:real)?time"),
    _on((*CDNA, *GFX10), "copies from global to shared memory", r"raw\.ptr\.buffer\.load\.lds"),
    _on((*GFX10, *GFX11, *GFX12), "votes of 32 lanes", r"(?:inverse\.)?ballot\.i32"),
    _on(("gfx125",), "`v_tanh`", r"tanh(?:\..*)?"),
    _since(53, "arithmetic of `f16`", "", r"(?:add|sub|mul|fma|set|setp)\.(?:.*\.)?f16(?:x2)?"),
    _since(60, "atomics with a scope", r"atomic\..*\.(?:cta|sys)", r"(?:atom|red)\.(?:.*\.)?(?:cta|gpu|sys)\..*"),
    _since(60, "atomic `add` of `f64`, `f16x2`", "", r"(?:atom|red)\.(?:.*\.)?add\.(?:f64|noftz\.f16x2)"),
    _since(61, "`dp4a`, `dp2a`", r"idp[24]a\..*", r"dp[24]a\..*"),
    _since(70, "atomic `add` of `f16`, `cas` of `b16`", "", r"(?:atom|red)\.(?:.*\.)?(?:add\.noftz\.f16|cas\.b16)"),
    _since(
        70,
        "accesses with an order",
        "",
        rf"(?:ld|st|atom|red)\.(?:.*\.)?(?:{ORDERS})\..*",
        r"(?:load|store) \S+ (?:acquire|release|seq_cst) .*",
    ),
    _since(70, "fences with an order", "", r"fence\.(?:sc|acq_rel)\..*"),
    _since(70, "`match.sync`", r"match\..*", r"match\..*"),
    _since(70, "`nanosleep`", "nanosleep", r"nanosleep\..*"),
    _since(70, "`bmsk`, `szext`", "", r"(?:bmsk|szext)\..*"),
    _since(75, "`ldmatrix`", r"ldmatrix\..*", r"ldmatrix\..*"),
    _since(75, "`tanh`", "", r"tanh\..*"),
    _since(75, "`ex2` of `f16`", "", r"ex2\.(?:.*\.)?f16(?:x2)?"),
    _since(
        75,
        "`mma` m16n8k8 of `f16`",
        r"mma\.m16n8k8\.row\.col\.f(?:16|32)\.f(?:16|32)",
        r"mma\.sync\.aligned\.m16n8k8\.row\.col\.f(?:16|32)\.f16\..*",
    ),
    _since(
        80,
        "`mma` of `bf16`, `tf32`, `f64`, and m16n8k16",
        r"mma\.(?:.*\.(?:bf16|tf32|f64)|m16n8k16\..*)",
        r"mma\.sync\.(?:.*\.(?:bf16|tf32|f64)\..*|aligned\.m16n8k16\..*)",
    ),
    _since(80, "`cp.async`", rf"cp\.async\.{COPY}.*", rf"cp\.async\.{COPY}.*"),
    _since(80, "`mbarrier`", r"mbarrier\..*", r"mbarrier\..*"),
    _since(80, "`redux.sync`", r"redux\..*", r"redux\..*"),
    _since(80, "`min` and `max` of `f16`, `bf16`", "", r"(?:min|max)\.(?:.*\.)?b?f16(?:x2)?"),
    _since(80, "`min` and `max` that keep a NaN", "", r"(?:min|max)\.(?:.*\.)?NaN\..*"),
    _since(80, "`fma`, `abs`, `neg` of `bf16`", "", r"(?:fma|abs|neg)\.(?:.*\.)?bf16(?:x2)?"),
    _since(
        80,
        "conversions to and from `bf16`, to `tf32`, of pairs",
        "",
        r"cvt\.(?:.*\.)?(?:bf16(?:x2)?|tf32|f16x2)\..*|cvt\.(?:.*\.)?bf16",
    ),
    _since(80, "hints: `applypriority`, `discard`, `createpolicy`", "", r"(?:applypriority|discard|createpolicy)\..*"),
    _since(86, "`min` and `max` with `xorsign`", "", r"(?:min|max)\.(?:.*\.)?xorsign\..*"),
    _since(89, "conversions of 8-bit floats", r"(?:ff|f16x2|e[45]m.x2)\.to\..*", r"cvt\.(?:.*\.)?e[45]m.x2(?:\..*)?"),
    _since(89, "`mma` of 8-bit floats", "", r"mma\.sync\.(?:.*\.)?e[45]m[32]\..*"),
    _since(
        90,
        "`mma` m16n8 of `f64`",
        r"mma\.m16n8k\d+\.row\.col\.f64",
        r"mma\.sync\.aligned\.m16n8k\d+\.row\.col\.f64\..*",
    ),
    _since(90, "`add`, `sub`, `mul`, `setp` of `bf16`", "", r"(?:add|sub|mul|set|setp)\.(?:.*\.)?bf16(?:x2)?"),
    _since(90, "`tanh`, `ex2` of `bf16`", "", r"(?:tanh|ex2)\.(?:.*\.)?bf16(?:x2)?"),
    _since(90, "atomic `add` of `bf16`", "", r"(?:atom|red)\.(?:.*\.)?add\.noftz\.bf16(?:x2)?"),
    _since(
        90,
        "atomics of vectors and of 128 bits",
        "",
        r"(?:atom|red)\.(?:.*\.)?(?:v[248]\..*|b128)",
        r"(?:load|store|atomicrmw|cmpxchg) i128 .*",
    ),
    _since(90, "`stmatrix`", "", r"stmatrix\..*"),
    _since(
        90,
        "`mbarrier` of transactions, of clusters, and `try_wait`",
        r"mbarrier\.(?:try\..*|.*(?:expect|complete)\.tx.*|.*cluster.*)",
        r"mbarrier\.(?:try_wait\..*|.*(?:expect|complete)_tx.*|.*cluster.*)",
    ),
    _since(90, "bulk and tensor copies", r"cp\.async\.bulk\..*", r"cp\.(?:reduce\.)?async\.bulk\..*"),
    _since(90, "maps of tensors", r"prefetch\.tensormap", r"prefetch\.(?:.*\.)?tensormap"),
    _since(
        90,
        "fences of the asynchronous proxy and of `mbarrier.init`",
        r"fence\.(?:proxy|mbarrier_init)\..*",
        r"fence\.(?:proxy\.(?!alias).*|mbarrier_init\..*)",
    ),
    _since(
        90,
        "clusters",
        r"barrier\.cluster\..*|mapa.*|getctarank.*|isspacep\.shared\.cluster|fence\.sc\.cluster|is_explicit_cluster"
        r"|read\.ptx\.sreg\.(?:cluster|nclusterid|is_explicit_cluster).*",
        r"barrier\.cluster\..*|mapa\..*|getctarank\..*|isspacep\.shared::cluster|(?:fence|atom|red|ld|st)\..*cluster.*",
        r"fence .* cluster",
    ),
    _since(90, "`elect.sync`", r"elect\.sync", r"elect\..*"),
    _since(90, "programmatic launches: `griddepcontrol`", r"griddepcontrol\..*", r"griddepcontrol\..*"),
    _since(90, "`setmaxnreg`", r"setmaxnreg\..*", r"setmaxnreg\..*"),
    _since(90, "`wgmma`", r"wgmma\..*", r"wgmma\..*", before=100),
)


Kind = Literal["calls", "assembly", "atomics"]


@cache
def _patterns(vendor: str, kind: Kind, gpu: Gpu | None = None) -> tuple[tuple[Capability, re.Pattern[str]], ...]:
    # A new GPU lacks little: compiling the patterns of the rows that it has took a quarter of a short first launch.
    capabilities = (row for row in CAPABILITIES if row.vendor == vendor and not (gpu and row.has(gpu)))
    return tuple((row, re.compile(pattern)) for row in capabilities if (pattern := getattr(row, kind)))


@cache
def missing_capability(gpu: Gpu, name: str, kind: Kind = "calls") -> Capability | None:
    """Return a capability that a name needs and the target lacks, or None: of several the last one of `CAPABILITIES`.

    Args:
        name: Of a function or intrinsic, of an opcode of assembly, or an atomic such as `load i32 acquire cluster`.
        kind: Which of these it is; a row's regular expression of this kind must match all of the name.
    """
    lacking = [row for row, pattern in _patterns(gpu.vendor, kind, gpu) if pattern.fullmatch(name)]
    return lacking[-1] if lacking else None


@cache
def is_listed(opcode: str) -> bool:
    """Return whether a row names an instruction of NVIDIA's assembly, whichever targets have it."""
    return any(pattern.fullmatch(opcode) for _, pattern in _patterns("nvidia", "assembly"))
