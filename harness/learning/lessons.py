"""Render Markdown of lessons and hints as HTML with embedded figures, and extract a lesson's introduction."""

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
        """Render a file of `env["folder"]` as an `<img>` with a `data:` address of an SVG; changes the token's `src`.

        Neither its kind nor its place is checked: lessons are trusted. Raises OSError if it cannot be read.
        """
        figure = env["folder"] / str(tokens[index].attrs["src"])
        data = base64.b64encode(figure.read_bytes()).decode()
        tokens[index].attrs["src"] = f"data:image/svg+xml;base64,{data}"
        return super().image(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Render the beginning of a link; where its address does not begin with `https://`, make both of its tokens a
        `span`.
        """
        if not str(tokens[index].attrs["href"]).startswith("https://"):
            tokens[index].tag = "span"
            tokens[index].attrs = {}
            next(token for token in tokens[index:] if token.type == "link_close").tag = "span"
        return self.renderToken(tokens, index, options, env)


def render_markdown(text: str, folder: Path) -> str:
    """Render a lesson's Markdown, with tables, as HTML; figures are embedded, and of links only those to `https://` are
    kept.

    Args:
        text: The Markdown; it is trusted, so HTML in it is kept.
        folder: The folder of the lesson, with its figures.

    Raises:
        OSError: A figure cannot be read.
    """
    parser = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    html: str = parser.render(text, {"folder": folder})
    return html


def extract_introduction(text: str) -> str:
    """Return the part of a lesson to read before solving: without its title, its hints and all that follows them.

    The text ends before the last `## ` heading above the first hints (above the end, if it has none); empty without
    such a heading.
    """
    before = text.partition("<!-- hints: ")[0]
    return _TITLE.sub("", before.rpartition("\n## ")[0])  # the heading of the hints goes with them
