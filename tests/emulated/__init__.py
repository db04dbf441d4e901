"""Other machines, emulated on Linux on x86-64: what differs there is put in place of what is here.

Each name of `MACHINES` and `MACOS` is one difference. `site/sitecustomize.py` makes them, in each Python process that
gets `variables(...)`: a command, its children, and theirs. No such machine is claimed to behave so; the differences are
those that documents of the systems name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.process import preloaded
from tests.processes import import_path

__all__ = ["FILLS", "MACHINES", "MACOS", "programs_on", "variables"]

SITE = Path(__file__).parent / "site"
# How a program's process learns of a fault: a processor that nothing is known of, and the frames of two known ones, the
# second as an emulator of processors writes it, without the record of the syndrome.
MACHINES = ("unknown", "linux-aarch64", "linux-aarch64-without-syndrome", "darwin-arm64")
MACOS = {
    "memory": "the limit on the address space is refused",
    "system": "no /proc, prctl, bwrap, processors of one process, sizes of pipes, nor large pages",
    "libraries": "shared libraries end in .dylib",
    "registers": "NVIDIA's compiler of PTX is not in the package",
    "usage": "the most of memory is counted in bytes",
    "pages": "pages have 16 KiB",
    "names": "names of files do not tell case apart",
    "darwin-arm64": "signals have Darwin's structures",
}
# The ordinary way to fill a buffer, and to read it.
FILLS = """from max.gpu import thread_idx
from max.gpu.host import DeviceContext

def add(p: Pointer[Float32, MutAnyOrigin], n: Int32):
    var i = Int32(thread_idx.x)
    if i < n:
        p[unsafe_offset=Int(i)] += 1

def main() raises:
    var ctx = DeviceContext()
    var b = ctx.enqueue_create_buffer[DType.float32](8)
    with b.map_to_host() as h:
        for i in range(8):
            h[i] = Float32(i)
    ctx.enqueue_function[add](b, Int32(8), grid_dim=1, block_dim=8)
    with b.map_to_host() as h:
        print(h[0], h[7])
"""


def variables(*differences: str) -> dict[str, str]:
    """Return the environment of a command on a machine with these differences."""
    return {"EMULATED": " ".join(differences), "PYTHONPATH": import_path(SITE)}


@contextmanager
def programs_on(*differences: str) -> Iterator[None]:
    """Runs programs of this process (`harness.programs.execute`) on a machine with these differences."""
    preloaded.close()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables(*differences).items():
            patch.setenv(name, value)
        try:
            yield
        finally:
            preloaded.close()
