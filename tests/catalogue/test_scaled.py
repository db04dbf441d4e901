"""The full-size kernels, executed in the simulator at small and odd sizes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from harness import simt
from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.unit import Build, make_units
from harness.cases import pipeline
from harness.cases.check import judge
from harness.catalogue import CASES, scaled, select_cases
from harness.catalogue import find_case as case_of
from harness.catalogue.data import EXACT, UNIT, random_fractions
from harness.errors import UsageError
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from tests import compiled, learners
from tests.catalogue.full_size import WRONG, cases

pytestmark = pytest.mark.slow

needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")

TARGETS = ("nvidia:sm_90", "amd:gfx942")
UNIT_ROUNDOFF = 2.0**-24  # of float32


@pytest.fixture(scope="module")
def code():
    """LLVM IR of every instance, or of some, by target and name."""

    @cache
    def build(target: str, *, every: bool = False) -> dict[str, str]:
        return _compile(Target.parse(target), every)

    return build


def _compile(target: Target, every: bool) -> dict[str, str]:
    named = cases(target.name, every=every)
    if not every:
        return {name: learners.code(name, case)["llvm"] for name, case in named.items()}
    codes = compiled.levels([(unit, target) for unit in make_units(named.values(), Build(target=target))])
    return dict(zip(named, [code["llvm"] for code in codes], strict=True))


def _run(text: str, case: scaled.ScaledCase, target: str, dataset) -> str:
    instance = case.instance(Target.parse(target).warp_width)
    backend = SimulatorBackend(LaunchPlan(Target.parse(target), "simulator"), {case.id: (text,)})
    request = Request(case=case, instance=instance, dataset=dataset, time_limit_seconds=60)
    report = judge(request, backend.launch(request))
    return f"{report.verdict} {report.reason}".strip()


@needs_mojo
@pytest.mark.parametrize(
    ("target", "every"), [(TARGETS[0], False), *(pytest.param(each, True, marks=pytest.mark.full) for each in TARGETS)]
)
def test_every_size_is_exact(code, target, every):
    """Every size and data set passes on poisoned memory with guard words."""
    width = Target.parse(target).warp_width
    wrong, texts = {}, code(target, every=every)
    for name, case in cases(target, every=every).items():
        for dataset in case.instance(width).datasets:
            verdict = _run(texts[name], case, target, dataset)
            if verdict != "PASS":
                wrong[f"{name} {dataset.name}"] = verdict
    assert wrong == {}


def sum_bound(magnitudes: np.ndarray, additions: int) -> np.ndarray:
    """How far a float32 sum may be from the exact one.

    Args:
        magnitudes: The sum of the absolute values of what is added.
        additions: The most additions that any one element goes through.

    Returns:
        The classic bound n u / (1 - n u) times the magnitudes, u = 2^-24 (Higham,
        Accuracy and Stability of Numerical Algorithms, section 4.2).
    """
    error = additions * UNIT_ROUNDOFF
    return error / (1 - error) * np.asarray(magnitudes, np.float64)


def axis_sum_depth(columns: int, threads: int) -> int:
    """The additions that an element of the axis sum goes through."""
    return -(-columns // (scaled.VECTOR * threads)) + 2 + 1 + threads.bit_length() - 1


def cluster_sum_depth(size: int, clusters: int, threads: int) -> int:
    """The additions that an element of the cluster-wide sum goes through, both launches."""
    share = scaled.CLUSTER_BLOCKS * threads

    def once(elements: int, groups: int) -> int:
        serial = -(-elements // (scaled.VECTOR * share * groups))
        return serial + 2 + 1 + threads.bit_length() - 1 + scaled.CLUSTER_BLOCKS

    return once(size, clusters) + (once(clusters, 1) if clusters > 1 else 0)


@needs_mojo
def test_rounding_stays_within_the_derived_bound(code):
    """Sums of arbitrary floats differ from float64 by no more than n u times the magnitudes."""
    target = "nvidia:sm_90"
    generator = np.random.default_rng(7)
    for name, key in (("axis_3_1023", "a"), ("axis_2_4097", "a"), ("cluster_40961_2", "input")):
        case = cases(target)[name]
        instance = case.instance(32)
        values = generator.standard_normal(instance.inputs[0].shape).astype(np.float32)
        output = np.full(instance.tensors[0].shape, np.nan, np.float32)
        arguments = [simt.Buffer(output, "output"), simt.Buffer(values, key, writable=False)]
        if key == "input":
            arguments.append(simt.Buffer(np.zeros(instance.tensors[2].shape, np.float32), "temp_storage"))
        launch = case.launches(32)[0]
        simt.launch(
            simt.decode(code(target)[name]),
            target=target,
            grid=launch.grid,
            block=launch.block,
            cluster=launch.cluster,
            args=arguments,
        ).raise_for_fault()
        expected = case.oracle({key: values}, 32)["output"]
        magnitudes = case.oracle({key: np.abs(values)}, 32)["output"]
        depth = (
            axis_sum_depth(values.shape[1], launch.block[0])
            if key == "a"
            else cluster_sum_depth(values.size, case.steps[0].parameter_values(32)["clusters"], launch.block[0])
        )
        error = np.abs(output - expected)
        assert (error <= sum_bound(magnitudes, depth)).all()
        assert error.any(), "the data is exact: nothing was tested"


@needs_mojo
def test_two_launches_make_the_whole_sum(code):
    """One cluster over the partial sums of many gives the sum of the vector."""
    target = "nvidia:sm_90"
    big, small = scaled.cluster_sum(40_961, 2), scaled.cluster_sum(264, 1)
    values = big.instance(32).datasets[0].inputs["input"]
    partials = np.zeros(264, np.float32)
    partials[:2] = _launch(code(target)["cluster_40961_2"], big, values)
    total = _launch(code(target)["cluster_264_1"], small, partials)
    assert total[0] == values.sum(dtype=np.float64)


def _launch(text: str, case: scaled.ScaledCase, values: np.ndarray) -> np.ndarray:
    instance = case.instance(32)
    output = np.zeros(instance.tensors[0].shape, np.float32)
    temp = np.zeros(instance.tensors[2].shape, np.float32)
    launch = case.launches(32)[0]
    simt.launch(
        simt.decode(text),
        target="nvidia:sm_90",
        grid=launch.grid,
        block=launch.block,
        cluster=launch.cluster,
        args=[output, values, temp],
    ).raise_for_fault()
    return output


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(2, 3), (4, 16_384), (1, 2**20), (1, 2**24), pytest.param(1, 2**26, marks=pytest.mark.full)],
)
def test_the_data_is_exact_in_any_order(rows, columns):
    """The magnitudes that are added are at most 2^24 units in sum."""
    units = random_fractions((rows, columns), 1, columns) / UNIT
    assert 0 < np.abs(units).sum(axis=1, dtype=np.float64).max() <= EXACT
    assert np.array_equal(units, np.rint(units)) and (units < 0).any() and (units > 0).any()


def test_they_are_cases_of_their_own():
    """Selectable by id, with files of their own, and not among the documented cases."""
    assert [case.id for case in scaled.CASES] == ["p15@scale", "p26@scale", "p34@scale"]
    assert [case.op for case in scaled.CASES] == ["p15_scale", "p26_scale", "p34_scale"]
    assert not {case.id for case in scaled.CASES} & {case.id for case in CASES}
    for case in scaled.CASES:
        assert case.file == MOJO / "scaled" / f"{case.module}.mojo" and case.file.is_file()


def test_they_are_run_when_asked_for():
    """By id; without names the documented cases alone are meant."""
    assert select_cases(["p26@scale", "p15"]) == (case_of("p15"), scaled.CASES[1])
    assert select_cases([]) == CASES
    with pytest.raises(UsageError, match="did you mean 'p15@scale'"):
        select_cases(["p15@scal"])


@needs_mojo
def test_they_pass_with_everything_watching():
    """The catalogue's own sizes, with all observers."""
    compiled.solutions()
    plan = pipeline.plan("nvidia:sm_90", "simulator")
    report = pipeline.run(scaled.CASES, plan=plan, sources=Sources())
    assert {case.case: (case.verdict, case.reason) for case in report.cases} == {
        case.id: ("PASS", "") for case in scaled.CASES
    }
    assert report.kernels == ", ".join(f"mojo/scaled/{case.module}.mojo" for case in scaled.CASES)


@needs_mojo
def test_a_wrong_kernel_is_caught(tmp_path):
    learners.write("row maxima without the last", file := tmp_path / "row_max.mojo")
    plan, sources = pipeline.plan("nvidia:sm_90", "simulator"), Sources(overrides={WRONG.puzzle: file})
    (case,) = pipeline.run([WRONG], plan=plan, sources=sources).cases
    assert case.verdict == "MISMATCH", case.reason


@pytest.mark.full
def test_clusters_are_refused_where_there_are_none():
    """The cluster-wide sum needs clusters; the others run everywhere."""
    refusals = [case.refusal(Target.parse("amd:gfx942")) for case in scaled.CASES]
    assert refusals[:2] == [None, None]
    assert "clusters" in refusals[2]
