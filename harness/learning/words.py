"""Load the texts of pages, traces and figures in a language from a JSON table, and fill in their placeholders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.errors import unknown_name
from harness.simt.messages.particles import choose_particles

__all__ = ["LANGUAGES", "Phrases", "load_phrases"]

LANGUAGES = ("en", "ko")
TABLE = Path(__file__).parent / "page" / "words.json"


class Phrases:
    """The texts of one language.

    Attributes:
        language: `en` or `ko`.
        texts: The texts by key; placeholders stand in braces.
    """

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language, self.texts = language, texts

    def __call__(self, key: str, **values: Any) -> str:
        """Return the text with this key, with its placeholders filled in."""
        return choose_particles(self.texts[key].format(**values))


def load_phrases(language: str = "en", file: Path = TABLE) -> Phrases:
    """Read the texts of a language from a table.

    Args:
        language: `en` or `ko`.
        file: The table, in JSON.

    Raises:
        UsageError: The language is neither.
    """
    if language not in LANGUAGES:
        raise unknown_name("language", language, LANGUAGES)
    table = json.loads(file.read_text(encoding="utf-8"))
    return Phrases(language, {key: texts[language] for key, texts in table.items()})
