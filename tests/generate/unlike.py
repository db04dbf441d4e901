"""Whether a lesson repeats the documents: hashes of every run of eight words of their English, `documents.hashes`.

`python -m tests.generate.unlike FOLDER` makes the file anew from a folder of the documents' pages (Markdown): names and
code in them do not count, nor do they in a lesson. Hashes are of 32 bits, sorted, as differences, compressed.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np

__all__ = ["RUN", "alike", "hash_of", "known", "runs"]

RUN = 8  # words
_FILE = Path(__file__).with_name("documents.hashes")
_CODE = (r"^```.*?^```", r"<!--.*?-->", r"`[^`\n]*`", r"<[^>\n]*>", r"\]\([^)]*\)", r"^#.*$")
_WORD = re.compile(r"\w+(?:'\w+)*")


def runs(text: str) -> Iterator[str]:
    """Every run of words of a Markdown text, in small letters; none goes over code or the end of a paragraph."""
    for pattern in _CODE:
        text = re.sub(pattern, "\n\n", text, flags=re.DOTALL | re.MULTILINE if "```" in pattern else re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", text.lower().replace("’", "'")):
        words = _WORD.findall(paragraph)
        yield from (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def hash_of(run: str) -> int:
    """Of a run, 32 bits."""
    return int.from_bytes(blake2b(run.encode(), digest_size=4).digest(), "little")


def alike(text: str) -> list[str]:
    """The runs of a text that the documents have too."""
    return [run for run in runs(text) if hash_of(run) in known()]


@cache
def known() -> frozenset[int]:
    """The hashes of the documents' runs."""
    steps = np.frombuffer(lzma.decompress(_FILE.read_bytes()), "<u4")
    return frozenset(np.cumsum(steps, dtype=np.uint64).tolist())


def main() -> int:
    """Writes the file."""
    pages = sorted(Path(sys.argv[1]).rglob("*.md"))
    hashes = sorted({hash_of(run) for page in pages for run in runs(page.read_text(encoding="utf-8"))})
    steps = np.diff(np.array(hashes, "<u4"), prepend=np.uint32(0)).astype("<u4")
    _FILE.write_bytes(lzma.compress(steps.tobytes(), preset=9))
    print(f"{len(hashes):,} runs of {len(pages)} pages, {_FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
