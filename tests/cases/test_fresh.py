"""Data drawn for a run: unknown before, the same for the same seed, and nothing that a right kernel would mind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.build import toolchain
from harness.cases import fresh
from harness.cases.case_run import run_case
from harness.cases.fresh import add_fresh_data
from harness.catalogue import CASES, KNOWN, find_case
from harness.catalogue.data import DEFAULT_DRAW, ScalableDraw
from harness.model.handout import Complete, Predict
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from tests import learners
from tests.solutions.stored import PLACES, simulator

TARGET = Target.parse("nvidia:sm_90")
PLAN = LaunchPlan(TARGET, "simulator", "", "")


def drawn(name: str, seed: int):
    entry = find_case(name).simulated
    own = entry.instance(32)
    return add_fresh_data(entry, own, seed).datasets[len(own.datasets) :]


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "target"), PLACES, ids=lambda value: getattr(value, "id", value))
def test_the_solutions_are_right_on_fresh_data_and_keep_their_promises(entry, target):
    report = run_case(
        entry,
        LaunchPlan(Target.parse(target), "simulator", data_seed=fresh.new_seed()),
        simulator(entry, target),
    )

    assert report.verdict == "PASS", report.reason
    assert len(report.datasets) > len(entry.instance(Target.parse(target).warp_width).datasets)
    assert all(claim.holds for claim in report.claims)


def test_a_seed_repeats_its_data_and_another_does_not():
    once, again, other = (drawn("p15", seed) for seed in (7, 7, 8))

    assert [dataset.inputs["a"].tobytes() for dataset in once] == [dataset.inputs["a"].tobytes() for dataset in again]
    assert [dataset.scalars for dataset in once] == [dataset.scalars for dataset in again]
    assert all(
        first.inputs["a"].tobytes() != second.inputs["a"].tobytes() for first, second in zip(once, other, strict=True)
    )
    assert fresh.new_seed() != fresh.new_seed()


def test_cases_with_one_seed_have_data_of_their_own():
    swap, peak = drawn("p26:pair-swap", 7), drawn("p26:parallel-max", 7)

    assert swap[0].inputs["input"].tobytes() != peak[0].inputs["input"].tobytes()


@pytest.mark.parametrize(("name", "least", "most"), [("p11", 2, 8), ("p15", 1, 6), ("p34:reduction", 1, 1024)])
def test_where_a_kernel_takes_a_size_others_are_drawn_and_nothing_lies_past_them(name, least, most):
    sizes = set()
    for seed in range(40):
        for dataset in drawn(name, seed):
            if size := dataset.scalars.get("size_dev"):
                (values,) = dataset.inputs.values()
                assert np.isnan(values[..., size:]).all() and np.isfinite(values[..., :size]).all()
                sizes.add(size)
    assert min(sizes) >= least and max(sizes) < most
    assert sizes == set(range(least, most)) if most < 10 else len(sizes) > 70


@pytest.mark.parametrize("name", ["p15", "p34:reduction"])
def test_what_lies_past_the_size_counts_for_nothing(name):
    entry = find_case(name)
    for dataset in drawn(name, 3):
        (values,) = dataset.inputs.values()
        expected = entry.expected(dataset, 32)["output"]
        assert expected.ravel()[0] == np.nansum(values.reshape(expected.size, -1)[0])


ONE_SIZE = {
    *("p29:multi-stage", "p29:double-buffer", "p35:scalar", "p35:unaligned", "p35:aligned"),
}


def test_what_is_to_be_written_runs_at_other_sizes_where_it_takes_one():
    for entry in CASES:
        sized = any(scalar.name == "size_dev" for scalar in entry.geometry(32).scalars)
        assert bool(entry.size) == (
            sized and not isinstance(entry.handout, Complete | Predict) and entry.id not in ONE_SIZE
        ), entry.id


@pytest.mark.parametrize(("name", "there"), [("p03", 1), ("p05", 2), ("p07", 2), ("p11", 1), ("p27:normalize", 1)])
def test_nobody_is_to_write_what_lies_behind_a_result_of_another_size(name, there):
    *_, other = drawn(name, 3)
    size = other.scalars["size_dev"]
    (values,) = find_case(name).expected(other, 32).values()

    assert values.count() == size**there and np.isfinite(values[(slice(size),) * there]).all()


def test_no_other_sizes_where_a_kernel_takes_none():
    for entry in CASES:
        names = {name for dataset in drawn(entry.id, 1) for name in dataset.scalars}
        assert entry.size or names <= {"alpha", "pivot", "target_bin_dev"}, entry.id


@pytest.mark.parametrize(
    ("name", "scalar", "most"),
    [
        *((f"p31:{mode}", "alpha", 2.5) for mode in ("minimal", "sophisticated", "balanced")),
        ("p26:partition", "pivot", 5),
    ],
)
def test_a_float_that_a_kernel_takes_is_drawn_and_no_larger_than_documented(name, scalar, most):
    values = [dataset.scalars[scalar] for seed in range(40) for dataset in drawn(name, seed)]

    assert len(set(values)) > 50 and min(values) < 0 < max(values)
    assert all(abs(value) < most and value * 64 % 2 == 1 for value in values)
    assert values[:2] == [dataset.scalars[scalar] for dataset in drawn(name, 0)]


def test_an_integer_that_data_sets_vary_is_drawn_from_their_values():
    values = [dataset.scalars["target_bin_dev"] for seed in range(40) for dataset in drawn("p27:histogram", seed)]

    assert set(values) == set(range(8))


@pytest.mark.parametrize("name", ["p31:minimal", "p31:sophisticated", "p31:balanced", "p26:partition", "p27:histogram"])
def test_results_follow_what_is_drawn(name):
    """With the documents' number in its place each result is another one, in half of the data sets at least."""
    entry = find_case(name).simulated
    sets = [dataset for seed in range(10) for dataset in drawn(name, seed)]
    others = [replace(dataset, scalars={}) for dataset in sets]
    differ = [
        any(
            (one != other).any()
            for one, other in zip(*(entry.expected(data, 32).values() for data in pair), strict=True)
        )
        for pair in zip(sets, others, strict=True)
    ]

    assert sum(differ) > len(differ) / 2


IN_UNITS = [entry.id for entry in CASES if isinstance(entry.draw or DEFAULT_DRAW, ScalableDraw)]


@pytest.mark.parametrize("name", IN_UNITS)
def test_floats_come_finer_than_in_all_other_data_and_larger(name):
    entry = find_case(name).simulated
    finer, larger, *_ = drawn(name, 3)
    for tensor in entry.instance(32).initialized:
        if tensor.dtype.kind != "f":
            continue
        small, large = finer.inputs[tensor.name], larger.inputs[tensor.name]
        assert (small * 2**12 != np.rint(small * 2**12)).all() and np.abs(small).max() < 1 / 16
        bounded = any(bound.atol for bound in entry.within.values())
        assert (large != np.rint(large)).all() if bounded else (np.abs(large) >= 2**50).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p01", "p04", "p23:elementwise", "p26:pair-swap", "p30:kernel1", "p32:no-conflict"])
def test_no_integer_of_64_bits_holds_both_units(name):
    for seed in range(20):
        finer, larger, *_ = (next(iter(dataset.inputs.values())).astype(np.float64) for dataset in drawn(name, seed))
        assert (finer * 2**20 % 2 == 1).all()
        assert np.abs(larger).max() > 2**63 and (larger + 10 == larger).all()
        assert ((finer + 10).astype(np.float32) == finer + 10).all()


def test_cases_of_full_size_have_their_own_data():
    scaled = next(entry for entry in KNOWN if not entry.documented)

    assert add_fresh_data(scaled, scaled.geometry(32), 1) == scaled.geometry(32)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_table_of_the_documented_answers_is_right_on_the_documented_data_alone():
    backend = simulator(find_case("p15"), TARGET.name, code=learners.code("a lookup table", find_case("p15"))["llvm"])

    assert run_case(find_case("p15"), PLAN, backend).verdict == "PASS"
    for seed in range(5):
        report = run_case(find_case("p15"), replace(PLAN, data_seed=seed), backend)
        assert (report.verdict, report.decisive.name) == ("MISMATCH", "fresh-1")


def test_a_case_may_draw_in_a_way_of_its_own():
    indices = replace(find_case("p26:pair-swap"), draw=lambda _, generator: {"input": generator.permutation(32) * 1.0})
    own = indices.instance(32)

    for dataset in add_fresh_data(indices, own, 7).datasets[len(own.datasets) :]:
        assert sorted(dataset.inputs["input"]) == list(range(32))


def test_what_is_not_run_is_not_drawn():
    asked = []
    late = replace(find_case("p15"), draw=lambda *_: asked.append(1) or {"a": np.zeros((4, 6), np.float32)})
    *_, last = add_fresh_data(late, late.instance(32), 7).datasets
    assert asked == []
    assert last.inputs["a"].shape == (4, 6) and not last.inputs["a"].flags.writeable and asked == [1]


def test_integers_are_drawn_whole():
    entry = find_case("p26:pair-swap")
    own = entry.instance(32)
    arguments = tuple(replace(tensor, dtype=np.dtype(np.int32)) for tensor in own.tensors)

    for dataset in add_fresh_data(entry, replace(own, arguments=arguments), 7).datasets[len(own.datasets) :]:
        assert dataset.inputs["input"].dtype == np.int32 and len(set(dataset.inputs["input"])) > 16
