"""Strip comments, blank lines and trailing blanks from Mojo or Python text; `result` groups equal texts.

This only informs people. Each file is judged as it is, since the compiler may see comments and blanks differently.
"""

from __future__ import annotations

import re

__all__ = ["normalize"]

# What a comment sign may stand in without beginning a comment, longest quotes first; an open string runs to the end.
# None of it fails once it has begun, so that no text is read twice.
_TOKEN = re.compile(
    r'"""(?:\\.?|[^\\])*?(?:"""|\Z)'
    r"|'''(?:\\.?|[^\\])*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
_BLANKS = " \t"


def normalize(text: str) -> str:
    """Return Mojo or Python text without comments, blank lines and trailing blanks, its CRLF everywhere become LF.

    Blank lines and trailing blanks inside a string that spans lines stay, and a `#` in a string begins no comment.
    """
    text = text.replace("\r\n", "\n")
    inside: set[int] = set()  # lines that begin in a string: what they hold counts, blanks too
    lines_before, read = 0, 0

    def keep_token(match: re.Match[str]) -> str:
        nonlocal lines_before, read
        if match[0].startswith("#"):
            return ""
        if "\n" in match[0]:
            lines_before += text.count("\n", read, match.start())
            read = match.start()
            inside.update(range(lines_before + 1, lines_before + 1 + match[0].count("\n")))
        return match[0]

    lines = enumerate(_TOKEN.sub(keep_token, text).split("\n"))
    lines_kept = (
        line if at in inside else line.rstrip(_BLANKS) for at, line in lines if at in inside or line.strip(_BLANKS)
    )
    return "\n".join(lines_kept)
