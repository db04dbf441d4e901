"""The figures of lessons: between `<!-- figure: CASE KIND NAME -->` and `<!-- figure end -->` stands a picture.

It is drawn from the case's stored trace, or from what the catalogue promises of it; a file for each language:
`mojo/pNN/figures/*.svg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness.catalogue import CASES, find_case
from harness.learning.figures import DECLARED, Figure, FigureRequest, draw, draw_declared, load_figure_phrases
from harness.model.case import Case
from harness.model.sources import MOJO
from harness.model.target import Target
from tests.generate.files import Generated, GenerateError
from tests.generate.stored_traces import data_of, target_of

__all__ = ["FIGURE", "FOLDER", "WIDEST", "files", "wanted", "with_figures"]

FOLDER = "figures"
WIDEST = 480  # pixels: on a telephone's 420 its smallest letters are still 7 high
FIGURE = re.compile(r"(<!-- figure: (?P<wish>[^\n]*) -->\n)(?P<body>.*?)(<!-- figure end -->)", re.S)


def wanted(texts: list[str]) -> list[tuple[Case, Target]]:
    """The cases and targets that figures of these lessons show."""
    wishes = (wish for text in texts for wish in _wishes(text) if wish.kind not in DECLARED)
    return list(dict.fromkeys(map(_shown, wishes)))


def with_figures(text: str, puzzle: str, language: str) -> str:
    """A lesson with its pictures."""

    def picture(match: re.Match[str]) -> str:
        wish = _wish(match, puzzle)
        figure = _drawn(str(match["wish"]), language)
        return f"{match[1]}\n![{figure.alt}]({FOLDER}/{_name(wish, language)})\n\n{match[4]}"

    if text.count("<!-- figure: ") != len(FIGURE.findall(text)):
        raise GenerateError(f"{puzzle}: after each `<!-- figure: ... -->` comes a line `<!-- figure end -->`.")
    return FIGURE.sub(picture, text)


def files(puzzle: str, lessons: dict[str, str], root: Path = MOJO) -> Iterator[Generated]:
    """The pictures of a puzzle's lessons, and those that none of them shows any more.

    Args:
        puzzle: Its name.
        lessons: By language, the text of the lesson.
        root: The folder of the puzzles.
    """
    drawings = {}
    for language, text in lessons.items():
        for wish in _wishes(text):
            figure = _drawn(str(wish).removeprefix("figure "), language)
            if figure.width > WIDEST:
                raise GenerateError(
                    f"{puzzle}: {wish} is {figure.width} pixels wide, and on a telephone nobody could read it: "
                    f"ask for fewer lanes or cells (`most=8`), {WIDEST} pixels at most."
                )
            drawings[root / puzzle / FOLDER / _name(wish, language)] = figure.svg
    yield from (Generated(path, svg) for path, svg in drawings.items())
    for path in sorted((root / puzzle / FOLDER).glob("*")):
        if path not in drawings:
            yield Generated(path, None)


@cache
def _drawn(wish: str, language: str) -> Figure:
    """Both the lesson, which says what is seen, and the file are made of it."""
    parsed = FigureRequest.parse(wish)
    if parsed.kind in DECLARED:
        first = find_case(parsed.case)
        others = [entry for entry in CASES if entry.puzzle == first.puzzle and entry != first]
        return draw_declared([first, *others], parsed, load_figure_phrases(language))
    return draw(data_of(*_shown(parsed), language), parsed, load_figure_phrases(language))


def _wishes(text: str) -> list[FigureRequest]:
    return [FigureRequest.parse(match["wish"]) for match in FIGURE.finditer(text)]


def _wish(match: re.Match[str], puzzle: str) -> FigureRequest:
    wish = FigureRequest.parse(match["wish"])
    if find_case(wish.case).puzzle != puzzle:
        raise GenerateError(f"{wish}: a lesson of {puzzle} shows its own cases.")
    return wish


def _shown(wish: FigureRequest) -> tuple[Case, Target]:
    entry = find_case(wish.case)
    return entry, target_of(entry, wish.options.get("target"))


def _name(wish: FigureRequest, language: str) -> str:
    return f"{wish.stem}{'' if language == 'en' else f'.{language}'}.svg"
