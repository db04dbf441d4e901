"""Figures as lessons ask for them, and what is drawn in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

from harness.catalogue import CASES, find_case
from harness.learning.figures import Figure, FigureRequest, draw, draw_declared, load_figure_phrases
from tests.generate.lessons import path
from tests.generate.stored_traces import data_of, target_of

__all__ = ["SVG", "declared", "figure", "shapes", "stored", "text_of_lesson", "texts"]

SVG = "{http://www.w3.org/2000/svg}"


@cache
def stored(id: str) -> dict[str, Any]:
    return data_of(find_case(id), target_of(find_case(id)))


def figure(text: str, language: str = "en", data: Mapping[str, Any] | None = None) -> Figure:
    wish = FigureRequest.parse(text)
    return draw(data or stored(wish.case), wish, load_figure_phrases(language))


def text_of_lesson(puzzle: str, language: str) -> str:
    return path(puzzle, language).read_text(encoding="utf-8")


def texts(drawing: Figure) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(drawing.svg).iter(f"{SVG}tspan")]


def shapes(drawing: Figure, style: str) -> int:
    """How many shapes of a style there are."""
    paths = [path for path in ElementTree.fromstring(drawing.svg).iter(f"{SVG}path") if path.get("class") == style]
    return sum(path.get("d").count("M") for path in paths)


def declared(text: str, language: str = "en", **changed: Any) -> Figure:
    """A figure of what the catalogue says, with some of the case's fields changed."""
    wish = FigureRequest.parse(text)
    own = find_case(wish.case)
    others = [entry for entry in CASES if entry.puzzle == own.puzzle and entry != own]
    return draw_declared([replace(own, **changed), *others], wish, load_figure_phrases(language))
