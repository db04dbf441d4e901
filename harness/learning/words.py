"""What pictures and traces say beside the findings, in each language: one table, `page/words.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.errors import unknown
from harness.simt.messages.particles import choose_particles

__all__ = ["LANGUAGES", "Phrases", "phrases"]

LANGUAGES = ("en", "ko")
TABLE = Path(__file__).parent / "page" / "words.json"


class Phrases:
    """The texts of one language.

    Attributes:
        language: `en` or `ko`.
        texts: By key; what stands in braces is filled in.
    """

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language, self.texts = language, texts

    def __call__(self, key: str, **values: Any) -> str:
        """A text, filled in."""
        return choose_particles(self.texts[key].format(**values))


def phrases(language: str = "en", file: Path = TABLE) -> Phrases:
    """The texts of a language.

    Args:
        language: `en` or `ko`.
        file: The table.

    Raises:
        UsageError: There are none in that language.
    """
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    table = json.loads(file.read_text(encoding="utf-8"))
    return Phrases(language, {key: texts[language] for key, texts in table.items()})
