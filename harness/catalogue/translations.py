"""List a case's texts (title, promises, needs, questions), and read their translations from comments in READMEs.

They stand beside the kernels, in `mojo/pNN/README.ko.md` (what several puzzles say in `mojo/README.ko.md`), each text
below the English one, in a comment that readers of the page do not see:

    <!-- catalogue
    axis sum
    축 방향 합

    blocks do not communicate
    블록끼리는 데이터를 주고받지 않습니다
    -->

A missing text is shown in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness.model.case import Case
from harness.model.handout import Predict
from harness.model.sources import MOJO
from harness.simt.messages import Texts

__all__ = ["load_terms", "read_translations", "translatable_texts"]

_TEXTS = re.compile(r"<!-- catalogue\n(.*?)-->", re.DOTALL)


def translatable_texts(case: Case) -> Iterator[tuple[str, str]]:
    """Yield (kind, English text) for each translatable text of a case, repeated ones too.

    The kind is `title`, `sentence` or `why` of a promise, `reason` of a need, or `question`.
    """
    yield "title", case.title
    for claim in case.claims:
        yield "sentence", claim.sentence
        if claim.why:
            yield "why", claim.why
    for need in case.needs:
        yield "reason", need.reason
    for question in case.handout.questions if isinstance(case.handout, Predict) else ():
        yield "question", question.sentence
        yield "why", question.why


def load_terms(language: str) -> Texts:
    """Return translations as messages take them: ({}, {kind: {English: translation}}).

    Each kind of `translatable_texts` has all translations, since the files do not state kinds; none for a language
    without files. Raises what `read_translations` does.
    """
    texts = {english: translation for _, english, translation in read_translations(language)}
    return {}, dict.fromkeys(("title", "sentence", "why", "reason", "question"), texts)


def read_translations(language: str, folder: Path = MOJO) -> Iterator[tuple[Path, str, str]]:
    """Yield (file, English text, translation) from each `README.ko.md`: that of `folder`, then those of its subfolders.

    `ko` stands for the language. Only comments that begin with `catalogue` are read; missing files are skipped.

    Raises:
        ValueError: A comment is not made of pairs of lines, English and translation, with a blank line between pairs.
    """
    name = f"README.{language}.md"
    for path in (folder / name, *sorted(folder.glob(f"*/{name}"))):
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for body in _TEXTS.findall(text):
            for pair in body.strip().split("\n\n"):
                if pair.count("\n") != 1:
                    raise ValueError(f"{path}: a text in English and one in {language!r} below it, but got {pair!r}")
                english, translation = pair.split("\n")
                yield path, english, translation
