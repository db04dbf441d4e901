"""Which kernels have a form in machine code, and what the others lack: `python -m tests.simt.declined [--write]`.

The kernels are those of the documents' solutions for each vendor, as they lie in the cache or are compiled now, and
those of the hazards' pairs that are right. `--write` puts the table into docs/engines.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from harness import simt
from harness.build import device_code
from harness.build.unit import Build
from harness.model.sources import ROOT
from harness.model.target import Target
from harness.simt.compile.program import compile_kernel
from harness.simt.declined import Declined
from harness.simt.native.module import write_module
from harness.simt.targets import target_of
from tests import compiled
from tests.generate.files import between, table
from tests.hazards import pairs

__all__ = ["lacks", "main", "puzzles"]

DOCUMENT = ROOT / "docs" / "engines.md"
BEGIN = "<!-- made by `python -m tests.simt.declined --write`: begin declined -->"
END = "<!-- made: end declined -->"
TARGETS = ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")
FIRST = 6  # reasons of a row


def lacks(text: str, kernel: str | None, target: str) -> str:
    """What a kernel has that machine code has no form for, the first of it; empty if nothing."""
    try:
        write_module(compile_kernel(simt.decode(text), kernel, target_of(target)))
    except Declined as error:
        return error.why
    return ""


def puzzles(target: str) -> Iterator[str]:
    """The code of the puzzles' kernels."""
    codes = device_code.build_device_code(compiled.SIMULATED, Build(target=Target.parse(target)), "llvm")
    for texts in codes.values():
        assert not isinstance(texts, Exception), texts
        yield from texts


def _row(name: str, found: list[str]) -> tuple[str, str, str, str]:
    counts = Counter(why for why in found if why)
    most = counts.most_common(FIRST)
    told = [f"{why} ({count})" for why, count in most]
    if rest := counts.total() - sum(count for _, count in most):
        told.append(f"others ({rest})")
    return name, str(len(found)), str(found.count("")), "; ".join(told)


def main(arguments: Sequence[str]) -> int:
    """Prints the table, or writes it."""
    rows = [
        _row(f"puzzles for {target}", [lacks(text, None, target) for text in puzzles(target)]) for target in TARGETS
    ]
    clean = [lacks(path.read_text("utf-8"), "clean", pairs.header(path, "target")) for path in pairs.PAIRS]
    rows.append(_row("hazards that are none", clean))
    text = table(("kernels", "all", "with a form", "what the others have"), rows)
    if list(arguments) == ["--write"]:
        DOCUMENT.write_text(between(DOCUMENT.read_text("utf-8"), BEGIN, END, text, DOCUMENT), encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
