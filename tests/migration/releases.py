"""Compiles each rule of `harness.build.migration.table` with the releases of Mojo before and after it.

    python -m tests.migration.releases 0.26.1.0=/folder/of/that/mojo 1.2.0=/folder ...

A folder is one that `pip install --target FOLDER --no-deps mojo==V mojo-compiler==V mojo-compiler-mojo-libs==V
max-mojo-libs==M` made, or an environment's `site-packages`. Of each rule the old spelling must compile with a release
before the rule's, and not with the newest; the new one must compile with the newest. What could not be compiled with
any older release here is said to be unchecked.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.build.migration import table
from harness.build.migration.imports import destination

__all__ = ["failing_imports", "main", "rules"]

# Of each module a name that it has always had.
_SAMPLES = {
    "gpu": ("thread_idx", "barrier"),
    "warp": ("shuffle_down",),
    "block": ("sum",),
    "cluster": ("cluster_sync",),
    "id": ("thread_idx",),
    "grid_controls": ("PDLLevel",),
    "mma": ("ld_matrix",),
    "tensor_ops": ("tc_reduce",),
    "semaphore": ("Semaphore",),
    "random": ("rand", "Random"),
    "atomic": ("Atomic",),
    "ffi": ("external_call",),
    "param_env": ("is_defined",),
    "span": ("Span",),
    "reference": ("AddressSpace",),
    "inline_array": ("InlineArray",),
    "string_slice": ("StringSlice",),
    "reflection": ("get_linkage_name", "reflect"),
    "reduction": ("sum",),
    "asyncrt": ("parallelism_level",),
    "tracing": ("Trace",),
    "compiler": ("register",),
    "compiler_internal": ("register",),
    "tensor": ("InputTensor",),
    "_coord": ("Coord",),
    "_layout": ("row_major",),
    "_tile_tensor": ("TileTensor",),
    "algorithm": ("vectorize",),
    "benchmark": ("Bench",),
    "bit": ("pop_count",),
    "builtin": ("dtype",),
    "collections": ("List",),
    "compile": ("compile_info",),
    "complex": ("ComplexSIMD",),
    "iter": ("zip",),
    "itertools": ("product",),
    "logger": ("Logger",),
    "math": ("ceildiv",),
    "memory": ("UnsafePointer",),
    "os": ("getenv",),
    "pathlib": ("Path",),
    "python": ("Python",),
    "subprocess": ("run",),
    "sys": ("argv",),
    "testing": ("assert_equal",),
    "time": ("sleep",),
    "utils": ("Index",),
}

# Each spelling of the language and of the prelude in a few lines, as it was and as it is.
SPELLINGS: dict[str, tuple[str, str]] = {
    "fn": ("fn a1(x: Int) -> Int:\n    return x", "def a1(x: Int) -> Int:\n    return x"),
    "alias": ("alias a2 = 3", "comptime a2 = 3"),
    "@parameter if": (
        "def a3[n: Int]():\n    @parameter\n    if n == 3:\n        pass",
        "def a3[n: Int]():\n    comptime if n == 3:\n        pass",
    ),
    "@parameter for": (
        "def a4():\n    @parameter\n    for _ in range(3):\n        pass",
        "def a4():\n    comptime for _ in range(3):\n        pass",
    ),
    "@register_passable": (
        '@register_passable("trivial")\nstruct A5:\n    var x: Int\n'
        "    def __init__(out self, x: Int):\n        self.x = x",
        "struct A5(TrivialRegisterPassable):\n    var x: Int\n    def __init__(out self, x: Int):\n        self.x = x",
    ),
    "constrained": (
        'def a6[n: Int]():\n    constrained[n == 3, "x"]()',
        'def a6[n: Int]():\n    comptime assert n == 3, "x"',
    ),
    "owned": ("def a7(owned x: Int):\n    x += 1", "def a7(var x: Int):\n    x += 1"),
    "read": ("def a8(read x: Int):\n    pass", "def a8(imm x: Int):\n    pass"),
    "InlineArray": ("def a9(x: InlineArray[Int, 3]):\n    pass", "def a9(x: Array[Int, 3]):\n    pass"),
    "MutableAnyOrigin": ("comptime a10 = MutableAnyOrigin", "comptime a10 = MutAnyOrigin"),
    "ImmutableAnyOrigin": ("comptime a11 = ImmutableAnyOrigin", "comptime a11 = ImmutAnyOrigin"),
    "MutExternalOrigin": ("comptime a12 = MutExternalOrigin", "comptime a12 = MutUntrackedOrigin"),
    "__type_of": ("def a13(x: Int):\n    var y: __type_of(x) = x", "def a13(x: Int):\n    var y: type_of(x) = x"),
    "__origin_of": (
        "def a14(ref x: Int) -> ref [__origin_of(x)] Int:\n    return x",
        "def a14(ref x: Int) -> ref [origin_of(x)] Int:\n    return x",
    ),
    "DType.index": ("comptime a15 = DType.index", "comptime a15 = DType.int"),
    "enqueue_function_checked": (
        "def a16(c: DeviceContext) raises:\n    c.enqueue_function_checked[k, k](grid_dim=1, block_dim=1)",
        "def a16(c: DeviceContext) raises:\n    c.enqueue_function[k](grid_dim=1, block_dim=1)",
    ),
    "enqueue_function_experimental": (
        "def a17(c: DeviceContext) raises:\n    c.enqueue_function_experimental[k](grid_dim=1, block_dim=1)",
        "def a17(c: DeviceContext) raises:\n    c.enqueue_function[k](grid_dim=1, block_dim=1)",
    ),
    "compile_function_checked": (
        "def a18(c: DeviceContext) raises:\n    _ = c.compile_function_checked[k, k]()",
        "def a18(c: DeviceContext) raises:\n    _ = c.compile_function[k]()",
    ),
    "compile_function_experimental": (
        "def a19(c: DeviceContext) raises:\n    _ = c.compile_function_experimental[k]()",
        "def a19(c: DeviceContext) raises:\n    _ = c.compile_function[k]()",
    ),
    "Atomic[dtype]": (
        "def a20(p: UnsafePointer[Int32, MutAnyOrigin]):\n    _ = Atomic[DType.int32].fetch_add(p, 1)",
        "def a20(p: UnsafePointer[Int32, MutAnyOrigin]):\n    _ = Atomic[Scalar[DType.int32]].fetch_add(p, 1)",
    ),
}


def rules() -> dict[str, tuple[list[str], list[str]]]:
    """Return the imports of each rule that concerns one: as they were, and as they are."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for rule in table.MODULES:
        names = _SAMPLES[rule.old.rpartition(".")[2]]
        found[str(rule)] = (_imports(rule.old, names), [line for name in names for line in _now(rule.old, name)])
    for place in table.PLACES:
        for name in place.names:
            found[f"{place.module}.{name} → {place.now}"] = (
                _before(place.module.replace("max.gpu", "std.gpu"), name),
                _imports(place.now, (name,)),
            )
    for module, rule in table.RENAMED:
        found[f"{module}.{rule}"] = (_before(module, rule.old), _imports(module, (rule.new,)))
    return found


def _imports(module: str, names: Iterable[str]) -> list[str]:
    return [f"from {module} import {name}" for name in names]


def _before(module: str, name: str) -> list[str]:
    """Return how a name of a module of the standard library was imported: up to 0.25 without `std`."""
    plain = module.removeprefix("std.")
    older = {"sys.defines": "sys.param_env"}.get(plain, plain)
    return _imports(module, (name,)) + _imports(older, (name,))


def _now(module: str, name: str) -> list[str]:
    place, _ = destination(module)
    moved = next((p.now for p in table.PLACES if p.module == place and name in p.names), place)
    renamed = next((rule.new for home, rule in table.RENAMED if (home, rule.old) == (place, name)), name)
    return _imports(moved, (renamed,))


def failing_spellings(mojo: Path, number: int, version: str, environment: Mapping[str, str]) -> set[str]:
    """Return the spellings that a compiler refuses: the old ones (number 0) or the new ones (1)."""
    home = "max.gpu" if version >= "1" else "gpu"
    lines = [
        f"from {home}.host import DeviceContext",
        "from std.atomic import Atomic" if version >= "1" else "from os import Atomic",
    ]
    lines += ["def k():", "    pass"] if version >= "0.26.2" else ["fn k():", "    pass"]
    spans = {}
    # A compiler reads no further behind `alias` at the top of a file.
    for name, both in sorted(SPELLINGS.items(), key=lambda item: item[0] == "alias"):
        text = both[number] if version >= "0.26" else both[number].replace("comptime a", "alias a")
        if version < "0.26.2" and " raises" in text:  # there each `def` raises
            text = text.replace("def a", "fn a")
        spans[name] = range(len(lines) + 1, len(lines) + 1 + len(text.split("\n")))
        lines += text.split("\n")
    refused = {int(line) for line, _ in _refused(mojo, lines, environment)}
    return {name for name, span in spans.items() if refused & {*span}}


def failing_imports(mojo: Path, lines: list[str], environment: Mapping[str, str]) -> set[str]:
    """Return the import statements that a compiler refuses; one call, since it reports all of them."""
    refused = _refused(mojo, [f"{line} as _{number}" for number, line in enumerate(lines)], environment)
    numbers = {int(number) - 1 for number, _ in refused}
    failing = {lines[number] for number in numbers if number < len(lines)}
    # A module that is not there is reported once, for the first statement that names it.
    absent = {_absent(lines[int(number) - 1], text) for number, text in refused if int(number) <= len(lines)}
    return failing | {line for line in lines if any(module and _is_below(line, module) for module in absent)}


def _refused(mojo: Path, lines: list[str], environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the lines that a compiler refuses, and why."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "probe.mojo")
        file.write_text("\n".join([*lines, "def main():", "    pass", ""]), encoding="utf-8")
        command = [str(mojo), "build", "--emit", "llvm", str(file), "-o", str(Path(folder, "out.ll"))]
        environment = {**os.environ, **environment, "MODULAR_CACHE_DIR": folder, "NO_COLOR": "1"}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return re.findall(r"probe\.mojo:(\d+):\d+: error: (.*)", said.stdout + said.stderr)


def _absent(line: str, text: str) -> str:
    """Return the path of the module that a refusal says is not there; nothing if it is there without the name."""
    match = re.match(r"unable to locate module '(\w+)'|'(\w+)' does not refer", text)
    parts = line.split()[1].split(".")
    name = (match[1] or match[2]) if match else ""
    return ".".join(parts[: parts.index(name) + 1]) if name in parts else ""


def _is_below(line: str, module: str) -> bool:
    path = line.split()[1]
    return path == module or path.startswith(f"{module}.")


def main(arguments: list[str]) -> int:
    """Compile all rules with each release that is named; return 1 if one is wrong."""
    refused: dict[str, set[str]] = {}
    spelled: dict[str, set[str]] = {}
    every = rules()
    lines = sorted({line for old, new in every.values() for line in (*old, *new)})
    for argument in arguments:
        version, _, folder = argument.partition("=")
        root = Path(folder) / "modular"
        environment = {
            "MODULAR_MAX_PACKAGE_ROOT": str(root),
            "MODULAR_MOJO_MAX_PACKAGE_ROOT": str(root),
            "MODULAR_MOJO_MAX_DRIVER_PATH": str(root / "bin" / "mojo"),
            "MODULAR_MOJO_MAX_IMPORT_PATH": str(root / "lib" / "mojo"),
        }
        mojo = root / "bin" / "mojo"
        refused[version] = failing_imports(mojo, lines, environment)
        spelled[version] = failing_spellings(mojo, 0, version, environment)
    newest = list(refused)[-1]
    wrong = 0
    for name, (old, new) in every.items():
        took = [
            version for version in refused if version != newest and not all(line in refused[version] for line in old)
        ]
        problems = [
            *(f"{line} compiles with {newest}" for line in old if line not in refused[newest] and old != new),
            *([f"none of {new} compiles with {newest}"] if all(line in refused[newest] for line in new) else []),
            *([] if took else ["unchecked: no older release here has it"]),
        ]
        wrong += any(not problem.startswith("unchecked") for problem in problems)
        print(name, "last with", took[-1] if took else "-", *problems, sep="; ")
    new_spellings = failing_spellings(mojo, 1, newest, environment)
    for name in SPELLINGS:
        took = [version for version in spelled if name not in spelled[version]]
        problems = [
            *([f"the old spelling compiles with {newest}"] if newest in took else []),
            *([f"the new spelling does not compile with {newest}"] if name in new_spellings else []),
            *([] if took else ["unchecked: no older release here has it"]),
        ]
        wrong += any(not problem.startswith("unchecked") for problem in problems)
        print(name, "last with", took[-1] if took else "-", *problems, sep="; ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
