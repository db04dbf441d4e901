"""Render traces as one HTML page without requests, or the page of a watch: scripts, encoded traces, line costs."""

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

__all__ = ["describe_launches", "encode_trace", "render_live_page", "render_page"]

FOLDER = Path(__file__).parent / "page"
_NOTES = re.compile(r"^(?: *//.*\n| *(?:/\*.*\*/\n)?)", re.MULTILINE)
_ASIDES = re.compile(r"[ ]+// .*$", re.MULTILINE)  # after code; in an address nothing is before the slashes
_BLANKS = re.compile(r'("(?:\\.|[^"\\])*")| *(=>|[=!<>]==?|&&|[|][|]|[=,{}();:?<>]) *')
_SPACES = re.compile(r" *([{};]) *|(?<=[:,]) ")
VIEW = (
    *("model.js", "dom.js", "grid.js", "view.js", "moves.js", "findings.js", "lanes.js", "overview.js", "arrows.js"),
    *("stage.js", "show.js", "predict.js", "export.js"),
)


def render_page(
    traces: Sequence[Trace], say: Phrases, profile: Iterable[Row] = (), questions: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Render the page of a case's or a program's launches.

    Args:
        traces: The launches, in order; at least one. The first gives the title.
        say: The texts, in the page's language.
        profile: The rows of a profile; their costs stand beside the source lines.
        questions: Predictions to ask for before the answer is shown, as `list_questions` returns them.

    Returns:
        HTML with its styles, script and traces inside; its content policy forbids every request.
    """
    first = traces[0].data
    program = first["program"]
    name = f"{first['case'] or first['kernel']} · {first['kernel']}"
    facts = {
        "launches": describe_launches(traces),
        "costs": _describe_costs(profile, say),
        "questions": list(questions),
    }
    data = [f'<script type="application/json" id="{key}">{_json(fact)}</script>' for key, fact in facts.items()]
    data += [f'<script type="text/plain" class="trace">{encode_trace(trace)}</script>' for trace in traces]
    return _fill_template(
        say,
        kind="whole",
        start="controls",
        title=program["name"] if program else name,
        verdicts=[trace.data["verdict"] for trace in traces],
        body='<div id="page"></div>',
        data="\n".join(data),
    )


def render_live_page(say: Phrases) -> str:
    """Render the page of a watch; it follows the events of the server that serves it, and no other."""
    return _fill_template(
        say,
        kind="live",
        start="state",
        title=say("live"),
        verdicts=Verdict,
        body=_read("live.html"),
        styles=("live.css",),
        connect="'self'",
    )


def describe_launches(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """Return a dict for each trace: `kernel`, `launch` (its number, from 1) and what the trace says of its program."""
    return [
        {"kernel": trace.data["kernel"], "launch": number, **(trace.data["program"] or {})}
        for number, trace in enumerate(traces, 1)
    ]


def encode_trace(trace: Trace) -> str:
    """Return a trace compressed and in base64, as the page's script reads it."""
    return base64.b64encode(trace.compress()).decode()


def _fill_template(
    say: Phrases,
    *,
    kind: str,
    title: str,
    verdicts: Iterable[str],
    styles: Sequence[str] = (),
    connect: str = "'none'",
    data: str = "",
    **fields: str,
) -> str:
    """Fill in the page's template, whose content policy allows its own script and style by their hashes.

    `kind` (`whole` or `live`) names the script beside `VIEW`, `styles` further style files, `verdicts` those that the
    page has to name. `connect` is the source that the page may request from. `data` and `fields`, the template's other
    placeholders, are HTML, put in as it is.
    """
    script = "\n".join(map(_read, (*VIEW, f"{kind}.js")))
    style = "\n".join(map(_read, ("style.css", *styles)))
    return Template(_read("page.html")).substitute(
        language=say.language,
        kind=kind,
        connect=connect,
        title=html.escape(title),
        skip=html.escape(say("skip")),
        words=_json(_page_texts(say, live=kind == "live") | _verdict_texts(verdicts, say.language)),
        data=data,
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        **fields,
    )


def _page_texts(say: Phrases, *, live: bool) -> dict[str, str]:
    """Return the texts that a page needs: without those of costs, and those of a watch only if `live`."""
    absent = ("profile_global", "profile_shared", "profile_load", "profile_store", "profile_atomic", "profile_branch")
    return {key: text for key, text in say.texts.items() if (live or not key.startswith("live")) and key not in absent}


def _verdict_texts(verdicts: Iterable[str], language: str) -> dict[str, str]:
    """Return the translated words for verdicts, by the page's key `verdict_<verdict>`; empty verdicts are left out."""
    return {f"verdict_{verdict}": words(language).word("verdict", verdict) for verdict in verdicts if verdict}


def _describe_costs(profile: Iterable[Row], say: Phrases) -> dict[str, list[str]]:
    """Return sentences about what each line costs, by `file:line`: memory accesses, and divergent branches. Other rows
    are left out.
    """
    costs_by_line: dict[str, list[str]] = {}
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
        costs_by_line.setdefault(f"{row.file}:{row.line}", []).append(cost)
    return costs_by_line


def _json(value: object) -> str:
    # In a script, `</` would end it.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _read(name: str) -> str:
    """Read a part of the page; comments, indentation and most other blanks are removed from scripts and styles."""
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
