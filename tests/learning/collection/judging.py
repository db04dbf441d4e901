"""What a report of a collected mistake lacks, or has too much."""

from __future__ import annotations

from collections.abc import Sequence

from tests.learning.collection.entry import REMEDIES, Entry

__all__ = ["faults_of"]


def faults_of(entry: Entry, english: Sequence[str], korean: Sequence[str]) -> list[str]:
    """Return what is wrong with what is told of a mistake; nothing if cause, line and remedy are right.

    Args:
        entry: The mistake.
        english: The lines of its report.
        korean: The same.
    """
    remedy, said = REMEDIES[entry.remedy], "\n".join(english)
    faults = []
    if not _has(remedy.english, said) or not _has(remedy.korean, "\n".join(korean)):
        faults.append(f"the remedy is not {entry.remedy}")
    advice = [line for line in english if "Remedy: " in line], [line for line in korean if "고치는 법: " in line]
    for texts, lines in zip((remedy.never, remedy.never_korean), advice, strict=True):
        faults += [f"a remedy says {text!r}" for text in texts if any(text in line for line in lines)]
    faults += [f"{text} is not named" for text in filter(None, entry.says.split("|")) if text not in said]
    source = entry.source().split("\n")
    numbers = [number for number, line in enumerate(source, 1) if _has(entry.at, line)]
    if entry.at and not any(f":{number}:" in said or f"line {number}:" in said for number in numbers):
        faults.append(f"no line of {numbers} is named")
    return faults


def _has(alternatives: str, text: str) -> bool:
    return any(one in text for one in alternatives.split("|"))
