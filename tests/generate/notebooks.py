"""What the cells of `docs/notebooks` come to: run by the magics themselves, without Jupyter.

A notebook holds its cells; the outputs are made, and kept with a digest of what they were made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import harness
from harness.build.cache import make_key
from harness.build.toolchain import package_versions
from harness.model import language
from harness.model.sources import MOJO, ROOT
from tests.generate.digests import digest_of_code
from tests.generate.files import Generated, GenerateError

__all__ = ["FOLDER", "Shell", "cells", "generated"]

FOLDER = Path("docs", "notebooks")
# What an output is written by, and in whose words.
_WRITERS = (
    Path(__file__),
    *(ROOT / "harness" / f"{name}.py" for name in ("notebook", "report/findings", "report/programs", "simt/render")),
    *sorted((ROOT / "harness").glob("*/messages/en*.py")),
)


class Shell:
    """In the place of IPython's: runs cells that are magics."""

    def __init__(self) -> None:
        self._magics: dict[tuple[str, str], Callable[..., Any]] = {}

    def register_magic_function(self, function: Callable[..., Any], kind: str, name: str) -> None:
        """See IPython."""
        self._magics[kind, name] = function

    def run(self, cell: str) -> Any:
        """What a cell comes to, or None where it shows nothing.

        Raises:
            GenerateError: It is no magic.
        """
        head, _, body = cell.partition("\n")
        name, _, line = head.lstrip("%").partition(" ")
        if head == "%load_ext harness":
            harness.load_ipython_extension(self)
            return None
        kind = "cell" if head.startswith("%%") else "line"
        if not head.startswith("%") or (kind, name) not in self._magics:
            raise GenerateError(f"a cell of {FOLDER} begins with a magic of ours, not with {head!r}.")
        return self._magics[kind, name](line, body) if kind == "cell" else self._magics[kind, name](line)


def generated(root: Path, *, run_stale: bool) -> Iterator[Generated]:
    """The notebooks.

    Args:
        root: The repository.
        run_stale: Otherwise what is stale is given an empty text.
    """
    for path in sorted((root / FOLDER).glob("*.ipynb")):
        book = json.loads(path.read_text(encoding="utf-8"))
        made_from = _made_from(book)
        if book["metadata"].get("made_from") == made_from:
            yield Generated(path, _text(book))
        else:
            yield Generated(path, _text(_ran(book, made_from)) if run_stale else "")


def cells(book: Mapping[str, Any]) -> list[str]:
    """The code of a notebook."""
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def _ran(book: Mapping[str, Any], made_from: str) -> dict[str, Any]:
    shell, made, count = Shell(), [], 0
    language.set_language("en")
    try:
        for number, cell in enumerate(book["cells"]):
            kept = {"cell_type": cell["cell_type"], "id": f"cell-{number}", "metadata": cell.get("metadata", {})}
            kept["source"] = cell["source"]
            if cell["cell_type"] == "code":
                count += 1
                shown = shell.run("".join(cell["source"]))
                kept |= {"execution_count": count, "outputs": [] if shown is None else [_output(shown, count)]}
            made.append(kept)
    finally:
        language.set_language(None)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "made_from": made_from}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _output(shown: Any, count: int) -> dict[str, Any]:
    data = {"text/html": _lines(shown._repr_html_()), "text/plain": _lines(repr(shown))}
    return {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _made_from(book: Mapping[str, Any]) -> str:
    code = cells(book)
    puzzles = {word for cell in code for word in cell.partition("\n")[0].split() if (MOJO / word).is_dir()}
    kernels = [MOJO / puzzle / "solution.mojo" for puzzle in sorted(puzzles)]
    return make_key(
        {
            "cells": code,
            "files": [digest_of_code(path) for path in (*_WRITERS, *kernels)],
            "versions": package_versions(),
        }
    )


def _text(book: Mapping[str, Any]) -> str:
    return json.dumps(book, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
