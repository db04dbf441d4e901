"""Find an op by its registered name in a library's Mojo sources, without a compiler, and parse its signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.build import signatures
from harness.errors import UsageError, unknown_name
from harness.model.arguments import Role
from harness.model.sources import SUFFIXES, Sources

__all__ = ["OPERANDS", "RESULT", "Op", "find_op"]

RESULT = "OutputTensor"
OPERANDS: dict[str, Role] = {"InputTensor": "input", "MutableInputTensor": "inout", "_MutableInputTensor": "inout"}
_CONTEXT = ("DeviceContext", "DeviceContextPtr")


@dataclass(frozen=True, slots=True)
class Op:
    """An op of a library.

    Attributes:
        name: The name under which it is registered.
        file: The file with the op.
        package: The folder that the file is a module of, or None where it stands alone.
        struct: The struct of the op.
        signature: The signature of its `execute`, without the context.
        kinds: The name of each argument's type, without parameters (`InputTensor`), by the argument's name.
        text: The file's text.
    """

    name: str
    file: Path
    package: Path | None
    struct: str
    signature: signatures.Signature
    kinds: Mapping[str, str]
    text: str

    @property
    def results(self) -> list[str]:
        """Return the names of the op's results, in order."""
        return [part.name for part in self.signature.arguments if self.kinds[part.name] == RESULT]

    @property
    def inputs(self) -> list[str]:
        """Return the names of the op's operands and scalars, in order."""
        return [part.name for part in self.signature.arguments if self.kinds[part.name] != RESULT]


def find_op(folder: Path, name: str) -> Op:
    """Find an op in a library and parse its signature.

    Args:
        folder: The library's absolute path.
        name: The name under which the op is registered.

    Raises:
        UsageError: There is no such library or op, or it has no `execute` with a DeviceContext last and a result, or no
            importable name.
    """
    ops = _find_ops(folder)
    if name not in ops:
        if ops:
            raise unknown_name("op", name, ops)
        raise UsageError(f"{folder} registers no op: none of its structs has a decorator `@register(...)`.")
    file, struct = ops[name]
    text = file.read_text(encoding="utf-8")
    signature = signatures.parse_function(text, "execute", struct)
    if signature is None:
        raise UsageError(f"the op {name} of {file} has no `execute` that can be read: a static method of {struct}.")
    kinds = {part.name: _kind(signatures.resolve_alias(text, part.type)) for part in signature.arguments}
    if not signature.arguments or kinds[signature.arguments[-1].name] not in _CONTEXT:
        raise UsageError(f"the op {name} of {file} cannot launch: `execute` must take a DeviceContext, as its last.")
    package = folder if folder.is_dir() else None
    for part in file.relative_to(folder.parent).with_suffix("").parts if package else ():
        if not part.isidentifier():
            raise UsageError(f"{file} cannot be imported, since {part!r} is no name in Mojo: rename it.")
    without_context = replace(signature, arguments=signature.arguments[:-1])
    library_op = Op(name, file.resolve(), package, struct, without_context, kinds, text)
    if not library_op.results:
        raise UsageError(f"the op {name} of {file} has no result: `execute` takes no OutputTensor.")
    return library_op


def _find_ops(folder: Path) -> dict[str, tuple[Path, str]]:
    """Return the file and the struct of each op that a library registers, by the op's name; empty if it registers none.

    Raises:
        UsageError: There is no such library, a file is no text, or two files register one name.
    """
    if folder.is_file():
        files = [folder]
    elif not folder.is_dir():
        raise UsageError(f"no library of ops at {folder}: name a folder with an __init__.mojo, or a Mojo file.")
    elif not any((folder / f"__init__{suffix}").is_file() for suffix in SUFFIXES):
        raise UsageError(f"{folder} is no library of ops: it needs an __init__.mojo, which may be empty.")
    else:
        files = [path for suffix in SUFFIXES for path in sorted(folder.rglob(f"*{suffix}"))]
    ops: dict[str, tuple[Path, str]] = {}
    for file in files:
        Sources(overrides={"": file})  # or says why it is no Mojo file
        for op_name, struct in signatures.find_registered_ops(file.read_text(encoding="utf-8")).items():
            if op_name in ops:
                raise UsageError(f"{file} and {ops[op_name][0]} both register an op {op_name!r}: rename one.")
            ops[op_name] = file, struct
    return ops


def _kind(type_: str) -> str:
    return type_.partition("[")[0].rpartition(".")[2]
