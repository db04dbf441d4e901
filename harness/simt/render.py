"""Findings as text and as JSON.

The text has the shape that users of compute-sanitizer know, with the source line,
the argument's name and the instruction in place of raw addresses.
"""

import numpy as np

__all__ = ["SCHEMA_VERSION", "as_dict", "text"]

SCHEMA_VERSION = 1
MARK = "========="
SHOWN = 4
# Findings whose lanes come in pairs, one of each site.
PAIRED = ("race", "several-writers")
ACCESS = {"load": "read", "store": "write", "atomic": "atomic"}
TITLES = {
    "out-of-bounds": "Invalid __{space}__ {access} of size {size} bytes",
    "misaligned": "Misaligned __{space}__ {access} of size {size} bytes",
    "write-to-constant": "Invalid {access} of size {size} bytes to read-only memory",
    "no-such-peer": "Invalid __{space}__ {access} of size {size} bytes in a block that is not there",
    "peer-not-started": "Distributed shared memory used before its block has started",
    "peer-ended": "Distributed shared memory used when its block may have ended",
    "several-writers": "Several threads write one value",
    "uninitialised": "Use of an undefined value",
    "never-written": "Never written elements",
    "missed-barrier": "Divergent thread(s) in block: barrier missed",
    "divergent-barrier": "Divergent thread(s): different barriers met together",
    "absent-lane": "Invalid arguments: mask names lanes that never come",
    "caller-not-in-mask": "Invalid arguments: caller not in its own mask",
    "inactive-source": "Exchange with an inactive lane",
    "cluster-protocol": "Cluster barrier out of turn",
    "redundant-barrier": "Redundant barrier",
    "deadlock": "Deadlock",
    "livelock": "Livelock",
}


def text(result) -> str:
    """The findings of a `LaunchResult`, one block of lines for each, and a summary."""
    lines = []
    for finding in result.findings:
        lines += [f"{MARK} {line}".rstrip() for line in _block(finding)]
        lines.append(MARK)
    counts = _summary(result.findings)
    hazards = sum(one.count for one in result.findings if one.severity == "error")
    lines.append(
        f"{MARK} ERROR SUMMARY: {_number(counts['error'], 'error')} ({hazards} times), "
        f"{_number(counts['warning'], 'warning')}, {counts['information']} for information"
    )
    if result.verdict == "incomplete":
        lines.append(f"{MARK} INCOMPLETE: {result.fault}")
    return "\n".join(lines) + "\n"


def _block(finding):
    severity = "" if finding.severity == "error" else f"{finding.severity.capitalize()}: "
    yield severity + _title(finding)
    for number, place in enumerate(finding.sites):
        word = "at" if number == 0 else "and"
        yield f"    {word} {finding.kernel} {place}"
        for frame in place.frames:
            if frame != str(place):
                yield f"        in {frame}"
        yield f"        {place.instruction}"
    who = [str(one) for one in finding.who]
    if finding.kind in PAIRED:
        who = [f"{one} and {other}" for one, other in zip(who[::2], who[1::2], strict=False)]
    for one in who[:SHOWN]:
        yield f"    by {one}"
    more = finding.count - len(who[:SHOWN])
    if who and more > 0:
        yield f"    and {more} more times"
    yield f"    {finding.message[:1].upper()}{finding.message[1:]}"


def _title(finding):
    if finding.kind == "race":
        sides = " and ".join(f"{_word(place)} access" for place in finding.sites)
        return f"Race reported between {sides} [{_number(finding.count, 'hazard')}]"
    title = TITLES.get(finding.kind, finding.kind.replace("-", " ").capitalize())
    access = finding.values.get("access", "access")
    return title.format(
        space=finding.values.get("space", ""),
        access=ACCESS.get(access, access),
        size=finding.size,
    )


def _word(place):
    text = place.instruction
    return "Write" if text.startswith("store") else "Read" if " = load" in text else "Atomic"


def _summary(findings):
    counts = {"error": 0, "warning": 0, "information": 0}
    for one in findings:
        counts[one.severity] += 1
    return counts


def _number(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def as_dict(result) -> dict:
    """A `LaunchResult` for JSON, without NaN and infinities."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kernel": result.kernel,
        "verdict": result.verdict,
        "fault": None if result.fault is None else str(result.fault),
        "summary": _summary(result.findings),
        "findings": [_finding(one) for one in result.findings],
        "counters": _plain(dict(result.counters)),
        "fidelity": dict(result.fidelity),
    }


def _finding(one):
    return {
        "kind": one.kind,
        "severity": one.severity,
        "message": one.message,
        "kernel": one.kernel,
        "sites": [
            {
                "file": place.file,
                "line": place.line,
                "column": place.column,
                "instruction": place.instruction,
                "frames": list(place.frames),
            }
            for place in one.sites
        ],
        "who": [
            {"block": list(who.block), "thread": list(who.thread), "warp": who.warp, "lane": who.lane}
            for who in one.who
        ],
        "argument": one.argument,
        "offset": one.offset,
        "size": one.size,
        "values": _plain(one.values),
        "count": one.count,
    }


def _plain(value):
    """Only what JSON knows; a number that it does not know becomes text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
