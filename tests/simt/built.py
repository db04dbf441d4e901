"""The kernels of `kernels/`, all from one compilation: that takes little longer than one for the kernels of a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from tests import compiled
from tests.pairs import lacking

__all__ = ["FOLDER", "kernels", "needs_mojo"]

FOLDER = Path(__file__).parent / "kernels"
MODULES = [
    *((name, "nvidia:sm_90") for name in ("nvidia_copies", "nvidia_mma", "nvidia_wgmma")),
    *(("features", target) for target in ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")),
    *(("cdna", "amd:gfx942"), ("rdna", "amd:gfx1100"), ("apple", "apple:apple-m4")),
]
_LACK = "the Mojo compiler is not installed" if toolchain.find_mojo() is None else lacking("tests/simt/kernels")
needs_mojo = pytest.mark.skipif(bool(_LACK), reason=_LACK)


def kernels(target: str, *files: str) -> dict[str, str]:
    """The LLVM IR of the kernels of those files that are compiled for a target, by the kernel's name."""
    texts = _compiled(Cache.default().root)
    return {name: text for file in files for name, text in texts[file, target].items()}


@cache
def _compiled(_root: Path) -> dict[tuple[str, str], dict[str, str]]:
    texts = compiled.modules([(FOLDER / f"{file}.mojo", target) for file, target in MODULES])
    return dict(zip(MODULES, texts, strict=True))
