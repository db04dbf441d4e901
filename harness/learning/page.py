"""Traces as one page: nothing outside of it is needed, and nothing may be asked for."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

from harness.learning.trace import Trace
from harness.learning.words import Phrases
from harness.simt.messages import words
from harness.simt.rows import Row

__all__ = ["page"]

FOLDER = Path(__file__).parent / "page"
SCRIPTS = ("model.js", "view.js", "show.js")


def page(traces: Sequence[Trace], say: Phrases, profile: Iterable[Row] = ()) -> str:
    """The page of a case's launch, or of a program's launches.

    Args:
        traces: What it shows, one at a time.
        say: The language.
        profile: What stands beside the lines of the source.

    Returns:
        HTML with its styles, its script and the trace inside; a policy in it forbids every request.
    """
    script = "\n".join(_read(name) for name in SCRIPTS)
    style = _read("style.css")
    data = traces[0].data
    program = data["program"]
    name = f"{data['case'] or data['kernel']} · {data['kernel']}"
    return Template(_read("page.html")).substitute(
        language=say.language,
        title=html.escape(program["name"] if program else name),
        skip=html.escape(say("skip")),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        words=_json(say.texts | _verdicts(traces, say.language)),
        launches=_json([{"kernel": trace.data["kernel"], **(trace.data["program"] or {})} for trace in traces]),
        costs=_json(_costs(profile, say)),
        traces="\n".join(f'<script type="text/plain" class="trace">{_packed(trace)}</script>' for trace in traces),
    )


def _verdicts(traces: Sequence[Trace], language: str) -> dict[str, str]:
    """The words for the verdicts, by the key that the page asks with."""
    told = (trace.data["verdict"] for trace in traces)
    return {f"verdict_{verdict}": words(language).word("verdict", verdict) for verdict in told if verdict}


def _costs(profile: Iterable[Row], say: Phrases) -> dict[str, list[str]]:
    """What each line costs for each of its accesses, in words, by the file and the line."""
    told: dict[str, list[str]] = {}
    for row in profile:
        memory, _, kind = row.what.partition(" ")
        if kind:
            counts = (row.sectors, row.least_sectors) if memory == "global" else (row.passes, row.least_passes)
            each, least = (f"{count / row.requests:.3g}" for count in counts)
            cost = say(f"profile_{memory}", kind=say(f"profile_{kind}"), each=each, least=least)
        elif row.divergent:
            cost = say("profile_branch", divergent=row.divergent, requests=row.requests)
        else:
            continue
        told.setdefault(f"{row.file}:{row.line}", []).append(cost)
    return told


def _packed(trace: Trace) -> str:
    return base64.b64encode(trace.packed()).decode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")  # in a script, `</` would end it


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
