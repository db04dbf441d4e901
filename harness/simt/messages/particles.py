"""Choose between the two forms of Korean particles, such as 을/를, by the sound before them.

A template names both forms, `{case}을/를`. The word before may be any name or number, with or without quotes or
brackets.
"""

from __future__ import annotations

import re

__all__ = ["choose_particles"]

# The form after a consonant, and the form after a vowel.
_PAIRS = ("은/는", "이/가", "을/를", "과/와", "으로/로", "이라/라", "이라는/라는")
_BOTH = re.compile(rf"(?P<word>[^\W_]+)(?P<closing>(?:[^\w\s]|_)*)(?P<pair>{'|'.join(_PAIRS)})(?![가-힣])")
_LIQUID = 8  # ㄹ among the final consonants: `로` follows it as it follows a vowel
_FINALS = 28
# The final consonant of digits and single letters as they are pronounced; 1 is any other consonant.
_READ = {"0": 1, "1": _LIQUID, "3": 1, "6": 1, "7": _LIQUID, "8": _LIQUID, "l": _LIQUID, "r": _LIQUID, "m": 1, "n": 1}
# The final consonant of Latin words by their ending: kernel, file; reduction, line; block, output, map; but not warp or
# test.
_ENDS = ((re.compile(r"le?$"), _LIQUID), (re.compile(r"[mn]$|ng$|[aeiou][mn]e$|[aeiou][bckpt]$|ck$"), 1))


def choose_particles(text: str) -> str:
    """Return a text in which each pair of particle forms is replaced by the form that fits the word before it."""
    return _BOTH.sub(_choose_form, text) if "/" in text else text


def _choose_form(match: re.Match[str]) -> str:
    both, either = match["pair"].split("/")
    final = _final_consonant(match["word"].lower())
    form = both if final and not (both == "으로" and final == _LIQUID) else either
    return f"{match['word']}{match['closing']}{form}"


def _final_consonant(word: str) -> int:
    """Return a number for the final consonant of a word as it is pronounced in Korean: 0 for none, 8 for ㄹ.

    Only the last character counts if it is a Hangul syllable (its number in Unicode), a digit, or the whole word. A
    longer Latin word is judged by its ending. Except for Hangul, any other final consonant is 1.

    Args:
        word: In lower case, not empty, without punctuation at its end.
    """
    last = word[-1]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % _FINALS
    if last.isdigit() or len(word) == 1:
        return _READ.get(last, 0)
    return next((final for end, final in _ENDS if end.search(word)), 0)
