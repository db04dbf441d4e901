"""Problems are solutions with the marked regions left out.

A region begins with a line `# FILL ME IN: <hint>` and ends with a line
`# END OF FILL ME IN`.  Outside of them a problem file equals its solution.
"""

from __future__ import annotations

import re

__all__ = ["blank", "outside"]

_REGION = re.compile(
    r"(?P<pad>[ ]*)# FILL ME IN: (?P<hint>[^\n]*)\n(?P<body>.*?)(?P=pad)# END OF FILL ME IN\n", re.DOTALL
)


def blank(solution: str) -> str:
    """The text of a solution file with each region replaced by `pass`: the pristine problem."""
    return _REGION.sub(lambda found: _framed(found, f"{found['pad']}pass\n"), solution)


def outside(text: str) -> str:
    """The text of a file without what stands in its regions."""
    return _REGION.sub(lambda found: _framed(found, ""), text)


def _framed(found: re.Match[str], body: str) -> str:
    pad = found["pad"]
    return f"{pad}# FILL ME IN: {found['hint']}\n{body}{pad}# END OF FILL ME IN\n"
