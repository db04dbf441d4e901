"""Wrong kernels in Mojo, each one edit away from a solution.

A mutant names the text it replaces in the solved file; `source` applies it.
Every mutant must be caught, but for those that are proved equivalent, which say why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.catalogue import case
from harness.model.sources import Sources
from tests.mutants.introductory import EDITS, EQUIVALENT, SILENT

__all__ = ["MUTANTS", "SourceMutant"]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One wrong kernel.

    Attributes:
        case: The case whose kernel is changed.
        name: What was done to it.
        old: A text of the solution.
        new: What stands in its place.
        nth: Which occurrence of `old` inside the kernel, from 0.
        equivalent: The proof that no run can tell it from the solution, if so.
        step: The number of the launch whose kernel it is.
        silent: Why hardware may show nothing of it, if so.
    """

    case: str
    name: str
    old: str
    new: str
    nth: int = 0
    equivalent: str = ""
    step: int = 0
    silent: str = ""

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    def source(self) -> str:
        """The mutated text of the puzzle's file.

        Raises:
            ValueError: The solution no longer has that text.
        """
        entry = case(self.case)
        kernel = entry.steps[self.step].name
        text = Sources("solutions").kernel_file(entry).read_text(encoding="utf-8")
        start = re.search(rf"^def {kernel}\b", text, re.MULTILINE).start()
        for _ in range(self.nth + 1):
            at = text.find(self.old, start)
            if at < 0:
                raise ValueError(f"mutant {self.id}: the solution has no {self.old!r}")
            start = at + len(self.old)
        return text[:at] + self.new + text[start:]


_P15 = [
    ("barrier-after-load-left-out", "    barrier()\n\n    var stride", "    var stride"),
    ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
    ("stride-halved", "TPB // 2", "TPB // 4"),
    ("stride-doubled", "TPB // 2", "TPB"),
    ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
    ("tail-not-zeroed", "    else:\n        cache[local_i] = 0\n", ""),
    ("guard-off-by-one", "if global_i < size:", "if global_i <= size:"),
    ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
    ("neighbour-row", "a[batch, global_i]", "a[batch ^ 1, global_i]"),
    ("all-threads-write", "    if local_i == 0:\n", "    if local_i >= 0:\n"),
    ("last-block-dropped", "if local_i == 0:", "if local_i == 0 and batch + 1 < BATCH:"),
    ("input-copied", "output[batch, 0] = cache[0]", "output[batch, 0] = a[batch, 0]"),
    ("nothing-written", "output[batch, 0] = cache[0]", "_ = cache[0]"),
    (
        "write-past-the-end",
        "output[batch, 0] = cache[0]",
        "output[batch, 0] = cache[0]\n        if batch + 1 == BATCH:\n            output[batch + 1, 0] = 0",
    ),
    ("maximum-for-sum", "cache[local_i] += addend", "cache[local_i] = max(cache[local_i], addend)"),
]
_PAIR_SWAP = [
    ("distance-two", "shuffle_xor(value, 1)", "shuffle_xor(value, 2)"),
    ("input-copied", "shuffle_xor(value, 1)", "value"),
    ("nothing-written", "output[global_i] = shuffle_xor(value, 1)", "_ = shuffle_xor(value, 1)"),
    ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
    ("shifted-store", "output[global_i] =", "output[global_i + 1] ="),
    ("computed-not-exchanged", "shuffle_xor(value, 1)", "Scalar[dtype](global_i ^ 1)"),
]
_PARALLEL_MAX = [
    ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
    ("last-step-left-out", "while offset > 0:", "while offset > 1:"),
    ("every-other-step", "offset //= 2", "offset //= 4"),
    ("minimum-for-maximum", "max(largest, shuffle", "min(largest, shuffle"),
    ("starts-from-zero", "var largest = input[global_i]", "var largest = max(input[global_i], Scalar[dtype](0))"),
    ("one-lane-writes", "output[global_i] = largest", "if thread_idx.x == 0:\n            output[global_i] = largest"),
    ("last-lane-broadcast", "output[global_i] = largest", "output[global_i] = input[size - 1]"),
    ("input-copied", "output[global_i] = largest", "output[global_i] = input[global_i]"),
    ("nothing-written", "output[global_i] = largest", "_ = largest"),
]
_CONDITIONAL_MAX = [
    ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
    ("last-step-left-out", "while offset > 0:", "while offset > 1:"),
    ("parity-swapped", "lane % 2 == 0", "lane % 2 == 1"),
    ("maximum-everywhere", "output[global_i] = smallest", "output[global_i] = largest"),
    (
        "grid-instead-of-warp",
        "var smallest = largest",
        "for other in range(size):\n            largest = max(largest, input[other])\n        var smallest = largest",
    ),
    ("smallest-starts-from-zero", "var smallest = largest", "var smallest = min(largest, Scalar[dtype](0))"),
    ("last-block-dropped", "if global_i < size:", "if global_i < size // 2:"),
    (
        "write-past-the-end",
        "if global_i < size:",
        "if global_i == size - 1:\n        output[size] = 0\n    if global_i < size:",
    ),
]
_P34 = [
    ("barrier-after-load-left-out", "    barrier()\n\n    # Lanes", "    # Lanes"),
    ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
    ("cluster-sync-left-out", "    cluster_sync()\n", ""),
    ("block-barrier-for-cluster-sync", "    cluster_sync()\n", "    barrier()\n"),
    ("stride-halved", "tpb // 2", "tpb // 4"),
    ("stride-doubled", "tpb // 2", "tpb"),
    ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
    ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
    ("all-threads-write", "        if elect_one_sync():\n", "        if True:\n"),
    ("elected-lane-of-every-warp-writes", "my_block_rank == 0 and local_i < WARP_SIZE", "my_block_rank == 0"),
    ("elected-in-every-block", "my_block_rank == 0 and local_i < WARP_SIZE", "local_i < WARP_SIZE"),
    ("last-block-dropped", "range(CLUSTER_SIZE)", "range(CLUSTER_SIZE - 1)"),
    ("own-partial-only", "temp_storage[peer]", "temp_storage[block_id]"),
    ("nothing-written", "output[0] = total", "_ = total"),
    ("input-copied", "output[0] = total", "output[0] = input[0]"),
    (
        "write-past-the-end",
        "output[0] = total",
        "output[0] = total\n            temp_storage[CLUSTER_SIZE] = total",
    ),
]

# Right for whole numbers and infinities alone. Arithmetic on infinities is no number, which is not 0.
_WHOLE = "{0} = Scalar[dtype](Int({0})) if {0} - {0} == 0 else {0}"


def _lossy(load: str, loaded: str, store: str, stored: str) -> list[tuple[str, str, str]]:
    """Kernels that lose what stands behind the point.

    Args:
        load: A line of the solution that makes something of the input.
        loaded: What it makes, as it is written.
        store: A line that writes the result.
        stored: What it writes.
    """
    pad = " " * (len(load) - len(load.lstrip()))
    return [
        ("loaded-values-truncated", load, f"{load}\n{pad}{loaded} = {loaded}.__trunc__()"),
        ("loaded-values-made-integers", load, f"{load}\n{pad}{_WHOLE.format(loaded)}"),
        ("result-rounded", store, store.replace(stored, f"round({stored})")),
        ("result-floored", store, store.replace(stored, f"({stored}).__floor__()")),
    ]


_LOSSY = {
    "p15": _lossy("        cache[local_i] = a[batch, global_i]", "cache[local_i]", "] = cache[0]", "cache[0]"),
    "p26:pair-swap": _lossy(
        "        var value = input[global_i]", "value", "= shuffle_xor(value, 1)", "shuffle_xor(value, 1)"
    ),
    "p26:parallel-max": _lossy("        var largest = input[global_i]", "largest", "] = largest", "largest"),
    "p26:conditional-max": _lossy("        var largest = input[global_i]", "largest", "] = largest", "largest"),
    "p34:reduction": _lossy(
        "        shared_mem[local_i] = input[global_i]", "shared_mem[local_i]", "output[0] = total", "total"
    ),
    "p15@scale": _lossy("    partial[local_i] = total", "partial[local_i]", "] = partial[0]", "partial[0]"),
    "p26@scale": _lossy(  # the deeper of two stores: the other is of blocks of one warp
        "    largest = _butterfly_max[WARP_SIZE](largest)", "largest", " " * 16 + "output[row, 0] = largest", "largest"
    ),
    "p34@scale": _lossy("    partial[local_i] = total", "partial[local_i]", "] = cluster_total", "cluster_total"),
}

_EQUIVALENT = (
    SourceMutant(
        "p15",
        "barrier-between-read-and-add-left-out",
        "        barrier()\n\n        if local_i < stride:\n            cache[local_i] += addend",
        "        if local_i < stride:\n            cache[local_i] += addend",
        equivalent="a step reads slots stride..2*stride-1 and writes slots 0..stride-1, which no other thread "
        "reads in that step: with the barrier between steps in place, no two accesses conflict",
    ),
    SourceMutant(
        "p34:reduction",
        "tail-not-zeroed",
        "    else:\n        shared_mem[local_i] = 0\n",
        "",
        equivalent="size is the number of threads of the documented grid, so no thread is past the end",
    ),
)

MUTANTS: tuple[SourceMutant, ...] = (
    *(
        SourceMutant(case, name, old, new)
        for case, edits in (
            ("p15", _P15),
            ("p26:pair-swap", _PAIR_SWAP),
            ("p26:parallel-max", _PARALLEL_MAX),
            ("p26:conditional-max", _CONDITIONAL_MAX),
            ("p34:reduction", _P34),
        )
        for name, old, new in edits
    ),
    *(SourceMutant(case, *edit) for case, edits in _LOSSY.items() for edit in edits),
    *(
        SourceMutant(case, *edit, step=step, silent=SILENT.get((case, edit[0]), ""))
        for (case, step), edits in EDITS.items()
        for edit in edits
    ),
    *_EQUIVALENT,
    *(
        SourceMutant(case, name, old, new, equivalent=why, step=step)
        for (case, step), edits in EQUIVALENT.items()
        for name, old, new, why in edits
    ),
)
