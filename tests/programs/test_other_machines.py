"""Programs on machines that say less of a fault than Linux on x86-64: what is found there, and what is not.

The machines are emulated (`tests/emulated`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.programs import Execution, execute
from harness.report import programs
from tests.emulated import FILLS, MACHINES, programs_on
from tests.programs.expectation import RUNS, Expectation
from tests.programs.sight import Sight, expect, reported, unseen
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


# The frames of the last two differ from the second's, and nothing else: see `test_platforms.py`.
LESS = MACHINES[2:]


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.full if name in LESS else ()) for name in MACHINES]
)
def sight(request: pytest.FixtureRequest) -> Iterator[Sight]:
    """What the machine shows on which the programs run."""
    with programs_on(request.param):
        # The other machine without lines has places, of an instruction that is put there.
        lines = request.param in ("linux-aarch64", "darwin-arm64")
        yield Sight(steps=False, lines=lines, merges=request.param == "unknown")


@pytest.mark.parametrize("run", [pytest.param(run, id=str(run)) for run in RUNS if named(run) in SAMPLE])
def test_a_program_prints_and_ends_as_it_says_and_what_is_not_seen_is_said(run: Expectation, sight: Sight):
    execution = execute_beside(run.file.stem, run.vendor, arguments=run.arguments, defines=run.defines)

    shown = "\n".join(programs.format_execution(execution))
    assert execution.output.decode() == run.output, shown
    assert (UNSEEN in shown) == bool(unseen(run, sight)), shown
    assert execution.status == run.status, shown
    assert reported(execution, sight) == expect(run, sight), shown


def run_text(text: str, folder: Path) -> Execution:
    file = folder / "program.mojo"
    file.write_text(text)
    return execute(file, target="nvidia", backend="simulator")


def test_a_buffer_is_filled_in_the_ordinary_way(sight: Sight, tmp_path: Path):
    execution = run_text(FILLS, tmp_path)

    assert (execution.output, execution.exit_code) == (b"1.0 8.0\n", 0), "\n".join(programs.format_execution(execution))
    assert [finding for finding in execution.findings if finding.severity != "information"] == []
    assert not [*programs.format_execution(execution)], "nothing that matters was missed"


def test_a_write_that_follows_a_read_is_found(sight: Sight, tmp_path: Path):
    """A launch only reads what the host reads and then writes: the write alone is too early."""
    execution = run_text(READ_FIRST, tmp_path)

    (found,) = (finding for finding in execution.findings if finding.severity == "error")
    assert found.id == "missing-wait.write"
    if sight.lines:
        assert found.sites[0].line == 17


def test_a_write_that_follows_a_read_is_found_here(tmp_path: Path):
    execution = run_text(READ_FIRST, tmp_path)

    assert [(finding.id, finding.sites[0].line) for finding in execution.findings if finding.severity == "error"] == [
        ("missing-wait.write", 17)
    ]
