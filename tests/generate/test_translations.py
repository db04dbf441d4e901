"""What the catalogue says has its translation beside the kernels; what has none is said in English."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalogue import CASES, PLACES, find_case
from harness.catalogue.translations import read_translations
from harness.simt.messages import words
from tests.generate import translations


def put(folder, puzzle, body):
    """A page of a puzzle in Korean, with texts of the catalogue."""
    (folder / puzzle).mkdir(exist_ok=True)
    page = folder / puzzle / "README.ko.md"
    page.write_text(f"# 퍼즐\n\n<!-- catalogue\n{body}\n-->\n", encoding="utf-8")
    return page


def test_what_has_no_translation_is_said_in_english():
    assert words("ko").word("title", "a title that nobody translated") == "a title that nobody translated"
    assert words("ko").word("title", find_case("p15").title) == "축 방향 합"


def test_what_lacks_a_translation_is_listed(tmp_path):
    one = replace(find_case("p01"), title="a new title")
    said = "; ".join(["a new title", *(claim.sentence for claim in one.claims), PLACES["p01"].part])

    (told,) = translations.missing([one], tmp_path)
    assert told == f"said in English, {tmp_path.name}/p01/README.ko.md lacks it: {said}"
    put(tmp_path, "p01", "a new title\n새 제목")
    shared = [f"{claim.sentence}\n{number}번 약속" for number, claim in enumerate(one.claims)]
    put(tmp_path, "", "\n\n".join([*shared, f"{PLACES['p01'].part}\n첫 부"]))
    assert list(translations.missing([one], tmp_path)) == []


def test_a_translation_of_what_nothing_says_is_stale(tmp_path):
    page = put(tmp_path, "p01", "map\n맵\n\nan old promise\n옛 약속")

    (told,) = translations.stale(folder=tmp_path)
    assert told == f"{page}: no case says 'an old promise'. Take it away, or write what is said now."
    assert list(translations.stale()) == []


def test_no_text_is_translated_twice():
    """What several puzzles say stands in one place."""
    texts = [english for _, english, _ in read_translations("ko")]

    assert len(set(texts)) == len(texts) >= len({entry.title for entry in CASES if entry.puzzle < "p15"})


@pytest.mark.parametrize("body", ["map", "map\n맵\n지도"])
def test_a_text_without_one_line_below_it_is_refused(body, tmp_path):
    put(tmp_path, "p01", body)

    with pytest.raises(ValueError, match="a text in English and one in 'ko' below it, but got 'map"):
        list(read_translations("ko", tmp_path))
