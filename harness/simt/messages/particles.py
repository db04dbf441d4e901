"""Korean particles, of which the sound before them decides: a template names both, `{case}을/를`.

What stands before may be anybody's name or a number, in quotes or brackets or not.
"""

from __future__ import annotations

import re

__all__ = ["fitted"]

# The form behind a consonant, and that behind a vowel.
_PAIRS = ("은/는", "이/가", "을/를", "과/와", "으로/로", "이라/라", "이라는/라는")
_BOTH = re.compile(rf"(?P<word>[^\W_]+)(?P<closing>(?:[^\w\s]|_)*)(?P<pair>{'|'.join(_PAIRS)})(?![가-힣])")
_LIQUID = 8  # ㄹ among the final consonants: `로` follows it as it follows a vowel
_FINALS = 28
# How a digit ends as it is read, and a letter that stands alone; 1 is any other consonant.
_READ = {"0": 1, "1": _LIQUID, "3": 1, "6": 1, "7": _LIQUID, "8": _LIQUID, "l": _LIQUID, "r": _LIQUID, "m": 1, "n": 1}
# How a word of these letters ends: kernel, file; reduction, line; block, output, map, but not warp or test.
_ENDS = ((re.compile(r"le?$"), _LIQUID), (re.compile(r"[mn]$|ng$|[aeiou][mn]e$|[aeiou][bckpt]$|ck$"), 1))


def fitted(text: str) -> str:
    """A text with one form of each particle that it has two of."""
    return _BOTH.sub(_one, text) if "/" in text else text


def _one(match: re.Match[str]) -> str:
    both, either = match["pair"].split("/")
    final = _final(match["word"].lower())
    form = both if final and not (both == "으로" and final == _LIQUID) else either
    return f"{match['word']}{match['closing']}{form}"


def _final(word: str) -> int:
    """The final consonant of a word as it is read: 0 for none, 8 for ㄹ."""
    last = word[-1]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % _FINALS
    if last.isdigit() or len(word) == 1:
        return _READ.get(last, 0)
    return next((final for end, final in _ENDS if end.search(word)), 0)
