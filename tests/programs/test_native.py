"""Every program on a GPU of this machine and in the simulator: the same bytes on stdout, the same end.

What differs is printed below the tests, whole (`conftest.py`). A program that may come to something else on a
GPU says why: `# natively: ...` among its expectations.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff

import pytest

from harness.backends import devices
from harness.programs import Execution, Options, execute
from harness.programs.compile import executable
from tests.programs.expectation import RUNS, Expectation

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
SHOWN = 160  # characters of a line


@pytest.fixture(scope="module")
def gpu() -> devices.Device:
    """This machine's first GPU."""
    present = devices.discover()
    if not present:
        pytest.skip("no GPU of a known target on this machine")
    return present[0]


def marked(run: Expectation):
    """One that asks for the free memory must find it as it left it."""
    marks = pytest.mark.alone if "get_memory_info" in run.file.read_text(encoding="utf-8") else ()
    return pytest.param(run, id=str(run), marks=marks)


@pytest.mark.parametrize("run", list(map(marked, RUNS)))
def test_a_gpu_and_the_simulator_agree(
    run: Expectation, gpu: devices.Device, record_property: Callable[[str, str], None]
):
    if gpu.target.vendor != run.vendor:
        pytest.skip(f"for {run.vendor}")
    executable(run.file, gpu.target, defines=run.defines)
    how = {"arguments": run.arguments, "defines": run.defines, "target": gpu.target, "options": Options(seconds=60)}
    simulated = execute(run.file, backend="simulator", **how)
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
