"""Problems are solutions with the marked regions left out: their frames are the solutions'."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.model.frames import blank, frame, regions
from tests.generate.files import Generated, GenerateError

__all__ = ["generated"]


def generated(pairs: dict[Path, Path]) -> Iterator[Generated]:
    """The problem file of each puzzle; one with the right frame stays as it is, whatever its regions hold.

    Args:
        pairs: Solution to problem.

    Raises:
        GenerateError: A solution leaves nothing to fill in.
    """
    for solution, problem in pairs.items():
        text = solution.read_text(encoding="utf-8")
        if not regions(text):
            raise GenerateError(f"{solution} has no `# FILL ME IN: ...` and `# END OF FILL ME IN` around anything.")
        held = problem.read_text(encoding="utf-8") if problem.is_file() else None
        if held is not None and frame(held) == frame(text):
            yield Generated(problem, held)
        else:
            pristine = held is None or (held == blank(held) and regions(held) == regions(text))
            yield Generated(problem, blank(text), keep="" if pristine else "somebody has filled it in")
