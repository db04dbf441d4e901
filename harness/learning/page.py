"""A trace as one page: nothing outside of it is needed, and nothing may be asked for."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
from string import Template

from harness.learning.trace import Trace
from harness.learning.words import Phrases

__all__ = ["page"]

FOLDER = Path(__file__).parent / "page"
SCRIPTS = ("model.js", "view.js", "show.js")


def page(trace: Trace, say: Phrases) -> str:
    """The page of a trace.

    Args:
        trace: What it shows.
        say: The language.

    Returns:
        HTML with its styles, its script and the trace inside; a policy in it forbids every request.
    """
    script = "\n".join(_read(name) for name in SCRIPTS)
    style = _read("style.css")
    # In a script, `</` would end it.
    words = json.dumps(say.texts, ensure_ascii=False).replace("</", "<\\/")
    name = trace.data["case"] or trace.data["kernel"]
    return Template(_read("page.html")).substitute(
        language=say.language,
        title=html.escape(f"{name} · {trace.data['kernel']}"),
        skip=html.escape(say("skip")),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        words=words,
        trace=base64.b64encode(trace.packed()).decode(),
    )


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
