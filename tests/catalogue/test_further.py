"""Further launches tell apart what is equal at the documented one, and the file states them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.unit import Build, make_units
from harness.cases.case_run import run_case
from harness.catalogue import CASES, find_case
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.target import Target
from tests import compiled
from tests.mutants.handwritten import MUTANTS

TARGET = Target.parse("nvidia:sm_90")
FIRST = [entry for entry in CASES if entry.puzzle < "p17"]
LAUNCHES = [launch for entry in FIRST for launch in entry.sizes]
# Wrong kernels whose results are right at the documented launch, by what is found at a further one.
COINCIDENCES = {
    "p05-index-of-another-row": "check.wrong-value",
    "p06-blocks-for-threads": "check.never-written",
    "p11-no-guard-of-the-load": "out-of-bounds",
    "p12-no-guard": "out-of-bounds",
    "p12-no-else": "uninitialised",
    "p15-index-of-another-row": "check.never-written",
}


def source(launch: Case) -> str:
    """The text of the solution."""
    return Sources("solutions").kernel_file(launch).read_text(encoding="utf-8")


def constants(launch: Case) -> dict[str, Any]:
    """The numbers and tuples that a kernel's file states, with those that the launch redefines."""
    changed = {name: str(value) for name, value in launch.redefined.items()}
    stated = dict(re.findall(r"^comptime (\w+) = ([\w ,()+*]+)$", source(launch), re.MULTILINE)) | changed
    known: dict[str, Any] = {}
    for _ in stated:  # one may be computed from another that follows
        for name, value in stated.items():
            if set(re.findall(r"[A-Za-z]\w*", value)) <= known.keys():
                known[name] = eval(value, {"__builtins__": {}}, known)
    return known


def quantities(launch: Case) -> tuple[object, ...]:
    """Grid, block and shapes."""
    shapes = tuple(tensor.shape for tensor in launch.instance(32).tensors)
    return tuple((made.grid, made.block) for made in launch.launches(32)), shapes


@pytest.mark.parametrize("entry", FIRST, ids=lambda entry: entry.id)
def test_a_further_launch_differs_from_the_documented_one_in_grid_block_or_size(entry):
    assert entry.further
    assert all(quantities(launch) != quantities(entry) for launch in entry.further)


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch.id)
def test_the_file_states_the_sizes_and_the_launch(launch):
    """With the constants of a further launch as with its own: a learner's file is compiled with them."""
    known = constants(launch)
    extents = {name: value if isinstance(value, tuple) else (value, 1) for name, value in known.items()}
    blocks, threads = (
        {value for name, value in extents.items() if name.startswith(start)}
        for start in ("BLOCKS_PER_GRID", "THREADS_PER_BLOCK")
    )

    assert launch.redefined.keys() <= set(re.findall(r"^comptime (\w+)", source(launch), re.MULTILINE))
    assert {name: known[name] for name in launch.instance(32).constants} == launch.instance(32).constants
    assert all(made.grid[:2] in blocks and made.block[:2] in threads for made in launch.launches(32))


def test_a_case_of_a_smaller_matrix_has_its_rows_one_after_another_where_the_kernel_computes_the_place():
    """Of a pointer the second row of two elements begins at the third element; of a TileTensor at the fourth."""
    for name, second in (("p04", 2), ("p04_tile_tensor", 3)):
        (launch,) = find_case(name).further
        dataset = launch.instance(32).datasets[1]
        given, expected = dataset.inputs["a"].ravel(), launch.expected(dataset, 32)["output"].ravel()
        places = [0, 1, second, second + 1]

        assert dataset.scalars == {"size_dev": 2} and (~expected.mask).nonzero()[0].tolist() == places
        assert expected[places].tolist() == (given[places] + 10).tolist()


@pytest.fixture(scope="module")
def reports():
    """What the wrong kernels come to at the documented launch and at the further one, all from one compilation."""
    parts, owners = [], []
    for mutant in (mutant for mutant in MUTANTS if mutant.id in COINCIDENCES):
        file = compiled.placed(f"{mutant.id.replace('-', '_')}.mojo", mutant.source())
        for at, launch in enumerate(find_case(mutant.case).sizes):
            (unit,) = make_units([launch], Build(target=TARGET))
            parts.append((replace(unit, file=file, module=f"{file.stem}_{at}"), TARGET))
            owners.append((mutant.id, launch))
    found: dict[str, list[CaseReport]] = {}
    for (name, launch), code in zip(owners, compiled.kernels(parts), strict=True):
        backend = SimulatorBackend(LaunchPlan(TARGET, "simulator"), {launch.id: (code,)})
        found.setdefault(name, []).append(run_case(launch, LaunchPlan(TARGET, "simulator", "", ""), backend))
    return found


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(("name", "kind"), COINCIDENCES.items())
def test_what_is_right_by_coincidence_fails_at_a_further_launch(reports, name, kind):
    documented, further = reports[name]

    assert documented.verdict == "PASS", documented.reason
    assert further.verdict != "PASS" and further.findings[0].id.startswith(kind)
