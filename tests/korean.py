"""The words of the field in Korean, and the ones that stand in their place elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What is not written, as a pattern that begins with a word, and what is.
GLOSSARY = {
    "쓰레드": "스레드",
    "웨이브프론트": "웨이브프런트",
    "장벽": "배리어",
    "[셰쉐]어드": "공유 메모리",
    "글로벌 메모리": "전역 메모리",
    "장치": "디바이스",
    "축소": "리덕션",
    "(접두사|프리픽스) 합": "누적 합",
    "경쟁 조건": "경쟁 상태",
    "데드락": "교착 상태",
    "아토믹": "원자적",
    "코얼레싱": "병합 메모리 접근",
    "뱅크 컨플릭트": "뱅크 충돌",
    "오큐펀시": "점유율",
    "락스텝": "록스텝",
    "레이턴시": "지연 시간",
    "미정의": "정의되지 않은",
    "프레디케이트": "조건",
    "요소(?!별)": "원소",
    "(워프|블록|스레드) 수준": "레벨",
    "솔루션|해답": "풀이",
    "발견한 문제": "진단",
}
WRONG = re.compile(rf"(?<![가-힣])({'|'.join(GLOSSARY)})")
TWO_FORMS = re.compile(r"은\(는\)|이\(가\)|을\(를\)")  # particles: the order of the words avoids them


# Words that Korean keeps in Latin letters: products, units, verdicts, forms, and names of Mojo, LLVM and Metal.
_KEPT = """
GPU CPU SIMT MAX NVIDIA AMD Apple Metal Mojo LLVM IR PTX UTF KiB MiB NaN JSON op bwrap limits torch Ctrl
PASS REFERENCE MISMATCH FINDING COMPILE ERROR LAUNCH TIMEOUT INCOMPLETE SKIPPED LIMIT
volatile undef poison return max nvidia amd apple sm gfx clang visible function table
"""
# What is quoted: code in backticks and of LLVM, the id of a finding, the line of a source below its place, and a
# compiler's own lines.
_QUOTED = re.compile(
    r"`[^`]*`"
    r"|\([a-z][a-z.-]+\)$"
    r"|\b(?:call|br|load|store) .*[@%].*$"
    r"|^[= ]*(?:\d+ )?\|.*$"
    r"|^[= ]* {8}\S.*$"
    r"|^.*: (?:error|note): .*$",
    re.MULTILINE,
)
_LATIN = re.compile(r"(?<![\w.%/\-\[=:@])[A-Za-z]{2,}(?![A-Za-z0-9_./%\-\[=(]|:\S)")


def english(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the English words of a Korean text.

    Args:
        text: What a command printed.
        names: What the code in question calls things.
    """
    kept = {*_KEPT.split(), *names}
    return [word for word in _LATIN.findall(_QUOTED.sub("", text)) if word not in kept]


def wrong(text: str) -> list[str]:
    """What of a text has another word in the field, or a particle in two forms."""
    return [found[0] for pattern in (WRONG, TWO_FORMS) for found in pattern.finditer(text)]
