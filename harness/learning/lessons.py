"""Render lessons and hints as HTML that contains its figures and loads nothing."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

__all__ = ["extract_introduction", "render_markdown"]

_TITLE = re.compile(r"\A# [^\n]*\n")


class _Renderer(RendererHTML):
    """Renders Markdown with figures embedded, and without links between lessons."""

    def image(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Render an image with its file embedded; `env["folder"]` is where the file lies."""
        figure = env["folder"] / str(tokens[index].attrs["src"])
        data = base64.b64encode(figure.read_bytes()).decode()
        tokens[index].attrs["src"] = f"data:image/svg+xml;base64,{data}"
        return super().image(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Render a link, or only its text if it leads to another lesson."""
        if not str(tokens[index].attrs["href"]).startswith("https://"):
            tokens[index].tag = "span"
            tokens[index].attrs = {}
            next(token for token in tokens[index:] if token.type == "link_close").tag = "span"
        return self.renderToken(tokens, index, options, env)


def render_markdown(text: str, folder: Path) -> str:
    """Render a lesson's Markdown as HTML.

    Args:
        text: The Markdown; it is trusted, so HTML in it is kept.
        folder: The folder of the lesson, with its figures.
    """
    parser = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    html: str = parser.render(text, {"folder": folder})
    return html


def extract_introduction(text: str) -> str:
    """Return the part of a lesson to read before solving: no title, no hints, nothing of the solution."""
    before = text.partition("<!-- hints: ")[0]
    return _TITLE.sub("", before.rpartition("\n## ")[0])  # the heading of the hints goes with them
