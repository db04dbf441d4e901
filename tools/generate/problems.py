"""Problems are solutions with the marked regions left out: their frames are the solutions'.

A region begins with a line `# FILL ME IN: <hint>` and ends with a line
`# END OF FILL ME IN`.  Outside of them a problem file equals its solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.generate.files import Generated, GenerateError

__all__ = ["blank", "frame", "generated"]

_REGION = re.compile(
    r"(?P<pad>[ ]*)# FILL ME IN: (?P<hint>[^\n]*)\n(?P<body>.*?)(?P=pad)# END OF FILL ME IN\n", re.DOTALL
)


def blank(solution: str) -> str:
    """The text of a solution with each region replaced by `pass`: the pristine problem."""
    return _REGION.sub(lambda region: _framed(region, f"{region['pad']}pass\n"), solution)


def frame(text: str) -> str:
    """The text of a file without what stands in its regions."""
    return _REGION.sub(lambda region: _framed(region, ""), text)


def _regions(text: str) -> int:
    return len(_REGION.findall(text))


def _framed(region: re.Match[str], body: str) -> str:
    pad = region["pad"]
    return f"{pad}# FILL ME IN: {region['hint']}\n{body}{pad}# END OF FILL ME IN\n"


def generated(pairs: dict[Path, Path]) -> Iterator[Generated]:
    """The problem file of each puzzle; one with the right frame stays as it is, whatever its regions hold.

    Args:
        pairs: Solution to problem.

    Raises:
        GenerateError: A solution leaves nothing to fill in.
    """
    for solution, problem in pairs.items():
        text = solution.read_text(encoding="utf-8")
        if not _REGION.search(text):
            raise GenerateError(f"{solution} has no `# FILL ME IN: ...` and `# END OF FILL ME IN` around anything.")
        held = problem.read_text(encoding="utf-8") if problem.is_file() else None
        if held is not None and frame(held) == frame(text):
            yield Generated(problem, held)
        else:
            pristine = held is None or (held == blank(held) and _regions(held) == _regions(text))
            yield Generated(problem, blank(text), keep="" if pristine else "somebody has filled it in")
