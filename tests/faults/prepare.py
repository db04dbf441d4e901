"""Compiles all that the tests of faults and of agreement run on a GPU into the cache.

`python -m tests.faults.prepare [--target nvidia:sm_90] [--mutants]`. With the
cache (`HARNESS_CACHE`) carried there, the machine with the GPU compiles only
what does not compile, since errors are not kept.
"""

from __future__ import annotations

import argparse
import sys
import time

from harness.build.device_code import build_device_code
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.catalogue import CASES
from harness.model.sources import Sources
from harness.model.target import Target
from tests.faults.faults import FAULTS

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Compiles, and prints a line for each fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.prepare", description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="nvidia:sm_90")
    parser.add_argument("--mutants", action="store_true", help="the hand-written mutants too (many minutes)")
    options = parser.parse_args(arguments)
    target = Target.parse(options.target)
    for kind in ("solutions", "problems"):
        build = Build(target=target, sources=Sources(kind))
        build_graphs(CASES, build, surrounded=True)
        build_device_code(CASES, build, "llvm")
    for fault in FAULTS:
        started = time.perf_counter()
        build = Build(target=target, sources=fault.sources)
        built = build_graphs([fault.case], build)
        if fault.simulator:
            build_device_code([fault.case], build, "llvm")
        how = "does not compile" if built.errors else "compiled"
        print(f"{fault.name}: {how}, {time.perf_counter() - started:.1f} s", flush=True)
    if options.mutants:
        from tests.faults.mutants import artifacts

        print(f"{len(artifacts(target, lambda line: print(line, flush=True)))} mutants")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
