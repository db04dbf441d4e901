"""The package's page shows the README without the repository around it.

Links and pictures lead to the repository, or are plain text where nobody says where that is.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

HOME_VARIABLE = "PUZZLES_HOME"  # https://host/owner/repository, set where releases are made
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>(?!https?:|#)[^)\s]+)\)")


def for_its_page(readme: str, home: str, version: str) -> str:
    """The README as the package's page shows it.

    Args:
        readme: In Markdown.
        home: Of the repository, or empty.
        version: Whose files are meant.
    """

    def led(link: re.Match[str]) -> str:
        if not home:
            return "" if link["image"] else link["text"]
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({home.rstrip('/')}/{kind}/v{version}/{link['target']})"

    return _LINK.sub(led, readme)


class ReadmeHook(MetadataHookInterface):
    """Hatchling's hook; named in `pyproject.toml`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets the readme."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        shown = for_its_page(text, os.environ.get(HOME_VARIABLE, ""), metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
