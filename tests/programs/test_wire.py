"""Whoever writes to a parent, what it reads has the form of its kind, or is told as none."""

from __future__ import annotations

import json
import os

import pytest

from harness.programs import wire
from harness.simt.findings import Finding, SourceLocation, Who

FINDING = Finding(
    "race.shared.write-read",
    "error",
    "k",
    (SourceLocation("a.mojo", 3, 1, "store", ("a.mojo:3:1",)),),
    (Who((0, 0, 0), (1, 0, 0), 0, 1),),
    "out",
    4,
    4,
    {"expected": 1, "got": (1, (2, None))},
)
LAUNCH = {
    "kernel": "k",
    "symbol": "k_1",
    "grid": (1, 2, 3),
    "block": (4, 1, 1),
    "cluster": (1, 1, 1),
    "shared_bytes": 0,
    "arguments": ["buffer 0"],
    "observed": True,
    "seconds": 0.5,
    "results": 7,
    "verdict": "findings",
    "counters": {"steps": 3, "coalescing": None},
    "findings": [FINDING],
    "calls": [1, 2],
    "freed": {"out": [3]},
}


def told(kind, facts):
    reading, writing = os.pipe()
    try:
        wire.send(writing, kind, facts)
    finally:
        os.close(writing)
    with open(reading, "rb") as lines:
        return [wire.read(line) for line in lines]


def test_a_launch_comes_through_as_it_was():
    ((kind, launch),) = told("launch", LAUNCH)

    assert kind == "launch" and launch.findings == (FINDING,) and launch.grid == (1, 2, 3)
    assert (launch.counters, launch.freed) == ({"steps": 3, "coalescing": None}, {"out": (3,)})


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("fault", 3),
        ("loaded", "first"),
        ("launch", {**LAUNCH, "verdict": "PASS"}),
        ("launch", {**LAUNCH, "points": 5}),
        ("finding", {"id": "x", "severity": "fatal", "calls": [], "values": {}, "argument": None, "freed": []}),
        ("incomplete", {"kernel": "k"}),
        ("verdict", "PASS"),
        (wire.MALFORMED, "x"),
        (["fault"], "x"),
    ],
)
def test_what_has_not_the_form_of_its_kind_is_told_as_none(kind, facts):
    ((read, _),) = told(kind, facts)

    assert read == wire.MALFORMED


@pytest.mark.parametrize("line", [b"", b'["fault", "x', b"[" * 100_000, b"3", json.dumps(["a"]).encode(), b"\xff"])
def test_a_line_that_was_cut_off_is_none(line):
    assert wire.read(line) is None
