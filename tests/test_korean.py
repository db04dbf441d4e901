"""Whatever is in Korean uses the words of the field: messages, pages, lessons, documents."""

from __future__ import annotations

import re
from pathlib import Path

from tests.korean import wrong

ROOT = Path(__file__).parents[1]
SHIPPED = ("harness", "mojo", "docs", "tests/generate/new")
KINDS = {".py", ".json", ".js", ".html", ".md", ".svg", ".mojo", ".yml"}
HANGUL = re.compile(r"[가-힣]")


def korean_files() -> dict[Path, str]:
    """Each file that says something in Korean, and its text."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.yml"), *(file for name in SHIPPED for file in (ROOT / name).rglob("*"))]
    texts = {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in files if file.suffix in KINDS}
    return {file: text for file, text in texts.items() if HANGUL.search(text)}


def test_korean_uses_the_words_of_the_field():
    files = korean_files()

    assert {Path("README.ko.md"), Path("mojo/p15/README.ko.md"), Path("harness/learning/page/words.json")} < set(files)
    assert {str(file): found for file, text in files.items() if (found := wrong(text))} == {}


def test_a_word_is_not_found_within_another():
    assert wrong("안전장치와 중요소식, 요소별 곱") == []
    assert wrong("장치에서 워프 수준의 요소를, cache이(가)") == ["장치", "워프 수준", "요소", "이(가)"]
