"""Find a module's compiler, Mojo or clang with its version, in `llvm.ident` and debug data; for `atomic_orders`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["OLDEST", "Producer", "compilers_in", "producer_of"]

IDENT, PRODUCER, NUMBER = (re.compile(text) for text in (r'!"((?:[^"\\]|\\.)*)"', r'\bproducer: "([^"]*)"', r"!(\d+)"))
CLANG = re.compile(r"(?<!Apple )\bclang version (\d+)")
# Linked libraries keep the name of their own compiler, such as clang 3.8 of NVIDIA's libdevice. The bundled LLVM reads
# no pointers with types, so that a whole module never comes from a clang as old as that.
OLDEST = 13


class Producer(NamedTuple):
    """A compiler that makes LLVM IR.

    Attributes:
        name: `clang`, `Mojo`, or empty if the module names no compiler that is known.
        version: The number of the LLVM in a clang, else 0.
    """

    name: str
    version: int = 0


def compilers_in(lists: Mapping[str, str], metadata: Mapping[int, str]) -> Iterator[str]:
    """Yield the compilers that `llvm.ident`, and then debug information, name; one may come several times.

    Args:
        lists: The named metadata of a module.
        metadata: Its numbered metadata.
    """
    for name, pattern in (("llvm.ident", IDENT), ("llvm.dbg.cu", PRODUCER)):
        for number in NUMBER.findall(lists.get(name, "")):
            if match := pattern.search(metadata.get(int(number), "")):
                yield match[1]


def producer_of(names: Iterable[str], file: str = "") -> Producer:
    """Return the compiler that generates machine code from a module.

    It is Mojo (version 0) if a name is `Mojo` or the file ends with `.mojo`. Else it is the newest clang among the
    names. The producer's name is empty if no clang from `OLDEST` on is among them, or if any other compiler is.

    Args:
        names: What `llvm.ident` and the compile units of debug information say.
        file: The module's `source_filename`.
    """
    names = set(names)
    if "Mojo" in names or file.endswith(".mojo"):
        return Producer("Mojo")
    versions = [int(match[1]) for name in names if (match := CLANG.search(name))]
    foreign = any(name and not CLANG.search(name) for name in names)
    if foreign or max(versions, default=0) < OLDEST:
        return Producer("")
    return Producer("clang", max(versions))
