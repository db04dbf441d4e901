"""Find kernels' registers, spills and shared memory: by NVIDIA's PTX compiler in a sandbox, or in AMD's assembly."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.build import sdk
from harness.build.cache import Cache, make_key, sha256_hex
from harness.errors import EnvironmentFault
from harness.model import codec
from harness.model.occupancy import Resources
from harness.model.project import installed_version
from harness.process.box import choose_strongest
from harness.process.child import Limits
from harness.process.stage import Stage

__all__ = ["find_resources", "main"]

LIBRARY = "libNVPTX"
LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=120, file_bytes=1 << 28, open_files=128, processes=16, seconds=300.0)
_TARGET = re.compile(r"^\.target\s+(sm_\w+)", re.MULTILINE)
_ENTRY = re.compile(r"Compiling entry function '(?P<name>\S+)' for.*?(?=Compiling entry function|\Z)", re.DOTALL)
_LOG_PATTERNS = {
    "registers": re.compile(r"Used (\d+) registers"),
    "spilled_bytes": re.compile(r"(\d+) bytes spill stores"),
    "shared_bytes": re.compile(r"(\d+) bytes smem"),
}
# A kernel's record in the metadata of AMD's assembly; its keys come in alphabetical order.
_RECORD = re.compile(r"^  - \.(?:.*\n)+?(?=^  - \.|^\S|\Z)", re.MULTILINE)
_KEY = re.compile(r"^\s+(?:- )?\.(\w+):\s+(\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PtxRequest:
    """A request to compile PTX.

    Attributes:
        texts: The modules.
        library: The path of NVIDIA's compiler.
        limits: Limits for the child process.
    """

    texts: tuple[str, ...]
    library: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class PtxLogs:
    """The compiler's messages about each module; empty for one that it refused."""

    logs: tuple[str, ...]


STAGE = Stage(__name__, PtxRequest, PtxLogs, most_bytes=16 << 20)


def find_resources(texts: Sequence[str], cache: Cache | None = None) -> list[Mapping[str, Resources]]:
    """Return, for each text in order, the resources of its kernels by symbol.

    The mapping is empty for PTX that NVIDIA's compiler refuses, and for assembly that is neither PTX nor AMD's.

    Args:
        texts: Assembly from Mojo's compiler.
        cache: Where results for PTX are stored; the default cache if None.

    Raises:
        EnvironmentFault: NVIDIA's compiler is missing, or its process fails; or the cache cannot be read or written.
    """
    store = cache or Cache.default()
    by_text: dict[str, Mapping[str, Resources]] = {}
    missing: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        if not _TARGET.search(text):
            by_text[text] = dict(_parse_amd_metadata(text))
            continue
        key = make_key({"kind": "registers", "assembly": sha256_hex(text.encode()), "max": installed_version("max")})
        if entry := store.get(key, ("resources",)):
            by_text[text] = codec.decode(dict[str, Resources], entry["resources"].data)
        else:
            missing[text] = key
    for (text, key), log in zip(missing.items(), _compile_in_sandbox(tuple(missing)) if missing else (), strict=True):
        by_text[text] = kernels = dict(_parse_nvidia_log(log))
        store.put(key, {"resources": json.dumps({name: asdict(each) for name, each in kernels.items()}).encode()})
    return [by_text[text] for text in texts]


def _compile_in_sandbox(texts: tuple[str, ...]) -> tuple[str, ...]:
    answer = STAGE.ask(PtxRequest(texts, str(sdk.find_shared_library(LIBRARY)), LIMITS), choose_strongest())
    if answer.result is None:
        raise EnvironmentFault(f"NVIDIA's compiler of PTX did not say what the kernels take: {answer.reason}.")
    return answer.result.logs


def _parse_nvidia_log(log: str) -> Iterator[tuple[str, Resources]]:
    for entry in _ENTRY.finditer(log):
        figures = {name: pattern.search(entry[0]) for name, pattern in _LOG_PATTERNS.items()}
        yield entry["name"], Resources(scalar_registers=None, **{n: int(m[1]) if m else 0 for n, m in figures.items()})


def _parse_amd_metadata(text: str) -> Iterator[tuple[str, Resources]]:
    """Yield the symbol and resources of each kernel in AMD's assembly; spills are counted in bytes."""
    for record in _RECORD.finditer(text):
        keys = dict(_KEY.findall(record[0]))
        if "vgpr_count" in keys:
            registers, scalars = int(keys["vgpr_count"]), int(keys["sgpr_count"])
            spilled, shared = 4 * int(keys["vgpr_spill_count"]), int(keys["group_segment_fixed_size"])
            yield keys["name"], Resources(registers, scalars, spilled, shared)


def main() -> None:
    """Serve one request, in the child."""
    STAGE.serve(_compile)


def _compile(order: PtxRequest, _: Path) -> PtxLogs:
    library = ctypes.CDLL(order.library)
    return PtxLogs(tuple(_compile_verbosely(library, text) for text in order.texts))


def _compile_verbosely(library: ctypes.CDLL, text: str) -> str:
    """Compile a PTX module and return the compiler's verbose log; empty if it does not compile."""
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
        buffer = ctypes.create_string_buffer(size.value + 1)
        library.nvPTXCompilerGetInfoLog(handle, buffer)
        return buffer.value.decode(errors="replace")
    finally:
        library.nvPTXCompilerDestroy(ctypes.byref(handle))
