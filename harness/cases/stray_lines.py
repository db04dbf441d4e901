"""Add to findings the lines that wrote elements which must not change; link undefined reads to such writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.cases.trail import Trail
from harness.model.case import Instance
from harness.simt.findings import Finding

__all__ = ["add_stray_lines", "explain_strays"]


def explain_strays(findings: Sequence[Finding], instance: Instance, trails: Sequence[Trail]) -> list[Finding]:
    """Return the findings in their order; each `check.touched` gets the lines of its elements (see `add_stray_lines`).

    An undefined read of the same buffer gets the values `write` ("stray") and `instead`, those elements as text.
    """
    strays = {finding.argument: finding for finding in findings if finding.id == "check.touched"}
    explained = []
    for finding in findings:
        if finding.id == "check.touched":
            finding = add_stray_lines(finding, instance, trails)
        elif finding.kind == "uninitialised" and (stray := strays.get(finding.values.get("source"))):
            instead = tuple(f"{stray.argument}{label}" for label in stray.values["places"] if label != "...")
            finding = replace(finding, values=finding.values | {"write": "stray", "instead": instead})
        explained.append(finding)
    return explained


def add_stray_lines(finding: Finding, instance: Instance, trails: Sequence[Trail]) -> Finding:
    """Return a finding with the lines that last wrote the elements that it names, each once, as its sites.

    It is unchanged if no such line is known.

    Args:
        finding: A `check.touched`, whose `places` are indices such as `[1, 0]`.
        instance: The instance of the case; its results have shapes.
        trails: The record of each step.
    """
    name = finding.argument or ""
    shape = next((tensor.indexed_shape for tensor in instance.results if tensor.name == name), None)
    if shape is None:
        return finding
    sites = {}
    for label in finding.values["places"]:
        if label.startswith("["):
            flat = int(np.ravel_multi_index([int(part) for part in label.strip("[]").split(",")], shape))
            stores = (trail.last_store(name, flat) for trail in reversed(trails))
            if store := next(filter(None, stores), None):
                sites[store.place.line] = store.place
    return replace(finding, sites=tuple(sites.values())) if sites else finding
