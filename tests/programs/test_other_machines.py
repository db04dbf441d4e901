"""Programs on machines that say less of a fault than Linux on x86-64: what is found there, and what is not.

The machines are emulated (`tests/emulated`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.programs import Execution, execute
from harness.report import programs
from tests.emulated import FILLS, MACHINES, programs_on
from tests.programs.expectation import RUNS, Expectation
from tests.programs.together import SAMPLE, execute_beside, named

pytestmark = pytest.mark.slow
UNSEEN = "this machine has no single steps, so only the first access to each page is seen"
READ_FIRST = """from max.gpu import thread_idx
from max.gpu.host import DeviceContext

def read(to: Pointer[Float32, MutAnyOrigin], p: Pointer[Float32, MutAnyOrigin]):
    var i = Int(thread_idx.x)
    to[unsafe_offset=i] = p[unsafe_offset=i] + 1

def main() raises:
    var ctx = DeviceContext()
    var out = ctx.enqueue_create_buffer[DType.float32](8)
    var h = ctx.enqueue_create_host_buffer[DType.float32](8)
    ctx.synchronize()
    for i in range(8):
        h[i] = Float32(i)
    ctx.enqueue_function[read](out, h.unsafe_ptr(), grid_dim=1, block_dim=8)
    print(h[2])
    h[3] = 100
    ctx.synchronize()
    with out.map_to_host() as o:
        print(o[0])
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine that programs run on.

    Attributes:
        lines: Whether the line of an access is known there.
    """

    name: str
    lines: bool


# The frames of the last two differ from the second's, and nothing else: see `test_platforms.py`.
LESS = MACHINES[2:]


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.full if name in LESS else ()) for name in MACHINES]
)
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    with programs_on(request.param):
        yield Machine(request.param, request.param in ("linux-aarch64", "darwin-arm64"))


# Of these the host reads a written element of a page first; what it reads there afterwards is not seen without steps.
AFTER_ANOTHER = {"half_elements": {("uninitialised-copy", 15)}, "uninitialised_copy": {("uninitialised-copy", 15)}}
# Two mistakes whose lines are not known are told as one.
WITHOUT_LINES = {"launch_not_awaited": {"missing-wait.write"}}


@pytest.mark.parametrize("run", [pytest.param(run, id=str(run)) for run in RUNS if named(run) in SAMPLE])
def test_a_program_prints_and_ends_as_it_says_and_what_is_not_seen_is_said(run: Expectation, machine: Machine):
    execution = execute_beside(run.file.stem, run.vendor, arguments=run.arguments, defines=run.defines)

    shown = "\n".join(programs.lines(execution))
    found = [finding for finding in execution.findings if finding.severity != "information"]
    unseen = AFTER_ANOTHER.get(run.file.stem, set())
    assert execution.output.decode() == run.output, shown
    assert (UNSEEN in shown) == bool(unseen), shown
    assert execution.status == run.status, shown
    if machine.lines:
        wanted = {(name, line) for _, name, line in run.findings} - unseen
        assert {(finding.id, finding.sites[0].line if finding.sites else 0) for finding in found} == wanted, shown
    else:
        # The other machine without lines has places, of an instruction that is put there.
        merged = WITHOUT_LINES.get(run.file.stem, set()) if machine.name == "unknown" else set()
        wanted = sorted(name for _, name, line in run.findings if (name, line) not in unseen and name not in merged)
        assert sorted(finding.id for finding in found) == wanted, shown


def run_text(text: str, folder: Path) -> Execution:
    file = folder / "program.mojo"
    file.write_text(text)
    return execute(file, target="nvidia", backend="simulator")


def test_a_buffer_is_filled_in_the_ordinary_way(machine: Machine, tmp_path: Path):
    execution = run_text(FILLS, tmp_path)

    assert (execution.output, execution.exit_code) == (b"1.0 8.0\n", 0), "\n".join(programs.lines(execution))
    assert [finding for finding in execution.findings if finding.severity != "information"] == []
    assert not [*programs.lines(execution)], "nothing that matters was missed"


def test_a_write_that_follows_a_read_is_found(machine: Machine, tmp_path: Path):
    """A launch only reads what the host reads and then writes: the write alone is too early."""
    execution = run_text(READ_FIRST, tmp_path)

    (found,) = (finding for finding in execution.findings if finding.severity == "error")
    assert found.id == "missing-wait.write"
    if machine.lines:
        assert found.sites[0].line == 17


def test_a_write_that_follows_a_read_is_found_here(tmp_path: Path):
    execution = run_text(READ_FIRST, tmp_path)

    assert [(finding.id, finding.sites[0].line) for finding in execution.findings if finding.severity == "error"] == [
        ("missing-wait.write", 17)
    ]
