"""What Mojo's GPU modules can make the compiler write: names of intrinsics and assembly, read from the packages.

A package is a header and, compressed by zstandard, bytecode whose texts stand in it as they are. Nothing is compiled.
Names that end with a dot, or are the beginning of others, get the rest from parameters; assembly that is put together
from several texts is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.build import sdk, toolchain
from harness.simt import supported  # noqa: F401 - declares all that is known
from harness.simt.compile import registry
from harness.simt.compile.assembling import assemble
from harness.simt.ir.module import Asm, Const, Instruction
from harness.simt.ir.types import Int, OtherType, Pointer, Struct
from tests.generate.files import GenerateError

__all__ = ["PACKAGES", "folder", "known", "names", "table"]

PACKAGES = ("std", "max", "layout")
FRAME = bytes.fromhex("28b52ffd")  # where zstandard begins
INTRINSIC = re.compile(rb"llvm\.(?:nvvm|amdgcn|air)\.[a-z][\w.]*")
# Operands are `$0`; an instruction's name has parts; a text ends where its instruction does.
ASSEMBLY = re.compile(rb"(?<=\0)(?:[a-z][a-z0-9_]*(?:[.:]+[a-zA-Z0-9_]+)+|s_getreg_b32)(?: [^\0;\n]*)?;(?=\0)")
# Of the host's processors.
ELSEWHERE = re.compile(r"mrs |msr ")
AMD = ("s_", "v_")
VENDORS = {"llvm.nvvm.": "NVIDIA", "llvm.amdgcn.": "AMD", "llvm.air.": "Apple", "": "Inline assembly"}


def folder() -> Path | None:
    """Where the packages lie; None where Mojo is not installed."""
    mojo = toolchain.find_mojo()
    if mojo is None:
        return None
    packages = sdk.resolve_launcher(mojo).parent.parent / "lib" / "mojo"
    return packages if all((packages / f"{name}.mojoc").is_file() for name in PACKAGES) else None


def _texts(package: Path) -> bytes:
    import zstandard

    data = package.read_bytes()
    start = data.find(FRAME)
    if start < 0:
        raise GenerateError(f"{package} is not compressed as packages of Mojo were: look at it anew.")
    return zstandard.ZstdDecompressor().decompressobj().decompress(data[start:])


def names(packages: Path) -> list[str]:
    """The intrinsics and the assembly that packages name, in order."""
    named: set[str] = set()
    for package in PACKAGES:
        data = _texts(packages / f"{package}.mojoc")
        named |= {name.decode() for name in INTRINSIC.findall(data)}
        named |= {text.decode() for text in ASSEMBLY.findall(data) if not ELSEWHERE.match(text.decode())}
    return sorted(named)


def known(name: str) -> bool:
    """Whether the simulator knows it; of a beginning, whether it knows one that begins so."""
    if not name.startswith("llvm."):
        return _lowered(name)
    if registry.find_intrinsic(name.removesuffix(".")) is not None:
        return True
    start = name.removeprefix("llvm.") if name.startswith("llvm.air.") else name
    return any(other.startswith(start) for other in registry.all_intrinsics())


def _lowered(text: str) -> bool:
    """Whether nothing in some assembly would be refused; its operands could be anything."""
    count = 1 + max((int(number) for number in re.findall(r"\$(\d+)", text)), default=-1)
    kinds = ",".join([*["=l"] * count, *map(str, range(count))])
    results = Struct((Int(64),) * count) if count else OtherType("void")
    operands = (Const(Int(64), 16),) * count
    attrs = {"callee": Asm(text, kinds, Pointer())}
    call = Instruction("call", "%r", results, operands, frozenset(), attrs, text, None)
    lines = [line for block in assemble(call, not text.startswith(AMD)).blocks for line in block.instructions]
    return all(
        registry.find_intrinsic(line.attrs["callee"].name) is not None for line in lines if line.opcode == "call"
    )


def table(names: Iterable[str]) -> str:
    """A list for each vendor of what is known and of what is missing."""
    return "\n" + "\n".join(_lines(list(names))) + "\n"


def _lines(names: list[str]) -> Iterator[str]:
    for prefix, vendor in VENDORS.items():
        own = [name for name in names if name.startswith(prefix) and (prefix or not name.startswith("llvm."))]
        missing = ", ".join(f"`{name}`" for name in own if not known(name))
        yield f"- {vendor}: {sum(map(known, own))} of {len(own)} known" + (f"; missing: {missing}" if missing else "")
