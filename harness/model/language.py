"""Choose the process's language, English or Korean, by option or locale; translate sentences into it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

from harness.errors import unknown_name
from harness.simt.messages import LANGUAGES, Words, words

__all__ = ["current_language", "current_words", "locale_language", "requested_language", "set_language", "translate"]

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as POSIX has it
_chosen: list[str] = []


def locale_language() -> str:
    """Return the language that the first one set of LC_ALL, LC_MESSAGES, LANG names; `en` if that has no messages."""
    locale = next(filter(None, map(os.environ.get, LOCALE_VARIABLES)), "")
    name = locale.partition("_")[0].partition(".")[0].lower()
    return name if name in LANGUAGES else "en"


def set_language(language: str | None) -> None:
    """Set the language of messages in this process; None for that of the locale.

    Raises:
        UsageError: There are no messages in it.
    """
    if language is not None and language not in LANGUAGES:
        raise unknown_name("language", language, LANGUAGES)
    _chosen[:] = [language] if language else []


def requested_language(argv: Sequence[str]) -> str | None:
    """Return the first known language that `--language` names before any `--`, or None; an unknown one is refused
    later.
    """
    for word, following in itertools.zip_longest(argv, argv[1:], fillvalue=""):
        flag, sign, value = word.partition("=")
        if flag == "--":
            break  # what follows is a program's
        if flag == "--language" and (name := value if sign else following) in LANGUAGES:
            return name
    return None


def current_words() -> Words:
    """Return the messages of the current language."""
    return words(current_language())


def translate(text: str) -> str:
    """Translate an English sentence into the current language; see `Words.phrase`."""
    return text if current_language() == "en" else current_words().phrase(text)


def current_language() -> str:
    """Return the current language, `en` or `ko`."""
    return _chosen[0] if _chosen else locale_language()
