"""Heavy programs through `exec`: `python -m tests.benchmarks.heavy_programs [NAME ...] [--counters]`.

Prints for each what its launches took, without what compiles them, and which engine ran them:

- `tensor_cores`: the product of two 1024 x 1024 matrices on tensor cores as the documents write it;
- `helium`: integrals of 8 helium atoms in doubles, 666 quartets of 81 rounds of `exp` and `erf`;
- `radix_sort`: a radix sort of a million keys, in which every block lacks a barrier;
- `million`: a kernel of one thread that goes round a loop a million times.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from harness import simt
from harness.model.sources import ROOT
from harness.process.processors import count_processors
from harness.programs import Options, execute

__all__ = ["AIMS", "main"]

FOLDER = Path(__file__).parent / "heavy"
AIMS = {"tensor_cores": 10.0, "helium": 3.0, "radix_sort": 10.0, "million": 0.010}  # seconds
TARGET = "nvidia:sm_90"
ROUNDS = 1_000_000
LOOP = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {{
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %m, %loop ]
  %s = phi i32 [ 1, %0 ], [ %u, %loop ]
  %t = mul i32 %s, 5
  %u = add i32 %t, %n
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, {ROUNDS}
  br i1 %more, label %loop, label %end
end:
  store i32 %u, ptr %o
  ret void
}}
"""


def _tensor_cores() -> str:
    """Return a program with the kernel of the documents, between what our solution imports and a main function."""
    head, _, _ = (ROOT / "mojo" / "p33" / "solution.mojo").read_text(encoding="utf-8").partition("\n\ndef ")
    kernels = (ROOT / "tests" / "puzzles" / "documented" / "p33.mojo").read_text(encoding="utf-8")
    imports = "from max.gpu.host import DeviceContext\nfrom std.testing import assert_equal\n"
    head = head.replace("from std.utils.index", imports + "from std.utils.index")
    return f"{head}\n\n{kernels}{(FOLDER / 'tensor_cores.main.mojo').read_text(encoding='utf-8')}"


def _execute(text: str, counters: bool) -> float:
    """Run a program, print its launches and findings, and return the seconds of all launches."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.mojo")
        file.write_text(text, encoding="utf-8")
        options = Options(counters=counters, workers=count_processors())  # as `exec` runs one program
        before = time.perf_counter()
        done = execute(file, target="nvidia", backend="simulator", options=options)
        whole = time.perf_counter() - before
    for launch in done.launches:
        ran = launch.engine
        blocks = f"{ran.native} blocks compiled, {ran.python} interpreted {ran.why}"
        print(f"  {launch.kernel}: {launch.seconds:.2f} s, {blocks}")
    print(f"  status {done.status}, {whole:.1f} s with compilers; {done.output[-60:]!r}")
    for finding in done.findings:
        print(f"  {finding.id}: {finding.count} times")
    return sum(launch.seconds for launch in done.launches)


def _million(_counters: bool) -> float:
    """Launch a loop, everything counted, and return the seconds of the second launch: the first one compiles."""
    module, seconds = simt.decode(LOOP), 0.0
    for _ in range(3):
        before = time.perf_counter()
        options = simt.Options(engine="native")
        result = simt.launch(
            module,
            target=TARGET,
            grid=1,
            block=1,
            args=[np.zeros(1, np.int32)],
            observers=simt.observers(),
            options=options,
        )
        seconds = time.perf_counter() - before
    print(f"  {result.engine}, {result.counters['instructions']} instructions")
    return seconds


PROGRAMS: dict[str, Callable[[bool], float]] = {
    "tensor_cores": lambda counters: _execute(_tensor_cores(), counters),
    "helium": lambda counters: _execute((FOLDER / "helium.mojo").read_text(encoding="utf-8"), counters),
    "radix_sort": lambda counters: _execute((FOLDER / "radix_sort.mojo").read_text(encoding="utf-8"), counters),
    "million": _million,
}


def _used() -> float:
    """Return the seconds of CPU that this process and its children have taken."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main(words: Sequence[str] | None = None) -> int:
    """Run programs, and return 1 if one takes longer than its aim."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(PROGRAMS), help="programs (default: all)")
    parser.add_argument("--counters", action="store_true", help="count everything")
    given = parser.parse_args(words)
    late = []
    for name in given.names:
        print(name, flush=True)
        before = _used()
        seconds = PROGRAMS[name](given.counters)
        print(f"  {seconds:.3f} s of {AIMS[name]}, {_used() - before:.1f} s of CPU with compilers", flush=True)
        late += [name] * (seconds > AIMS[name])
    return int(bool(late))


if __name__ == "__main__":
    sys.exit(main())
