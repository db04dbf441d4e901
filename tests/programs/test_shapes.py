"""Indices that an array's shape does not have, though its memory may: what `exec --shapes` finds, and where."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.learning.trace import build_trace_data
from harness.programs import Options, execute
from harness.report.programs import renderer
from tests.programs.together import PROGRAMS, execute_beside

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed"),
]

FILE = PROGRAMS.with_name("shapes") / "indices.mojo"
KERNELS = (
    *("right", "stores", "reads", "flat", "old-right", "old-stores", "old-reads", "old-tiles", "old-vectors"),
    *("old-branch", "old-views"),  # a view has another shape, though it may begin where the array does
)
ASSERTED = ("old-tiles", "old-vectors")  # the library says that they are outside, and no index


def run(target, kernel, **how):
    """For NVIDIA it is compiled with others."""
    how = {"arguments": [KERNELS.index(kernel)], "options": Options(shapes=True, **how)}
    if target.startswith("nvidia"):
        return execute_beside(FILE.stem, "nvidia", **how)
    return execute(FILE, target=target, backend="simulator", **how)


def told(target, kernel):
    """The findings of a kernel's run, each as its line and what is said of it."""
    ran = run(target, kernel)
    show = renderer([ran])
    assert not ran.missing
    return [(found.sites[0].line, show.record(found)["message"]) for found in ran.findings if found.severity == "error"]


@pytest.mark.parametrize(
    "target", ["nvidia:sm_90", *(pytest.param(other, marks=pytest.mark.full) for other in ("amd:gfx942", "apple"))]
)
def test_an_index_outside_of_the_shape_is_told_at_its_line(target):
    for kernel in KERNELS:
        said = [
            (number, line.partition(f"  # {kernel}: ")[2])
            for number, line in enumerate(FILE.read_text().splitlines(), 1)
            if f"  # {kernel}: " in line
        ]
        if kernel in ASSERTED and target == "apple":
            continue  # its programs say nothing when an assertion fails
        found = told(target, kernel)

        assert [line for line, _ in found] == [line for line, _ in said], kernel
        assert all(text.startswith(begin) for (_, text), (_, begin) in zip(found, said, strict=True)), found


@pytest.mark.parametrize("kernel", ["right", "old-right"])
def test_arrays_of_a_recorded_launch_have_their_names_and_shapes(kernel):
    ran = run("nvidia:sm_90", kernel, recorded=((1, None),))
    launch = ran.recorded[1]
    trace = build_trace_data(launch, renderer([ran]), [], {}, launch.pop("shapes"))

    shapes = {buffer["name"]: buffer["shape"] for buffer in trace["buffers"]}
    assert shapes == {"output": [4, 1], "a": [4, 6]}
