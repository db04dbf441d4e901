"""Lessons and hints as HTML, with their figures inside: nothing in it is asked for from anywhere."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

__all__ = ["as_html", "before_hints"]

_TITLE = re.compile(r"\A# [^\n]*\n")


class _Renderer(RendererHTML):
    """Figures become part of the page; of links those stay that lead out of the lessons."""

    def image(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """A figure, from the folder that `env` names."""
        figure = env["folder"] / str(tokens[index].attrs["src"])
        data = base64.b64encode(figure.read_bytes()).decode()
        tokens[index].attrs["src"] = f"data:image/svg+xml;base64,{data}"
        return super().image(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """A link, or its text where it leads to another lesson: that one is not here."""
        if not str(tokens[index].attrs["href"]).startswith("https://"):
            tokens[index].tag = "span"
            tokens[index].attrs = {}
            next(token for token in tokens[index:] if token.type == "link_close").tag = "span"
        return self.renderToken(tokens, index, options, env)


def as_html(text: str, folder: Path) -> str:
    """Markdown of a lesson as HTML.

    Args:
        text: Our own, so what is HTML in it stays.
        folder: In which the lesson stands.
    """
    parser = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    html: str = parser.render(text, {"folder": folder})
    return html


def before_hints(text: str) -> str:
    """Of a lesson what is there to be read before the work: no hints, and nothing of a solution; without its title."""
    before = text.partition("<!-- hints: ")[0]
    return _TITLE.sub("", before.rpartition("\n## ")[0])  # the heading of the hints goes with them
