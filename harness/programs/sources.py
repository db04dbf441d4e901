"""Digests of all files that a Mojo program depends on: imports are followed in its folder and in the includes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.build.cache import sha256_hex
from harness.errors import EnvironmentFault

__all__ = ["compute_digests"]

# `import a.b, c as d` and `from .a import b`; a continued line is not seen, nor does the library's style have one.
_IMPORT = re.compile(r"^\s*(?:from\s+([.\w]+)\s+import\b|import\s+([^#\n]+))", re.MULTILINE)
_SUFFIXES = (".mojo", ".🔥")
_PACKAGES = (".mojoc", ".mojopkg")


def compute_digests(file: Path, includes: Sequence[Path]) -> dict[str, str]:
    """Return the digest of every file that the program's meaning depends on, by its resolved path; its own comes first.

    Imports are looked for in the folder of the file that imports, in the program's folder and in the includes: what is
    found in any of them is taken, and the imports in it are followed. Those found nowhere are left out.

    Raises:
        EnvironmentFault: A file cannot be read.
    """
    by_path: dict[str, str] = {}
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if str(path) in by_path:
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EnvironmentFault(f"cannot read {path}: {error.strerror}.") from None
        by_path[str(path)] = sha256_hex(data)
        if path.suffix in _SUFFIXES:
            waiting += _find_imports(data.decode(errors="replace"), [path.parent, file.resolve().parent, *includes])
    return by_path


def _find_imports(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    for match in _IMPORT.finditer(text):
        for name in (match[1] or match[2]).split(","):
            module = name.split(" as ")[0].strip().lstrip(".").partition(".")[0]
            for folder in folders:
                yield from _find_files(folder.resolve(), module)


def _find_files(folder: Path, module: str) -> Iterator[Path]:
    """Yield a module's files in a folder: its source, a compiled package, and all sources below a folder of its name.

    Such a folder counts only if it has an `__init__` file. No dots stand in the module's name; if it is empty, nothing
    is yielded.
    """
    if not module:
        return
    for suffix in (*_SUFFIXES, *_PACKAGES):
        if (path := folder / f"{module}{suffix}").is_file():
            yield path
    package = folder / module
    if any((package / f"__init__{suffix}").is_file() for suffix in _SUFFIXES):
        for suffix in _SUFFIXES:
            yield from sorted(package.rglob(f"*{suffix}"))
