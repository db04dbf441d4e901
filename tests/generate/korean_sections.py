"""The Korean site's names of its folders, which the generator makes of their English ones."""

from __future__ import annotations

from typing import Any

NAMES = {"Documents": "문서", "Themes": "주제"}


def on_nav(nav: Any, **_: object) -> None:
    """Called by the generator once it knows what there is.

    Raises:
        KeyError: A folder has no Korean name.
    """
    for item in nav.items:
        if item.is_section:
            item.title = NAMES[item.title]
