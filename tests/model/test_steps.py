"""Steps of a case: launches of kernels, and calls of host functions that make launches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import make_guarded, split
from harness.cases.check import judge
from harness.catalogue import find_case
from harness.model.case import LIBRARY, Case, ExpectedLaunch, HostStep, Kernel, Launch
from harness.model.frames import find_unfilled

OP = HostStep(
    "Op.execute", "output a", launches=(ExpectedLaunch("first", block=4), ExpectedLaunch("second", grid=2, block=4))
)
FILE = """
def first():
    # FILL ME IN: a line
    pass
    # END OF FILL ME IN


@register("op")
struct Op:
    @staticmethod
    def execute():
        # FILL ME IN: a line
        pass
        # END OF FILL ME IN
"""


def with_steps(*steps: Kernel | HostStep) -> Case:
    return replace(find_case("p01"), steps=steps, claims=())


def test_a_case_knows_what_its_host_functions_launch():
    entry = with_steps(Kernel("zero", block=2), OP, HostStep("from_library", launches=LIBRARY))

    assert [(launch.grid[0], launch.block[0]) for launch in entry.launches(32)] == [(1, 2), (1, 4), (2, 4)]
    assert entry.kernels == ("zero", "Op.execute", "from_library")
    assert entry.functions == ("zero", "Op", "first", "second", "from_library")
    assert entry.called == "Op.execute and from_library"


@pytest.mark.parametrize("launches", [(), "a library"])
def test_a_host_function_that_launches_nothing_is_none(launches):
    with pytest.raises(ValueError, match="makes launches, or leaves them to a library"):
        HostStep("execute", launches=launches)


def test_the_functions_of_a_struct_are_filled_in_there():
    in_struct = FILE.rindex("pass")
    filled = FILE[:in_struct] + "run()" + FILE[in_struct + 4 :]

    assert find_unfilled(FILE, ("Op",), FILE) == FILE[: FILE.rindex("# FILL")].count("\n") + 1
    assert find_unfilled(filled, ("Op",), FILE) is None
    assert find_unfilled(filled, ("Op", "first"), FILE) == 3


def launched(*made: tuple[str, int, int], step: HostStep = OP) -> list[str]:
    """What is said of a host function that gave the right result by these launches: kernel, grid, block."""
    entry = with_steps(step)
    instance = entry.instance(32)
    request = Request(case=entry, instance=instance, dataset=instance.datasets[0])
    whole = make_guarded(
        (4,), np.dtype(np.float32), request.fill, content=entry.expected(request.dataset, 32)["output"]
    )
    outcome = Outcome(
        results={"output": Observed(*split(whole.astype(np.float32), (4,)))},
        inputs={name: array.copy() for name, array in request.dataset.inputs.items()},
        host_launches={0: [(name, Launch(grid=(grid, 1, 1), block=(block, 1, 1))) for name, grid, block in made]},
    )
    return [found.id for found in judge(request, outcome).findings]


def test_launches_of_a_host_function_are_the_documented_ones():
    assert launched(("first", 1, 4), ("second", 2, 4)) == []
    assert launched(("file_first_1a2b", 1, 4), ("file_second_3c4d", 2, 4)) == []
    assert launched(("file_first6A6AcB6A_1a2b", 1, 4), ("file_second_SIMD6AoA_3c4d", 2, 4)) == []
    assert launched(("firstly", 1, 4), ("file_mysecond_3c4d", 2, 4)) == ["check.made.kernel", "check.made.kernel"]
    assert launched(("file_first2_1a2b", 1, 4), ("second", 2, 4)) == ["check.made.kernel"]
    assert launched() == ["check.made.none"]
    assert launched(("first", 1, 4)) == ["check.made.several"]
    assert launched(("second", 1, 4), ("first", 2, 4)) == ["check.made.kernel", "check.made.kernel"]
    assert launched(("first", 1, 8), ("second", 2, 4)) == ["check.made.other"]


def test_a_driver_s_name_of_a_kernel_may_be_cut():
    step = HostStep("run", "output a", launches=(ExpectedLaunch("a_kernel_with_a_very_long_name", block=4),))

    assert launched(("file_a_kernel_with_a_very_long__1a2b3c4d", 1, 4), step=step) == []
    assert launched(("file_Class_a_kernel_with_a_ver6A6AcB6A_1a2b3c4d", 1, 4), step=step) == []
    assert launched(("file_a_kernel_with_a_1a2b3c4d", 1, 4), step=step) == ["check.made.kernel"]


def test_a_library_launches_as_widely_as_it_likes_and_once():
    """Twice is twice the work, and the result the same."""
    library = HostStep("from_library", "output a", launches=LIBRARY)

    assert launched(("elementwise", 7, 256), step=library) == []
    assert launched(("elementwise", 7, 256), ("elementwise", 1, 32), step=library) == ["check.made.several"]
    assert launched(step=library) == ["check.made.none"]
