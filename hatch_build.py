"""The package's page shows the README without the repository around it.

Links and pictures lead to the repository, or are plain text where nobody says where that is. Commands that need the
repository's files are left out: the page begins with what is needed, as the README says it, and with the commands that
work once the package is installed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

HOME_VARIABLE = "PUZZLES_HOME"  # https://host/owner/repository, set where releases are made
_SECTION = re.compile(r"^## Start\n\n(?P<needs>.*?)\n\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
_START = """## Start

{needs}

Make a virtual environment, and install the package (MAX and Mojo are downloads of a gigabyte):

```sh
python3 -m venv .venv && . .venv/bin/activate
pip install {name}
```

Run a puzzle's solution, on the best device here; `puzzles run` runs all of them:

```sh
puzzles run p15
```

Make a folder with the problems, yours to fill in, and go on there:

```sh
puzzles start && cd puzzles && puzzles hint
```

"""
_OF_THE_REPOSITORY = re.compile(r"`(?:nox|pixi|uv|poe|\.nox)\b|`pip install \.`")  # commands that need its files
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>(?!https?:|#)[^)\s]+)\)")


def for_its_page(readme: str, home: str, version: str, name: str) -> str:
    """Return the README as the package's page shows it.

    Args:
        readme: In Markdown.
        home: Of the repository, or empty.
        version: Whose files are meant.
        name: Of the package.

    Raises:
        ValueError: The README has no section that says how to start.
    """
    page, count = _SECTION.subn(lambda start: _START.format(needs=start["needs"], name=name), readme)
    if count != 1:
        raise ValueError("README.md has no section `## Start` before another one: hatch_build.py replaces it.")
    page = "\n\n".join(part for part in page.split("\n\n") if not _OF_THE_REPOSITORY.search(part))

    def led(link: re.Match[str]) -> str:
        if not home:
            return "" if link["image"] else link["text"]
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({home.rstrip('/')}/{kind}/v{version}/{link['target']})"

    return _LINK.sub(led, page)


class ReadmeHook(MetadataHookInterface):
    """Hatchling's hook; named in `pyproject.toml`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme, and the addresses of the repository if it is known where it is."""
        text, home = Path(self.root, "README.md").read_text(encoding="utf-8"), os.environ.get(HOME_VARIABLE, "")
        shown = for_its_page(text, home, metadata["version"], metadata["name"])
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
        if home := home.rstrip("/"):
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/blob/v{metadata['version']}/docs/commands.md",
                "Changelog": f"{home}/blob/v{metadata['version']}/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }
