"""What people read of the catalogue in another language than English: titles, promises with their reasons, needs.

It stands beside the kernels, in `mojo/pNN/README.ko.md` (what several puzzles say in `mojo/README.ko.md`), each text
below the English one, where nobody who reads the page sees it:

    <!-- catalogue
    axis sum
    축 방향 합

    blocks do not communicate
    블록끼리는 데이터를 주고받지 않습니다
    -->

What is not there is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness.model.case import Case
from harness.model.given import Predict
from harness.model.sources import MOJO
from harness.simt.messages import Texts

__all__ = ["spoken", "terms", "translated"]

_TEXTS = re.compile(r"<!-- catalogue\n(.*?)-->", re.DOTALL)


def spoken(case: Case) -> Iterator[tuple[str, str]]:
    """(what it is, the English) of each text of a case that a translation may have; what it is names a term."""
    yield "title", case.title
    for claim in case.claims:
        yield "sentence", claim.sentence
        if claim.why:
            yield "why", claim.why
    for need in case.needs:
        yield "reason", need.reason
    for question in case.given.questions if isinstance(case.given, Predict) else ():
        yield "question", question.sentence
        yield "why", question.why


def terms(language: str) -> Texts:
    """The texts of a language, as messages take them: a message may name each as what it is."""
    texts = {english: own for _, english, own in translated(language)}
    return {}, dict.fromkeys(("title", "sentence", "why", "reason", "question"), texts)


def translated(language: str, folder: Path = MOJO) -> Iterator[tuple[Path, str, str]]:
    """(file, English, the language's text) of all that there is, what several puzzles say first.

    Raises:
        ValueError: An English text has not one line below it.
    """
    name = f"README.{language}.md"
    for path in (folder / name, *sorted(folder.glob(f"*/{name}"))):
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for body in _TEXTS.findall(text):
            for pair in body.strip().split("\n\n"):
                if pair.count("\n") != 1:
                    raise ValueError(f"{path}: a text in English and one in {language!r} below it, but got {pair!r}")
                english, own = pair.split("\n")
                yield path, english, own
