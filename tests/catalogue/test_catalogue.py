"""The catalogue states what the documents promise."""

from __future__ import annotations

import numpy as np
import pytest

from harness.catalogue import CASES, case, select
from harness.errors import UsageError
from harness.model.case import Buffer, Dataset, Instance, Launch, ScalarArgument
from harness.model.sources import MOJO
from harness.model.target import Target

WIDTHS = (32, 64)


def expected(case_id: str, width: int, dataset: str = "documented") -> dict[str, list[float]]:
    entry = case(case_id)
    results = entry.oracle(entry.instance(width).dataset(dataset).inputs, width)
    return {name: values.ravel().tolist() for name, values in results.items()}


def test_the_documented_cases_are_all_there():
    """Five cases, in the documents' order."""
    assert [entry.id for entry in CASES] == [
        "p15",
        "p26:pair-swap",
        "p26:parallel-max",
        "p26:conditional-max",
        "p34:reduction",
    ]


def test_documented_results():
    """The oracles give the figures that the documents print."""
    assert expected("p15", 32)["output"] == [15, 51, 87, 123]
    assert expected("p26:pair-swap", 32)["output"] == [i ^ 1 for i in range(32)]
    assert expected("p26:parallel-max", 64)["output"] == [1000] * 64
    assert expected("p26:conditional-max", 32)["output"] == [9, 0] * 16 + [63, 32] * 16
    assert expected("p26:conditional-max", 64)["output"] == [63, 0] * 32
    assert expected("p34:reduction", 32) == {
        "output": [523776],
        "temp_storage": [32640, 98176, 163712, 229248],
    }


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_documented_launch(entry, width):
    """Grids, blocks and clusters are the documented ones at both warp widths."""
    launch = entry.instance(width).launch
    documented = {
        "p15": ((1, 4, 1), (8, 1, 1), (1, 1, 1)),
        "p26:pair-swap": ((1, 1, 1), (width, 1, 1), (1, 1, 1)),
        "p26:parallel-max": ((1, 1, 1), (width, 1, 1), (1, 1, 1)),
        "p26:conditional-max": ((2, 1, 1), (width, 1, 1), (1, 1, 1)),
        "p34:reduction": ((4, 1, 1), (256, 1, 1), (4, 1, 1)),
    }

    assert (launch.grid, launch.block, launch.cluster) == documented[entry.id]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_every_intermediate_is_exact_in_float32(entry, width):
    """Comparing with == is right only while integers stay below 2^24."""
    instance = entry.instance(width)
    for dataset in instance.datasets:
        for values in dataset.inputs.values():
            finite = values[np.isfinite(values)].astype(np.float64)
            assert np.array_equal(finite, np.rint(finite))
            row = max(1, instance.parameters.get("size", finite.size))
            largest = np.abs(finite).sum() if entry.puzzle == "p34" else np.abs(finite).max() * row
            bound = np.abs(finite).sum() if dataset.name == "powers-of-two" else largest
            assert bound <= 2**24


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_each_file_of_a_case_exists(entry):
    """Kernel, problem, op and device code are where the catalogue's name says."""
    for folder, suffix in (("solutions", ""), ("problems", ""), ("ops", ""), ("device_ir", "_device")):
        assert (MOJO / folder / f"{entry.puzzle}{suffix}.mojo").is_file()
    assert f"def {entry.kernel}[" in (MOJO / "solutions" / f"{entry.puzzle}.mojo").read_text()
    assert f'@register("{entry.op}")' in (MOJO / "ops" / f"{entry.puzzle}.mojo").read_text()


def test_clusters_are_refused_where_there_are_none():
    """p34 needs an NVIDIA GPU of compute capability 9.0, everything else runs anywhere."""
    refused = {
        text: [entry.id for entry in CASES if entry.refusal(Target.parse(text))]
        for text in ("nvidia:sm_80", "nvidia:sm_90", "nvidia:sm_100", "amd:gfx942", "apple:apple-m4")
    }

    assert refused == {
        "nvidia:sm_80": ["p34:reduction"],
        "nvidia:sm_90": [],
        "nvidia:sm_100": [],
        "amd:gfx942": ["p34:reduction"],
        "apple:apple-m4": ["p34:reduction"],
    }


def test_selection_takes_ids_and_puzzles():
    """A puzzle stands for all of its cases, nothing for everything."""
    assert [entry.id for entry in select(["p34", "p26:pair-swap"])] == ["p26:pair-swap", "p34:reduction"]
    assert select([]) == CASES


def test_an_unknown_case_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'p26:pair-swap'"):
        select(["p26:pairswap"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nvidia:sm_9", "did you mean"),
        ("nvida", "unknown target"),
        ("amd:", "no architecture"),
        ("intel:xe", "unknown target"),
    ],
)
def test_an_unknown_target_is_refused(text, message):
    with pytest.raises(UsageError, match=message):
        Target.parse(text)


def test_targets_know_their_warp_width():
    """Wavefronts of 64 lanes on CDNA, 32 everywhere else."""
    widths = {text: Target.parse(text).warp_width for text in ("nvidia", "amd", "amd:gfx1100", "apple")}

    assert widths == {"nvidia": 32, "amd": 64, "amd:gfx1100": 32, "apple": 32}
    assert Target.parse("nvidia:sm_90").fits("sm_90a")
    assert not Target.parse("nvidia:sm_90").fits("sm_80")
    assert not Target.parse("amd:gfx942").fits("gfx90a")


@pytest.mark.parametrize(
    "fields",
    [
        {"grid": (0, 1, 1), "block": (1, 1, 1)},
        {"grid": (1, 1, 1), "block": (1025, 1, 1)},
        {"grid": (3, 1, 1), "block": (1, 1, 1), "cluster": (2, 1, 1)},
        {"grid": (16, 1, 1), "block": (1, 1, 1), "cluster": (16, 1, 1)},
        {"grid": (1, 1, 1), "block": (float("nan"), 1, 1)},
        {"grid": (1.5, 1, 1), "block": (1, 1, 1)},
    ],
    ids=["empty-grid", "large-block", "cluster-does-not-divide", "large-cluster", "no-number", "part-of-a-block"],
)
def test_an_impossible_launch_is_refused_at_birth(fields):
    with pytest.raises(ValueError, match=r"must be|at most|does not divide"):
        Launch(**fields)


def test_a_role_that_is_none_is_refused():
    with pytest.raises(ValueError, match="buffer 'a' is input or output or scratch, but got 'bogus'"):
        Buffer("a", "bogus", (4,))


@pytest.mark.parametrize("scalars", [(), (ScalarArgument("b", 1),)])
def test_two_arguments_of_one_name_are_refused(scalars):
    names = ("a", "b") if scalars else ("a", "a")
    with pytest.raises(ValueError, match="two arguments share a name"):
        Instance(
            width=32,
            buffers=tuple(Buffer(name, "output", (4,)) for name in names),
            scalars=scalars,
            parameters={},
            launch=Launch(grid=(1, 1, 1), block=(4, 1, 1)),
            datasets=(),
        )


def test_a_data_set_must_fit_the_buffers():
    with pytest.raises(ValueError, match="the case takes"):
        Instance(
            width=32,
            buffers=(Buffer("a", "input", (4,)),),
            parameters={},
            launch=Launch(grid=(1, 1, 1), block=(4, 1, 1)),
            datasets=(Dataset("short", {"a": np.zeros(3, np.float32)}, ""),),
        )


def test_inputs_are_read_only():
    """A harness that changes its own inputs would check against the change."""
    for entry in CASES:
        for dataset in entry.instance(32).datasets:
            assert not any(array.flags.writeable for array in dataset.inputs.values())
