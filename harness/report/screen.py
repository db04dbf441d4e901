"""Print tables on stdout: fold wide cells to the terminal's width, colour verdicts, translate column heads."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from itertools import chain, zip_longest

from harness.model.language import current_words
from harness.model.lines import display_width, wrap
from harness.model.verdict import Verdict

__all__ = ["Screen"]

PLAIN_WIDTH = 240  # where no terminal says otherwise: reasons are not to be cut
GAP = "  "
BOLD = "1"
# What a verdict looks like, in ANSI's numbers; all others are in red.
STYLES = {
    Verdict.PASS: "32",
    Verdict.REFERENCE: "36",
    Verdict.SKIPPED: "33",
    "built": "32",
    "cached": "32",
    "skipped": "33",
    "clean": "32",
}
BAD = "1;31"


class Screen:
    """Stdout, with colours where it is a terminal that has some.

    Args:
        width: In columns; that of the terminal unless told.
    """

    def __init__(self, width: int | None = None) -> None:
        terminal = sys.stdout.isatty()
        self.width = width or (shutil.get_terminal_size().columns if terminal else PLAIN_WIDTH)
        self._coloured = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def table(self, heads: Sequence[str], body: Sequence[Sequence[str]]) -> None:
        """Print a table; fold cells of the widest columns if there is no room.

        Args:
            heads: Of the columns, in English; they are shown in the language in use. A table of names and values
                has none at all.
            body: The cells of each row; a row of one cell goes over all columns.
        """
        cells = [*([[current_words().word("head", head) for head in heads]] if heads else []), *body]
        full_rows = [row for row in cells if len(row) > 1 or len(cells[0]) == 1]
        widths = [
            max(display_width(line) for cell in column for line in cell.split("\n"))
            for column in zip(*full_rows, strict=True)
        ]
        while sum(widths) + len(GAP) * (len(widths) - 1) > self.width and max(widths) > 1:
            widths[widths.index(max(widths))] -= 1
        for number, row in enumerate(cells):
            if len(row) < len(widths):
                print("\n".join(_fold(row[0], self.width)))
                continue
            folded = [_fold(cell, width) for cell, width in zip(row, widths, strict=True)]
            for cell_lines in zip_longest(*folded, fillvalue=""):
                padded = [
                    part + " " * (width - display_width(part)) for part, width in zip(cell_lines, widths, strict=True)
                ]
                if heads:
                    padded = [
                        self._styled(part, number, *about) for part, *about in zip(padded, heads, row, strict=True)
                    ]
                print(GAP.join(padded).rstrip())

    def _styled(self, text: str, row: int, head: str, cell: str) -> str:
        if not self._coloured or not text.strip() or (row and head not in ("verdict", "status")):
            return text
        return f"\x1b[{STYLES.get(cell, BAD) if row else BOLD}m{text}\x1b[0m"


def _fold(text: str, width: int) -> list[str]:
    """Break the text of a cell, also at its line ends, into lines of at most `width` columns of the terminal.

    Breaks are between words, or within a word that is wider. An empty text is one empty line.
    """
    lines = []
    text_lines = (wrap(part, width) if display_width(part) > width else [part] for part in text.split("\n"))
    for line in chain.from_iterable(text_lines):
        lines.append("")
        for letter in line:
            if lines[-1] and display_width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines
