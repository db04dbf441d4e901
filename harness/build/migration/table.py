"""Tables of rules, as constants: what moved between Mojo 0.25, 0.26, 1.0, 1.1 and 1.2, as the compilers say.

`python -m tests.migration.releases` compiles each rule again: the old spelling with the releases that had it, the new
one with 1.2. The release of a rule is the first one that refuses the old spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

__all__ = [
    "ARGUMENTS",
    "ATTRIBUTES",
    "GONE",
    "KEYWORDS",
    "MODULES",
    "NAMES",
    "PATHS",
    "PLACES",
    "REMARKS",
    "RENAMED",
    "MovedNames",
    "RewriteRule",
]


@dataclass(frozen=True, slots=True)
class RewriteRule:
    """A spelling and what is written instead.

    Attributes:
        release: The first release of Mojo that refuses the old spelling.
        old: The spelling as older releases have it.
        new: What Mojo 1.2 has instead; words for people where the replacement is not certain.
        is_certain: Whether the replacement means the same in every program.
    """

    release: str
    old: str
    new: str
    is_certain: bool = True

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"

    @property
    def keeps_columns(self) -> bool:
        """Return whether the new spelling, followed by blanks, takes the room of the old one."""
        return self.is_certain and len(self.new) <= len(self.old)


@dataclass(frozen=True, slots=True)
class MovedNames:
    """Names that moved from one module to another.

    Attributes:
        release: The first release of Mojo in which the names are not found at the old place.
        module: The old module, as `MODULES` leaves it.
        names: The names that moved.
        now: The module that has them in Mojo 1.2.
    """

    release: str
    module: str
    names: tuple[str, ...]
    now: str


# Modules of Mojo's library were found without `std.` up to 0.26.
_BARE = (
    *("algorithm", "benchmark", "bit", "builtin", "collections", "compile", "complex", "ffi", "iter"),
    *("itertools", "logger", "math", "memory", "os", "pathlib", "python", "random", "reflection"),
    *("subprocess", "sys", "testing", "time", "utils"),
)
# Modules below `std.` that moved; before 0.26.1 and 1.0 they were found without `std.` too.
_GPU = {
    "gpu.mma": "max.gpu.compute.mma",
    "gpu.semaphore": "max.gpu.sync.semaphore",
    "gpu.random": "std.random",
    **{f"gpu.{part}": f"max.gpu.primitives.{part}" for part in ("warp", "block", "cluster", "id", "grid_controls")},
}
_LIBRARY = {
    "os.atomic": "std.atomic",
    "sys.ffi": "std.ffi",
    "sys.param_env": "std.sys.defines",
    "memory.span": "std.collections.span",
    "collections.inline_array": "std.collections.array",
    "collections.string.string_slice": "std.collections.string",
    "algorithm.reduction": "max.algorithm.reduction",
    "runtime.tracing": "max.runtime.tracing",
}


def _moved(bare: str, modules: Mapping[str, str]) -> Iterator[RewriteRule]:
    """Yield the rules of modules that 1.0 moved, each by both of its old names.

    Args:
        bare: The release that first refuses the names without `std.`.
        modules: The new name of each module by its old one without `std.`.
    """
    for old, new in modules.items():
        yield RewriteRule("1.0", f"std.{old}", new)
        yield RewriteRule(bare, old, new)


# Modules, the longest first: what is below a module moved with it.
MODULES: tuple[RewriteRule, ...] = tuple(
    sorted(
        (
            RewriteRule("1.1", "std.gpu", "max.gpu"),
            RewriteRule("1.0", "gpu", "max.gpu"),
            RewriteRule("1.0", "std.gpu.tensor_ops", "max.gpu.compute.tensor_ops"),
            RewriteRule("1.0", "std.memory.reference", "std.memory"),
            RewriteRule("1.0", "std.compile.reflection", "std.reflection"),
            RewriteRule("1.1", "std.runtime.asyncrt", "max.runtime.asyncrt"),
            RewriteRule("1.0", "runtime.asyncrt", "max.runtime.asyncrt"),
            RewriteRule("1.0", "compiler", "extensibility"),
            RewriteRule("1.0", "compiler_internal", "extensibility"),
            RewriteRule("1.0", "tensor", "extensibility"),
            RewriteRule("0.26.2", "layout._coord", "layout.coord"),
            RewriteRule("0.26.2", "layout._layout", "layout.tile_layout"),
            RewriteRule("0.26.2", "layout._tile_tensor", "layout.tile_tensor"),
            *_moved("0.26.1", _GPU),
            *_moved("1.0", _LIBRARY),
            *(RewriteRule("1.0", name, f"std.{name}") for name in _BARE),
        ),
        key=lambda rule: (-len(rule.old), rule.old),
    )
)
PLACES: tuple[MovedNames, ...] = (
    MovedNames(
        "1.0",
        "std.algorithm",
        ("elementwise", "parallelize", "parallelize_over_rows", "sync_parallelize", "reduction"),
        "max.algorithm",
    ),
    MovedNames("1.0", "std.algorithm", ("max", "mean", "min", "reduce", "sum"), "max.algorithm"),
    MovedNames(
        "1.0",
        "std.algorithm.functional",
        ("elementwise", "parallelize", "parallelize_over_rows", "sync_parallelize"),
        "max.algorithm.functional",
    ),
    MovedNames("1.0", "max.gpu", ("DeviceBuffer", "DeviceContext", "HostBuffer"), "max.gpu.host"),
    MovedNames("0.26.1", "max.gpu", ("block", "warp"), "max.gpu.primitives"),
    MovedNames("1.0", "std.memory", ("Span",), "std.collections"),
    MovedNames("1.0", "std.utils", ("Span",), "std.collections"),
    MovedNames("1.0", "std.utils", ("StringSlice",), "std.collections.string"),
    MovedNames("1.0", "std.memory.memory", ("stack_allocation",), "std.memory"),
    MovedNames("1.0", "std.memory.unsafe_pointer", ("alloc",), "std.memory"),
    MovedNames("1.0", "std.os", ("Atomic",), "std.atomic"),
    MovedNames("0.26.2", "std.sys", ("external_call",), "std.ffi"),
)
# Names of the library that are others now; by the module that has the new one, or none where the prelude has it.
RENAMED: tuple[tuple[str, RewriteRule], ...] = (
    ("std.collections", RewriteRule("1.1", "InlineArray", "Array")),
    ("std.collections.array", RewriteRule("1.1", "InlineArray", "Array")),
    ("std.memory", RewriteRule("1.1", "memcpy", "unsafe_memcpy")),
    ("std.memory", RewriteRule("1.1", "memset", "unsafe_memset")),
    ("std.memory", RewriteRule("1.1", "memset_zero", "unsafe_memset_zero")),
    ("std.memory", RewriteRule("1.1", "memcmp", "unsafe_memcmp")),
    ("std.sys", RewriteRule("0.26.1", "simdwidthof", "simd_width_of")),
    ("std.sys", RewriteRule("0.26.1", "sizeof", "size_of")),
    ("std.sys", RewriteRule("0.26.1", "alignof", "align_of")),
    ("std.sys", RewriteRule("0.26.1", "bitwidthof", "bit_width_of")),
    ("std.sys.info", RewriteRule("0.26.1", "simdwidthof", "simd_width_of")),
    ("std.sys.info", RewriteRule("0.26.1", "sizeof", "size_of")),
    ("std.sys.info", RewriteRule("0.26.1", "alignof", "align_of")),
    ("std.sys.info", RewriteRule("0.26.1", "bitwidthof", "bit_width_of")),
    ("std.sys", RewriteRule("1.0", "env_get_int", "get_defined_int")),
    ("std.sys", RewriteRule("1.0", "env_get_bool", "get_defined_bool")),
    ("std.sys", RewriteRule("1.0", "env_get_string", "get_defined_string")),
    ("std.sys", RewriteRule("1.0", "env_get_dtype", "get_defined_dtype")),
    ("std.sys.defines", RewriteRule("1.0", "env_get_int", "get_defined_int")),
    ("std.sys.defines", RewriteRule("1.0", "env_get_dtype", "get_defined_dtype")),
)
# The same of names that need no import.
NAMES: tuple[RewriteRule, ...] = (
    RewriteRule("1.1", "InlineArray", "Array"),
    RewriteRule("0.26.1", "MutableAnyOrigin", "MutAnyOrigin"),
    RewriteRule("0.26.1", "ImmutableAnyOrigin", "ImmutAnyOrigin"),
    RewriteRule("1.1", "MutExternalOrigin", "MutUntrackedOrigin"),
    RewriteRule("0.25.7", "__type_of", "type_of"),
    RewriteRule("0.25.7", "__origin_of", "origin_of"),
)
# What stands behind a dot, whatever before it.
ATTRIBUTES: tuple[RewriteRule, ...] = (
    RewriteRule("0.26.1", "enqueue_function_checked", "enqueue_function"),
    RewriteRule("1.0", "enqueue_function_experimental", "enqueue_function"),
    RewriteRule("0.26.1", "compile_function_checked", "compile_function"),
    RewriteRule("1.0", "compile_function_experimental", "compile_function"),
)
# Names behind a name and a dot.
PATHS: tuple[RewriteRule, ...] = (RewriteRule("0.25.7", "DType.index", "DType.int"),)
# Keywords at the beginning of a statement, or of an argument.
KEYWORDS: tuple[RewriteRule, ...] = (
    RewriteRule("1.0", "fn", "def"),
    RewriteRule("1.1", "alias", "comptime"),
    RewriteRule("1.1", "@parameter if", "comptime if"),
    RewriteRule("1.1", "@parameter for", "comptime for"),
    RewriteRule("0.26.2", "@register_passable", "(TrivialRegisterPassable)"),
    RewriteRule("1.0", "constrained", "comptime assert"),
)
ARGUMENTS: tuple[RewriteRule, ...] = (
    RewriteRule("0.26.2", "owned", "var"),
    RewriteRule("1.1", "read", "imm"),
)
# Names that are nowhere any more, by module; what to write depends on the program.
GONE: tuple[tuple[tuple[str, ...], RewriteRule], ...] = (
    (
        ("buffer", "buffer.buffer", "std.buffer", "std.buffer.buffer"),
        RewriteRule("1.0", "NDBuffer", "`TileTensor` of the package `layout`", is_certain=False),
    ),
    (
        ("buffer", "buffer.dimlist", "std.buffer", "std.buffer.dimlist"),
        RewriteRule("1.0", "DimList", "a layout of the package `layout`", is_certain=False),
    ),
    (
        ("max.runtime.asyncrt", "std.runtime.async_value"),
        RewriteRule(
            "1.0",
            "DeviceContextPtr",
            "`DeviceContext`, of `max.gpu.host`, and no `get_device_context()`",
            is_certain=False,
        ),
    ),
    (
        ("std.atomic",),
        RewriteRule("1.0", "Consistency", "`Ordering`, whose `MONOTONIC` is `RELAXED`", is_certain=False),
    ),
    (
        ("std.sys", "std.sys.info"),
        RewriteRule(
            "1.2", "has_nvidia_gpu_accelerator", "`has_accelerator`, which holds for each vendor", is_certain=False
        ),
    ),
    (
        ("std.sys",),
        RewriteRule(
            "1.2", "has_amd_gpu_accelerator", "`has_accelerator`, which holds for each vendor", is_certain=False
        ),
    ),
    (
        ("std.sys",),
        RewriteRule(
            "1.2", "has_apple_gpu_accelerator", "`has_accelerator`, which holds for each vendor", is_certain=False
        ),
    ),
    (
        ("std.memory", "std.memory.unsafe_pointer"),
        RewriteRule("1.0", "LegacyUnsafePointer", "`UnsafePointer[T, origin]`, with its origin", is_certain=False),
    ),
    (("max.gpu.intrinsics",), RewriteRule("1.0", "ldg", "a load of the pointer", is_certain=False)),
    (("std.utils.loop", "std.utils"), RewriteRule("1.0", "unroll", "a loop of `comptime for`", is_certain=False)),
    (("std.reflection",), RewriteRule("1.0", "get_type_name", "`reflect[T].name()`", is_certain=False)),
    (("max.gpu",), RewriteRule("1.0", "thread_idx_int", "`thread_idx`, which is an `Int`", is_certain=False)),
)
# What the compiler refuses and no rule can replace for certain: by a part of its error.
REMARKS: tuple[RewriteRule, ...] = (
    RewriteRule("1.0", "cannot call function that may raise", "`raises` in the function's signature", is_certain=False),
    RewriteRule(
        "1.0", "'raise' requires a surrounding 'try'", "`raises` in the function's signature", is_certain=False
    ),
    RewriteRule("1.2", "implicit declaration of", "`var` before the first assignment", is_certain=False),
    RewriteRule(
        "1.0",
        "failed to infer parameter 'origin'",
        "the origin too: `UnsafePointer[T, MutAnyOrigin]`",
        is_certain=False,
    ),
    RewriteRule(
        "1.0",
        "cannot implicitly convert 'Int' value to 'UInt'",
        "`Int`: indices of threads are `Int`",
        is_certain=False,
    ),
    RewriteRule("1.0", "cannot implicitly convert 'Int' value to", "a conversion: `Float32(n)`", is_certain=False),
    RewriteRule("1.0", "cannot be converted from 'Int' to", "a conversion: `Float32(n)`", is_certain=False),
    RewriteRule("1.0", "DevicePassable", "`Int32` or `Int64` for a kernel's argument, not `Int`", is_certain=False),
    RewriteRule("1.0", "negative indexing is not supported", "`x[len(x) - 1]`", is_certain=False),
    RewriteRule("1.0", "the 'escaping' function effect", "captures in braces after the parameters", is_certain=False),
    RewriteRule("1.2", "`len(String/StringSlice)`", "`byte_length()`", is_certain=False),
    RewriteRule("1.2", "use of unknown declaration 'Stringable'", "`Writable`", is_certain=False),
    RewriteRule("1.2", "'DType' but", "`Atomic[Scalar[dtype]]`", is_certain=False),
)
