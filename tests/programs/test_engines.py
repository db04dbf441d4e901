"""Programs whose launches run as machine code: all is checked and told as in Python, word for word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.build.cache import Cache
from harness.build.objects import CachedObjects
from harness.programs import Execution, Options, child
from harness.report import programs
from harness.simt.declined import Reason
from tests.programs.together import execute_beside

pytestmark = pytest.mark.slow
OBSERVED = "launches-unobserved"


def run(name: str, *arguments: str, **options: Any) -> Execution:
    return execute_beside(name, "nvidia", arguments=arguments, options=Options(counters=False, **options))


def both(name: str, *arguments: str) -> Execution:
    """The run with machine code, once all but what ran its launches was found to be the reference's."""
    execution, expected = (run(name, *arguments, engine=engine) for engine in ("native", "reference"))
    told = [
        (
            each.output,
            each.status,
            *programs.format_execution(each),
            *map(programs.renderer([each]).record, each.findings),
            *((launch.kernel, launch.arguments, launch.results, launch.place) for launch in each.launches),
        )
        for each in (execution, expected)
    ]
    assert told[0] == told[1]
    assert not any(launch.engine.native for launch in expected.launches)
    return execution


def blocks(execution: Execution) -> list[tuple[int, int]]:
    """Of each launch, the blocks that machine code ran, and those that Python did."""
    return [(launch.engine.native, launch.engine.python) for launch in execution.launches]


def test_a_programs_process_keeps_machine_code_where_others_find_it(tmp_path: Path):
    cache = CachedObjects(Cache(tmp_path))
    child._Objects(tmp_path).put("kernel", b"code")

    assert cache.get("kernel") == child._Objects(tmp_path).get("kernel") == b"code"
    assert child._Objects(tmp_path).get("other") is None


def test_a_tiled_product_runs_as_machine_code_with_all_checks():
    execution = both("matmul_tiled")

    assert blocks(execution) == [(9, 0)]
    assert all(launch.observed for launch in execution.launches)
    assert execution.counters == {} and not execution.findings


def test_of_one_wrong_block_in_sixteen_the_same_is_told():
    execution = both("one_wrong_block")

    assert blocks(execution) == [(16, 0), (16, 0), (15, 1), (15, 1)]
    assert {finding.id for finding in execution.findings} == {"race.shared.write-read", "out-of-bounds.after"}


def test_who_wrote_what_is_known_of_launches_that_machine_code_ran():
    execution = both("handed_on")

    assert sorted(blocks(execution)) == [(1, 0)] + [(2, 0)] * 4
    assert [finding.id for finding in execution.findings] == ["stream-race"] * 2


def test_what_a_launch_left_unwritten_is_found_where_the_next_ones_read_it():
    execution = both("half_written")

    assert blocks(execution) == [(2, 0), (2, 0), (1, 1)]
    assert {finding.id for finding in execution.findings} == {"uninitialised.output", "uninitialised-copy"}


def test_what_a_grid_writes_that_lets_the_next_one_begin_early_is_known():
    execution = both("dependent_too_early")

    assert [launch.engine.why for launch in execution.launches] == ["", "a check of Dependent that did not hold"]
    assert [finding.id for finding in execution.findings] == ["dependent-grid"]


def test_a_grid_that_begins_early_is_machine_codes_where_its_threads_wait_before_all_else():
    execution = both("programmatic_launch")

    assert blocks(execution) == [(1, 0)] * 3 and not execution.findings


def test_machine_code_checks_launches_beyond_those_that_python_does():
    execution = run("many_kernels", engine="native", observed_launches=7)

    assert [launch.observed for launch in execution.launches] == [True] * 100
    assert OBSERVED not in {finding.id for finding in execution.findings}


def test_a_profile_of_the_first_launches_leaves_later_ones_to_machine_code():
    """Only the interpreter can count by source line; without that, machine code checks the others."""
    execution = run("many_kernels", engine="native", observed_launches=7, profile=True)

    assert [launch.engine.observers for launch in execution.launches] == [("Profile",)] * 7 + [()] * 93
    assert [bool(launch.profile) for launch in execution.launches] == [True] * 7 + [False] * 93
    assert [launch.observed for launch in execution.launches] == [True] * 100
    assert OBSERVED not in {finding.id for finding in execution.findings}


def test_launches_beyond_them_that_machine_code_does_not_run_are_told():
    execution = run("many_kernels", engine="native", observed_launches=7, seed=3)

    assert [launch.observed for launch in execution.launches] == [True] * 7 + [False] * 93
    (told,) = [finding for finding in execution.findings if finding.id == OBSERVED]
    assert told.values["count"] == 93


def test_of_what_is_counted_python_runs_a_block_and_the_rest_is_not_added_up():
    counted = execute_beside("many_kernels", "nvidia", options=Options(engine="native", observed_launches=7))

    assert [launch.engine.native for launch in counted.launches] == [1] * 7 + [2] * 93
    cause = counted.launches[0].engine.cause
    assert cause is not None and cause.reason is Reason.COUNTED_FOR_OTHERS
    assert counted.counters["lanes"] == 7 * 64
