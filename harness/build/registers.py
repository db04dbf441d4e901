"""The registers of kernels: from NVIDIA's own compiler of PTX, which MAX brings along, and from AMD's assembly."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.build import sdk
from harness.build.cache import Cache, digest, key_of
from harness.errors import EnvironmentFault
from harness.model import codec
from harness.model.occupancy import Resources
from harness.model.project import installed
from harness.process.box import choose_strongest
from harness.process.child import Limits
from harness.process.stage import Stage

__all__ = ["main", "resources"]

LIBRARY = "libNVPTX"
LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=120, file_bytes=1 << 28, open_files=128, processes=16, seconds=300.0)
_TARGET = re.compile(r"^\.target\s+(sm_\w+)", re.MULTILINE)
_ENTRY = re.compile(r"Compiling entry function '(?P<name>\S+)' for.*?(?=Compiling entry function|\Z)", re.DOTALL)
_SAID = {
    "registers": re.compile(r"Used (\d+) registers"),
    "spilled_bytes": re.compile(r"(\d+) bytes spill stores"),
    "shared_bytes": re.compile(r"(\d+) bytes smem"),
}
# A kernel's record in the metadata of AMD's assembly; its keys come in alphabetical order.
_RECORD = re.compile(r"^  - \.(?:.*\n)+?(?=^  - \.|^\S|\Z)", re.MULTILINE)
_KEY = re.compile(r"^\s+(?:- )?\.(\w+):\s+(\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Assembly:
    """PTX to be compiled.

    Attributes:
        texts: Each a module.
        library: Where the compiler lies.
    """

    texts: tuple[str, ...]
    library: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class Assembled:
    """What the compiler said of each module; empty where it took none."""

    said: tuple[str, ...]


STAGE = Stage(__name__, Assembly, Assembled, most_bytes=16 << 20)


def resources(texts: Sequence[str], cache: Cache | None = None) -> list[Mapping[str, Resources]]:
    """What the kernels of each text take, by their symbols; nothing of assembly that is neither PTX nor AMD's.

    Args:
        texts: Assembly, as the compiler of Mojo writes it.
        cache: Where what is known is kept; the default one unless told.

    Raises:
        EnvironmentFault: NVIDIA's compiler is not here, or does not end.
    """
    store = cache or Cache.default()
    found: dict[str, Mapping[str, Resources]] = {}
    missing: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        if not _TARGET.search(text):
            found[text] = dict(_of_amd(text))
            continue
        key = key_of({"kind": "registers", "assembly": digest(text.encode()), "max": installed("max")})
        if entry := store.get(key, ("resources",)):
            found[text] = codec.decoded(dict[str, Resources], entry["resources"].data)
        else:
            missing[text] = key
    for (text, key), said in zip(missing.items(), _said(tuple(missing)) if missing else (), strict=True):
        found[text] = own = dict(_of_nvidia(said))
        store.put(key, {"resources": json.dumps({name: asdict(each) for name, each in own.items()}).encode()})
    return [found[text] for text in texts]


def _said(texts: tuple[str, ...]) -> tuple[str, ...]:
    done = STAGE.ask(Assembly(texts, str(sdk.shared_library(LIBRARY)), LIMITS), choose_strongest())
    if done.result is None:
        raise EnvironmentFault(f"NVIDIA's compiler of PTX did not say what the kernels take: {done.reason}.")
    return done.result.said


def _of_nvidia(said: str) -> Iterator[tuple[str, Resources]]:
    for entry in _ENTRY.finditer(said):
        figures = {name: pattern.search(entry[0]) for name, pattern in _SAID.items()}
        yield entry["name"], Resources(scalar_registers=None, **{n: int(m[1]) if m else 0 for n, m in figures.items()})


def _of_amd(text: str) -> Iterator[tuple[str, Resources]]:
    for record in _RECORD.finditer(text):
        keys = dict(_KEY.findall(record[0]))
        if "vgpr_count" in keys:
            registers, scalars = int(keys["vgpr_count"]), int(keys["sgpr_count"])
            spilled, shared = 4 * int(keys["vgpr_spill_count"]), int(keys["group_segment_fixed_size"])
            yield keys["name"], Resources(registers, scalars, spilled, shared)


def main() -> None:
    """Compiles what the order names, in the child."""
    STAGE.serve(_compiled)


def _compiled(order: Assembly, _: Path) -> Assembled:
    library = ctypes.CDLL(order.library)
    return Assembled(tuple(_log(library, text) for text in order.texts))


def _log(library: ctypes.CDLL, text: str) -> str:
    """What the compiler says of a module when it is to be verbose."""
    code, handle = text.encode() + b"\0", ctypes.c_void_p()
    if library.nvPTXCompilerCreate(ctypes.byref(handle), ctypes.c_size_t(len(code)), code):
        return ""
    try:
        target = _TARGET.search(text)
        words = [f"--gpu-name={target[1] if target else ''}".encode(), b"--verbose"]
        if library.nvPTXCompilerCompile(handle, ctypes.c_int(len(words)), (ctypes.c_char_p * len(words))(*words)):
            return ""
        size = ctypes.c_size_t()
        library.nvPTXCompilerGetInfoLogSize(handle, ctypes.byref(size))
        said = ctypes.create_string_buffer(size.value + 1)
        library.nvPTXCompilerGetInfoLog(handle, said)
        return said.value.decode(errors="replace")
    finally:
        library.nvPTXCompilerDestroy(ctypes.byref(handle))
