"""The language in which people are spoken to: asked for, or that of the locale; records stay in English."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

from harness.errors import unknown
from harness.simt.messages import LANGUAGES, Words, words

__all__ = ["asked_for", "choose", "chosen", "language", "of_locale", "told"]

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as POSIX has it
_chosen: list[str] = []


def of_locale() -> str:
    """The locale's language where there are messages in it, else English."""
    locale = next(filter(None, map(os.environ.get, LOCALE_VARIABLES)), "")
    name = locale.partition("_")[0].partition(".")[0].lower()
    return name if name in LANGUAGES else "en"


def choose(language: str | None) -> None:
    """Sets the language of what follows; None for that of the locale.

    Raises:
        UsageError: There are no messages in it.
    """
    if language is not None and language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    _chosen[:] = [language] if language else []


def asked_for(argv: Sequence[str]) -> str | None:
    """The language that a command line asks for, also for help and refusals; what is none is refused later."""
    for word, following in itertools.zip_longest(argv, argv[1:], fillvalue=""):
        flag, sign, value = word.partition("=")
        if flag == "--":
            break  # what follows is a program's
        if flag == "--language" and (name := value if sign else following) in LANGUAGES:
            return name
    return None


def chosen() -> Words:
    """The texts of the language in use."""
    return words(language())


def told(text: str) -> str:
    """A sentence that was put together in English, in the language in use; see `Words.phrase`."""
    return text if language() == "en" else chosen().phrase(text)


def language() -> str:
    """The language in use."""
    return _chosen[0] if _chosen else of_locale()
