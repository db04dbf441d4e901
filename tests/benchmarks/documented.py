"""What takes long at the sizes that documents and ordinary programs have, by the clock, with all that is checked."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import measure
from tests.benchmarks.workloads import TARGET

__all__ = ["CASES", "PRODUCTS", "case", "product"]

CASES = (
    "p30:kernel1",
    "p30:kernel3",
    "p31:minimal",
    "p31:sophisticated",
    "p31:balanced",
    "p33:tiled",
    "p33:tensor-core",
)
PRODUCTS = {512: 5.0, 1024: 30.0}  # seconds, by the rows of a matrix
_PROGRAM = measure.ROOT / "tests" / "programs" / "programs" / "matmul_tiled.mojo"
# The program's sizes, and how much of the product its host, which is not optimised, makes itself.
_LARGER = {
    "comptime SIZE = 12": "comptime SIZE = {rows}",
    "comptime TILE = 4": "comptime TILE = 16",
    "for row in range(SIZE):": "for row in range(2):",
    "SIZE * SIZE):\n                assert_equal": "2 * SIZE):\n                assert_equal",
}


def case(name: str) -> float:
    """Seconds of a puzzle's documented data at its documented size, with its code in the cache."""
    with tempfile.TemporaryDirectory(prefix="documented-") as folder:
        report = Path(folder) / "run.json"
        command = ["run", name, "--documented-size", "--backend", "simulator", "--target", TARGET, "--json"]
        for _ in range(2):
            _harness(*command, str(report))
        (ran,) = json.loads(report.read_text(encoding="utf-8"))["cases"]
    return next(one["run_seconds"] for one in ran["datasets"] if one["name"] == "documented")


def product(rows: int) -> float:
    """Seconds of `exec` of a program that multiplies square matrices by tiles, once it is compiled."""
    text = _PROGRAM.read_text(encoding="utf-8")
    for old, new in _LARGER.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new.format(rows=rows))
    with tempfile.TemporaryDirectory(prefix="product-") as folder:
        program = Path(folder) / "product.mojo"
        program.write_text(text, encoding="utf-8")
        for _ in range(2):
            start = time.perf_counter()
            _harness("exec", str(program), "--target", TARGET)
    return time.perf_counter() - start


def _harness(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "harness", *words], cwd=measure.ROOT, check=True, capture_output=True)
