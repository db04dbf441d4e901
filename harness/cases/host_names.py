"""Map the buffers that a host function creates to its variables, by parsing its text; rename them in findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.model.case import Case
from harness.model.steps import HostStep
from harness.simt.findings import Finding
from harness.simt.nesting import LOOPS, enclosing_headers

__all__ = ["host_names", "with_host_names"]

_MAKES = re.compile(r"\s*(?:var\s+)?(\w+)\s*(?::[^=]*)?=\s*\w+\.enqueue_create_(?:host_)?buffer\b")


def host_names(case: Case, tensors: int, lines: Sequence[str]) -> dict[str, str]:
    """Return the variable of each buffer that a case's host function makes, by the buffer's name in findings.

    That name is `buffer N` or `host buffer N`; N counts from `tensors` on, in the order of the source.

    Args:
        case: The case. The result is empty unless it has exactly one host function, which `lines` define, and each
            buffer that this makes is assigned to a variable, and not in a loop.
        tensors: How many buffers the function is given; they are not in the result.
        lines: The lines of its file.
    """
    functions = [step.name for step in case.steps if isinstance(step, HostStep)]
    if len(functions) != 1:
        return {}
    start = next((at for at, line in enumerate(lines) if re.match(rf"def {functions[0]}\b", line)), None)
    if start is None:
        return {}
    end = next((at for at in range(start + 1, len(lines)) if re.match(r"(?:def|struct|comptime)\b", lines[at])), None)
    names: dict[str, str] = {}
    for at in range(start, len(lines) if end is None else end):
        if "enqueue_create_" not in lines[at]:
            continue
        match = _MAKES.match(lines[at])
        if match is None or any(header.word in LOOPS for header in enclosing_headers(lines, at + 1)):
            return {}
        kind = "host buffer" if "enqueue_create_host_buffer" in lines[at] else "buffer"
        names[f"{kind} {tensors + len(names)}"] = match[1]
    return names


def with_host_names(findings: Iterable[Finding], names: Mapping[str, str]) -> list[Finding]:
    """Return the findings in which arguments, and texts among the values, that are a key of `names` are replaced by the
    variable's name.
    """
    renamed = []
    for finding in findings:
        values = {
            key: names.get(value, value) if isinstance(value, str) else value for key, value in finding.values.items()
        }
        argument = names.get(finding.argument or "", finding.argument)
        renamed.append(replace(finding, argument=argument, values=values))
    return renamed
