"""The compiled engine's run-time library as LLVM IR: `harness/simt/native/library/stored/*.ll`.

clang compiles the C files for x86-64 and for aarch64, and both come to the same text once it is portable. The first
lines of a file hold a digest of all that it was made from and one of its text: what is stale is seen without clang.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from harness.build.cache import make_key, sha256_hex
from harness.model.sources import ROOT
from harness.simt.native.emit.context import ALLOCATION_FACTS, MARKS, MOST_LINES, NEVER, ROUNDS, SLOTS, WAITING
from harness.simt.native.runtime import counts
from harness.simt.native.runtime.library import FOLDER, UNITS, Unit
from tests.generate.files import Generated, GenerateError, check, write

__all__ = ["VERSION", "compiler", "context_header", "counts_header", "generated", "main", "portable"]

VERSION = "22.1.8"  # of clang: its LLVM is that of llvmlite
PACKAGE = "ziglang==0.17.1"  # has this clang; `library` in pyproject.toml
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-bitwise-instead-of-logical")
FLAGS = (
    *("-std=c17", "-ffreestanding", "-nostdinc", *WARNINGS, "-O2", "-fno-strict-aliasing"),
    # A kernel's module is optimised once more, where LLVM knows the numbers.
    *("-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"),
    # Otherwise loops end by `!=`, from which LLVM concludes more of them in each kernel: a tenth of its time.
    *("-mllvm", "-disable-lftr"),
)
# Attributes that differ from target to target, or say what LLVM finds again.
_ATTRIBUTES = re.compile(
    r"\b(?:noundef|zeroext|signext|nonnull|readnone|readonly|writeonly|returned|local_unnamed_addr|unnamed_addr"
    r"|dso_local|(?:captures|range|dereferenceable|initializes)\((?:[^()]|\([^()]*\))*\)) "
)
_KEPT = ("alwaysinline", "noinline")
# Of slots that the library reads or writes and that are no `int64_t`, by name.
_CONTEXT_TYPES = {
    "table": "struct Allocation *",
    "time": "Epoch ",
    "birth": "Epoch ",
    "needed": "uint8_t *",
    "passed": "uint64_t *",
    "blocks": "struct BlockCounts *",
    **{f"{kind} {what}": "double " for kind in ("float", "double") for what in ("sum", "largest")},
}
_ALLOCATION_TYPES = {"data": "uint8_t *", "cells": "struct ShadowCell *", "written": "uint8_t *"}
_CONSTANTS = {
    "MARKS": MARKS,
    "MOST_LINES": MOST_LINES,
    "NEVER": f"(-INT64_C({-NEVER}))",
    "ROUNDS": ROUNDS,
    "WAITING": WAITING,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the library and write what is stored of it, or compare; 1 if something is stale or there is no clang."""
    parser = argparse.ArgumentParser(prog="python -m tests.generate.runtime_library", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something is stale")
    options = parser.parse_args(argv)
    if compiler() is None:
        print(f"error: there is no clang {VERSION}: pip install {PACKAGE}", file=sys.stderr)
        return 1
    try:
        files = generated(ROOT, compile_stale=True)
        return check(files) if options.check else write(files, force=False)
    except GenerateError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def generated(root: Path, *, compile_stale: bool) -> Iterator[Generated]:
    """Yield every file of stored IR, and those that no unit has without a text.

    Args:
        root: The repository.
        compile_stale: Otherwise a stale file is given a text without code if there is no clang.

    Raises:
        GenerateError: A unit does not compile, or is stale and there is no clang.
    """
    folder = root / FOLDER.relative_to(ROOT) / "stored"
    yield Generated(folder.parent / "context.h", context_header())
    yield Generated(folder.parent / "counts.h", counts_header())
    known = {folder / f"{name}.ll": unit for name, unit in UNITS.items()}
    for path, unit in known.items():
        if compiler() is not None:
            code = _compiled(unit)
            yield Generated(path, _head(_made_from(unit), code) + code)
        elif _is_fresh(path, _made_from(unit)):
            yield Generated(path, path.read_text(encoding="utf-8"))
        elif compile_stale:
            raise GenerateError(f"{path.name} is stale: pip install {PACKAGE}, which has clang {VERSION}.")
        else:
            yield Generated(path, _head(_made_from(unit), ""))
    for path in sorted(folder.glob("*.ll")):
        if path not in known:
            yield Generated(path, None)


def context_header() -> str:
    """Return the C header with the structs of `harness.simt.native.emit.context`, each field in 8 bytes."""
    says = "The context of a launch and its table of allocations; docs/compiled-engine.md says what is in a field."
    lines = _header(says, "emit/context.py", "counts.h", _CONSTANTS)
    lines += _struct("Allocation", ALLOCATION_FACTS, _ALLOCATION_TYPES)
    lines += _struct("Context", SLOTS, _CONTEXT_TYPES)
    return "\n".join(lines) + "\n"


def counts_header() -> str:
    """Return the C header with the structs of `harness.simt.native.runtime.counts`, each field in 8 bytes."""
    says = "Structs in which code counts. Arrays follow some of them; the C files say which."
    lines = _header(says, "runtime/counts.py", "library.h", counts.CONSTANTS)
    for name, fields in counts.STRUCTS.items():
        lines += _struct(name, fields, {})
    return "\n".join(lines) + "\n"


def _header(says: str, source: str, included: str, constants: Mapping[str, object]) -> list[str]:
    return [
        f"// {says}",
        f"// Made by `nox -s library` from harness/simt/native/{source}.",
        "#pragma once",
        "",
        f'#include "{included}"',
        "",
        *(f"#define {name} {value}" for name, value in constants.items()),
    ]


def _struct(name: str, slots: Mapping[str, int], types: Mapping[str, str]) -> list[str]:
    names = sorted(slots, key=slots.__getitem__)
    fields = (f"{types.get(one, 'int64_t ')}{one.replace(' ', '_')};" for one in names)
    return ["", f"struct {name} {{", *(f"  _Alignas(8) {field}" for field in fields), "};"]


@cache
def compiler() -> tuple[str, ...] | None:
    """Return the command of clang with the folder of its headers, or None if there is none of this version."""
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        return None
    command = (sys.executable, "-m", "ziglang", "clang")
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout
    headers = Path(found.origin).parent / "lib" / "include"
    return (*command, "-isystem", str(headers)) if f"clang version {VERSION}" in said else None


def _made_from(unit: Unit) -> str:
    facts = {
        "files": {path.name: sha256_hex(path.read_bytes()) for path in sorted(_included(FOLDER / unit.source))},
        "macros": dict(unit.macros),
        "flags": FLAGS,
        "clang": VERSION,
    }
    return make_key(facts)


def _included(path: Path) -> set[Path]:
    """Return a file and all that it includes."""
    found, pending = set[Path](), [path]
    while pending:
        if (file := pending.pop()) not in found and file.is_file():
            found.add(file)
            pending += [FOLDER / name for name in re.findall(r'^#include "(.*)"$', file.read_text("utf-8"), re.M)]
    return found


def _head(made_from: str, code: str) -> str:
    return f"; Made by `nox -s library`.\n; from: {made_from}\n; code: {sha256_hex(code.encode())}\n"


def _is_fresh(path: Path, made_from: str) -> bool:
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    code = "".join(text.splitlines(keepends=True)[3:])
    return text == _head(made_from, code) + code


def _compiled(unit: Unit) -> str:
    first, *others = (portable(_clang(unit, target)) for target in TARGETS)
    if any(other != first for other in others):
        raise GenerateError(f"{unit.source} with {dict(unit.macros)} depends on the processor.")
    return first


def _clang(unit: Unit, target: str) -> str:
    command = compiler()
    assert command is not None
    macros = [f"-D{name}={value}" for name, value in unit.macros.items()]
    flags = [f"--target={target}", *FLAGS, *macros, "-S", "-emit-llvm", "-o", "-"]
    run = subprocess.run([*command, *flags, unit.source], cwd=FOLDER, capture_output=True, text=True, check=False)
    if run.returncode:
        raise GenerateError(f"{unit.source} does not compile:\n{run.stderr}")
    return run.stdout


def portable(text: str) -> str:
    """Return the functions of a module of clang's, without all that depends on its target.

    They become internal, but for `run`. Types have no names, so that several units stand in one module. Functions that
    are only declared are the kernel's own, or LLVM's intrinsics, which need no declaration.
    """
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.M))
    types = dict(re.findall(r"^(%struct\.\w+) = type (.*)$", text, re.M))
    for _ in types:  # a struct may have another one in it
        types = {name: _without_names(body, types) for name, body in types.items()}
    lines = []
    for line in text.splitlines():
        line = re.sub(r"\s*;.*$", "", line)
        line = re.sub(r", ![\w.]+ !\d+", "", line)
        if re.match(r"(?:source_filename|target |declare |attributes |!|%struct\.)", line) or not line:
            continue
        line = _ATTRIBUTES.sub("", _without_names(line, types))
        kept = ""
        if line.startswith("define "):
            linkage = "" if "@run(" in line else "internal "
            line = f"define {linkage}" + line.removeprefix("define ").removeprefix("internal ")
            kept = "".join(f" {name}" for name in _KEPT for group in re.findall(r"#\d+", line) if name in groups[group])
        lines.append(re.sub(r" #\d+", kept, line))
    return "\n".join(lines) + "\n"


def _without_names(text: str, types: dict[str, str]) -> str:
    return re.sub(r"%struct\.\w+", lambda name: types[name[0]], text)


if __name__ == "__main__":
    sys.exit(main())
