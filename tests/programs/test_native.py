"""Every program on a GPU of this machine and in the simulator: the same bytes on stdout, the same end.

What differs is printed below the tests, whole (`conftest.py`). A program that may come to something else on a
GPU says why: `# natively: ...` among its expectations.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path

import pytest

from harness.backends import devices
from harness.programs import Execution, Options, execute
from harness.programs.compile import executable
from tests.programs.expectation import RUNS, Expectation

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
# A program that asks for the free memory must find it as it left it: it runs while no other one does.
ALONE = "get_memory_info"
LOCK = Path(tempfile.gettempdir()) / f"puzzles-native-programs-{os.environ.get('CUDA_VISIBLE_DEVICES', 'all')}.lock"
SHOWN = 160  # characters of a line


@pytest.fixture(scope="module")
def gpu() -> devices.Device:
    """This machine's first GPU."""
    present = devices.discover()
    if not present:
        pytest.skip("no GPU of a known target on this machine")
    return present[0]


@contextmanager
def in_turn(run: Expectation) -> Iterator[None]:
    """The GPU for one program, or for several at a time of those that do not mind."""
    with open(LOCK, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX if ALONE in run.file.read_text(encoding="utf-8") else fcntl.LOCK_SH)
        yield


@pytest.mark.parametrize("run", [pytest.param(run, id=str(run)) for run in RUNS])
def test_a_gpu_and_the_simulator_agree(
    run: Expectation, gpu: devices.Device, record_property: Callable[[str, str], None]
):
    if gpu.target.vendor != run.vendor:
        pytest.skip(f"for {run.vendor}")
    executable(run.file, gpu.target, defines=run.defines)  # built beside others, run alone
    how = {"arguments": run.arguments, "defines": run.defines, "target": gpu.target, "options": Options(seconds=60)}
    simulated = execute(run.file, backend="simulator", **how)
    with in_turn(run):
        native = execute(run.file, backend="max", **how)

    different = differences(native, simulated)
    record_property("natively", "\t".join([gpu.name, str(run), "\n".join(different).replace("\t", " "), run.natively]))
    if different and not run.natively:
        pytest.fail("\n".join([*different, native.errors.decode(errors="replace")]), pytrace=False)


def differences(native: Execution, simulated: Execution) -> list[str]:
    """What differs, in words and as a difference of lines: nothing where both runs came to the same."""
    differ = []
    if native.limit or simulated.limit:
        differ.append(f"limits: {native.limit or 'none'} natively, {simulated.limit or 'none'} in the simulator")
    if native.status != simulated.status:
        differ.append(f"status {native.status} natively, {simulated.status} in the simulator")
    if native.output != simulated.output:
        outputs = [ascii(execution.output.decode(errors="replace"))[1:-1] for execution in (native, simulated)]
        lines = [output.split("\\n") for output in outputs]
        differ += [line[:SHOWN] for line in unified_diff(*lines, "natively", "in the simulator", lineterm="", n=0)]
    return differ
