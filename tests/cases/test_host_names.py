"""Buffers that a function of the host makes have its own names for them, where it is certain which is which."""

from __future__ import annotations

import pytest

from harness.cases.host_names import host_names, with_host_names
from harness.catalogue import find_case
from harness.simt.findings import Finding

P09 = find_case("p09:first-case")
MADE = "    var input = ctx.enqueue_create_buffer[dtype](SIZE)"


def named(*lines, of=P09):
    """The names in a function of these lines."""
    return host_names(of, 2, ["def first_case(ctx: DeviceContext) raises:", *lines, "", "def other():", MADE])


def test_buffers_are_numbered_after_those_that_are_given():
    staging = "    staging = ctx.enqueue_create_host_buffer[dtype](SIZE)"

    assert named(MADE, staging) == {"buffer 2": "input", "host buffer 3": "staging"}


@pytest.mark.parametrize(
    "lines",
    [
        ("    for _ in range(2):", f"    {MADE}"),
        (MADE, "    use(ctx.enqueue_create_buffer[dtype](SIZE))"),
        (),
    ],
    ids=["a loop", "one without a name", "none"],
)
def test_what_is_not_certain_keeps_its_number(lines):
    assert named(*lines) == {}
    assert named(MADE, of=find_case("p15")) == {}


def test_a_finding_says_the_names_wherever_it_said_the_numbers():
    finding = Finding("uninitialised.output", "error", argument="buffer 2", values={"source": "buffer 2", "count": 4})
    (renamed,) = with_host_names([finding], {"buffer 2": "input"})

    assert (renamed.argument, renamed.values) == ("input", {"source": "input", "count": 4})
