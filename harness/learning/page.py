"""Traces as one page: nothing outside of it is needed, and nothing may be asked for."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from harness.learning.trace import Trace
from harness.learning.words import Phrases
from harness.model.verdict import Verdict
from harness.simt.messages import words
from harness.simt.rows import Row

__all__ = ["launches_of", "live_page", "packed", "page"]

FOLDER = Path(__file__).parent / "page"
_NOTES = re.compile(r"^(?: *//.*\n| *(?:/\*.*\*/\n)?)", re.MULTILINE)
_ASIDES = re.compile(r"[ ]+// .*$", re.MULTILINE)  # after code; in an address nothing is before the slashes
_BLANKS = re.compile(r'("(?:\\.|[^"\\])*")| *(=>|[=!<>]==?|&&|[|][|]|[=,{}();:?<>]) *')
_SPACES = re.compile(r" *([{};]) *|(?<=[:,]) ")
VIEW = (
    *("model.js", "dom.js", "grid.js", "view.js", "moves.js", "findings.js", "lanes.js", "overview.js", "arrows.js"),
    *("stage.js", "show.js", "predict.js", "export.js"),
)


def page(
    traces: Sequence[Trace], say: Phrases, profile: Iterable[Row] = (), questions: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The page of a case's launch, or of a program's launches.

    Args:
        traces: What it shows, one at a time.
        say: The language.
        profile: What stands beside the lines of the source.
        questions: What is to be predicted before that is shown, as `predictions_of` returns it.

    Returns:
        HTML with its styles, its script and the trace inside; a policy in it forbids every request.
    """
    first = traces[0].data
    program = first["program"]
    name = f"{first['case'] or first['kernel']} · {first['kernel']}"
    facts = {"launches": launches_of(traces), "costs": _costs(profile, say), "questions": list(questions)}
    data = [f'<script type="application/json" id="{key}">{_json(fact)}</script>' for key, fact in facts.items()]
    data += [f'<script type="text/plain" class="trace">{packed(trace)}</script>' for trace in traces]
    return _filled(
        say,
        kind="whole",
        start="controls",
        title=program["name"] if program else name,
        verdicts=[trace.data["verdict"] for trace in traces],
        body='<div id="page"></div>',
        data="\n".join(data),
    )


def live_page(say: Phrases) -> str:
    """The page of a watch, which follows what a server beside it tells, and may ask nobody else."""
    return _filled(
        say,
        kind="live",
        start="state",
        title=say("live"),
        verdicts=Verdict,
        body=_read("live.html"),
        styles=("live.css",),
        connect="'self'",
    )


def launches_of(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """What there is to say of launches that are not shown: in a case their numbers are those of the traces."""
    return [
        {"kernel": trace.data["kernel"], "launch": number, **(trace.data["program"] or {})}
        for number, trace in enumerate(traces, 1)
    ]


def packed(trace: Trace) -> str:
    """A trace as a page reads it."""
    return base64.b64encode(trace.packed()).decode()


def _filled(
    say: Phrases,
    *,
    kind: str,
    title: str,
    verdicts: Iterable[str],
    styles: Sequence[str] = (),
    connect: str = "'none'",
    data: str = "",
    **parts: str,
) -> str:
    """A page: `kind` names its own script, `connect` is whom it may ask."""
    script = "\n".join(map(_read, (*VIEW, f"{kind}.js")))
    style = "\n".join(map(_read, ("style.css", *styles)))
    return Template(_read("page.html")).substitute(
        language=say.language,
        kind=kind,
        connect=connect,
        title=html.escape(title),
        skip=html.escape(say("skip")),
        words=_json(_texts(say, live=kind == "live") | _verdicts(verdicts, say.language)),
        data=data,
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        **parts,
    )


def _texts(say: Phrases, *, live: bool) -> dict[str, str]:
    """Return the texts that a page has: not those of costs, which it has in words, and those of a watch in its page."""
    absent = ("profile_global", "profile_shared", "profile_load", "profile_store", "profile_atomic", "profile_branch")
    return {key: text for key, text in say.texts.items() if (live or not key.startswith("live")) and key not in absent}


def _verdicts(told: Iterable[str], language: str) -> dict[str, str]:
    """The words for the verdicts, by the key that the page asks with."""
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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace(
        "</", "<\\/"
    )  # in a script, `</` would end it


def _read(name: str) -> str:
    """Return a part of a page; of scripts and styles without what only their readers need: comments and indents."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    if name.endswith(".html"):
        return text
    text = _NOTES.sub("", text)
    if name.endswith(".css"):
        return _SPACES.sub(r"\1", text)
    # Templates and patterns may have blanks of their own: their lines stay as they are.
    lines = _ASIDES.sub("", text).splitlines()
    return "\n".join(line if set("`/'") & set(line) else _BLANKS.sub(r"\1\2", line) for line in lines)


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
