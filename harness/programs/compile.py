"""A Mojo program compiled once: its `main` for this machine and its kernels for a GPU, in the cache."""

from __future__ import annotations

import platform
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harness.build import toolchain
from harness.build.cache import Cache, digest, key_of
from harness.errors import UsageError
from harness.model.target import Target
from harness.programs import sources

__all__ = ["Compiled", "compiled"]

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled program.

    Attributes:
        file: Its source.
        target: What its kernels are for.
        host: LLVM IR of the host's part, compressed.
        kernels: LLVM IR of each kernel, by symbol.
        cache: Where all of it lies.
    """

    file: Path
    target: Target
    host: Path
    kernels: Mapping[str, Path]
    cache: Cache

    @property
    def machine_code(self) -> Path | None:
        """The host's part for this machine's processor, compressed, if it was made before."""
        content = self.cache.get(self._key())
        return self.cache.blob(content["object"]) if content else None

    def keep(self, machine_code: bytes) -> None:
        """Stores the host's part for this machine's processor."""
        data = zlib.compress(machine_code, 1)
        self.cache.put(self._key(), {"object": digest(data)}, {digest(data): data})

    def _key(self) -> str:
        # The compiler made the IR for this very processor; LLVM is the one that llvmlite holds.
        return key_of({"kind": "machine code", "host": self.host.name, "llvmlite": version("llvmlite")})


def compiled(
    file: Path,
    target: Target,
    *,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> Compiled:
    """The compiled program, from the cache or new.

    Args:
        file: A file with a `main`.
        target: What its kernels are for.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        cache: The default one unless told.
        notify: Gets one line when it is compiled.

    Raises:
        UsageError: There is no such file.
        CompileError: It does not compile.
    """
    if not file.is_file():
        raise UsageError(f"no program at {file}.")
    store = cache or Cache.default()
    key = key_of(
        {
            "kind": "program",
            "file": str(file.resolve()),
            "sources": sources.digests(file, includes),
            "target": target.name,
            "defines": dict(defines or {}),
            "includes": [str(folder.resolve()) for folder in includes],
            "processor": _processor(),
            "versions": toolchain.package_versions(),
            "toolchain": digest(Path(toolchain.__file__).read_bytes()),
        }
    )
    content = store.get(key)
    if content is None:
        with store.lock(f"program-{key}"):
            content = store.get(key)  # another process may have been faster
            if content is None:
                notify(f"compiling {file} for {target}")
                content = _compile(file, target, defines or {}, includes, store, key)
    kernels = {symbol: store.blob(name) for symbol, name in content["kernels"].items()}
    return Compiled(file, target, store.blob(content["host"]), kernels, store)


def _compile(
    file: Path, target: Target, defines: Mapping[str, str], includes: Sequence[Path], store: Cache, key: str
) -> dict[str, Any]:
    host, kernels = toolchain.program(file.resolve(), target.architecture, defines=defines, includes=includes)
    packed = zlib.compress(host.encode(), 1)
    texts = {symbol: text.encode() for symbol, text in kernels.items()}
    content: dict[str, Any] = {
        "host": digest(packed),
        "kernels": {symbol: digest(text) for symbol, text in texts.items()},
    }
    store.put(key, content, {digest(data): data for data in (packed, *texts.values())})
    return content


def _processor() -> str:
    """What the compiler makes the host's part for: this machine's processor, by its name and features."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "Features", "CPU part")
    return digest("\n".join(sorted({line for line in lines if line.startswith(wanted)})).encode())
