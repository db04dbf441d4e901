"""The catalogue states what the documents promise."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from harness.cases.fresh import add_fresh_data
from harness.catalogue import CASES, KNOWN, PARTS, PLACES, PUZZLES, find_case, select_cases
from harness.catalogue.data import EXACT, print_out_and_expected
from harness.errors import UsageError
from harness.model.case import Dataset, Instance, Launch, ScalarArgument, TensorArgument
from harness.model.place import puzzle_number
from harness.model.sources import MOJO
from harness.model.target import Target

WIDTHS = (32, 64)
FURTHER = [launch for entry in CASES for launch in entry.simulated.further if launch.redefined]
# Grid, block and cluster at a warp width, in the documents' order; other puzzles may stand between them.
DOCUMENTED = {
    "p15": lambda _: ((1, 4, 1), (8, 1, 1), (1, 1, 1)),
    "p26:pair-swap": lambda width: ((1, 1, 1), (width, 1, 1), (1, 1, 1)),
    "p26:parallel-max": lambda width: ((1, 1, 1), (width, 1, 1), (1, 1, 1)),
    "p26:conditional-max": lambda width: ((2, 1, 1), (width, 1, 1), (1, 1, 1)),
    "p34:reduction": lambda _: ((4, 1, 1), (256, 1, 1), (4, 1, 1)),
}


def expected(case_id: str, width: int, dataset: str = "documented") -> dict[str, list[float]]:
    entry = find_case(case_id)
    results = entry.oracle(entry.instance(width).dataset(dataset).inputs, width)
    return {name: values.ravel().tolist() for name, values in results.items()}


def test_a_puzzle_builds_on_those_before_it():
    """And the puzzles of a part stand together: who takes the parts in order takes the puzzles in order."""
    for at, puzzle in enumerate(PUZZLES):
        assert set(PLACES[puzzle].builds_on) <= set(PUZZLES[:at]), puzzle
    assert [puzzle for puzzles in PARTS.values() for puzzle in puzzles] == list(PUZZLES)
    assert [puzzle_number(puzzle) for puzzle in ("p04", "p04_tile_tensor", "p35")] == [4, 4, 35]
    with pytest.raises(ValueError, match="named like p15"):
        puzzle_number("q15")


def test_the_documented_cases_are_all_there():
    """In the documents' order."""
    assert [entry.id for entry in CASES if entry.id in DOCUMENTED] == list(DOCUMENTED)


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
@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_launch(name, width):
    """Grids, blocks and clusters are the documented ones at both warp widths."""
    launch = find_case(name).launches(width)[0]

    assert (launch.grid, launch.block, launch.cluster) == DOCUMENTED[name](width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("entry", [*CASES, *FURTHER], ids=lambda entry: entry.id)
def test_every_intermediate_is_exact_in_float32(entry, width):
    """Comparing with == is right only for multiples of one unit whose magnitudes add up to at most 2^24 units.

    So they are exact in any order. What is added where nothing has a sign is what the magnitudes add up to. Elements
    that are moved are exact whatever they are.
    """
    entry = entry.simulated
    own = entry.instance(width)
    seeds = range(
        5 if sum(tensor.elements for tensor in own.initialized) < 1 << 16 else 1
    )  # many elements are many tries
    fresh = [add_fresh_data(entry, replace(own, datasets=()), seed).datasets for seed in seeds]
    for dataset in chain(own.datasets, *fresh):
        finite = {name: np.where(np.isfinite(values), values, 0) for name, values in dataset.inputs.items()}
        magnitudes = {name: np.abs(values) for name, values in finite.items()}
        largest = entry.expected(replace(dataset, inputs=magnitudes), width)
        for name, values in entry.expected(replace(dataset, inputs=finite), width).items():
            if entry.tolerance(name, dataset.name):
                continue
            if _added_exactly(values, largest[name]):
                continue
            # Looked for last: where there are many elements it takes the longest.
            moved = np.any([np.isin(values, held) for held in finite.values()], axis=0)
            rest = (np.ma.compressed(np.ma.asarray(part)[~moved]) for part in (values, largest[name]))
            assert _added_exactly(*rest), dataset.name


def _added_exactly(values: np.ndarray, largest: np.ndarray) -> bool:
    """Whether values are multiples of a unit, of which the largest are at most 2^24."""
    return not largest.size or bool(np.abs(largest).max() <= EXACT * _common_unit(values))


def _common_unit(values: np.ndarray) -> float:
    """Return the largest power of two, at most 2^100, of which all finite values are multiples.

    Returns:
        The unit; 0 where a value is NaN or where the unit would be less than 2^-40.
    """
    values = np.ma.compressed(np.ma.asarray(values))  # what a mask hides is compared with nothing
    if np.isnan(values).any():
        return 0.0
    mantissas, exponents = np.frexp(values[np.isfinite(values) & (values != 0)].astype(np.float64))
    whole = (mantissas * 2.0**53).astype(np.int64)
    lowest_bits = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    exponent = int((exponents - 53 + lowest_bits).min(initial=100))
    return 2.0**exponent if exponent >= -40 else 0.0


@pytest.mark.parametrize(
    ("values", "unit"),
    [([0, 6, -4], 2.0), ([0.75, 5, np.inf], 0.25), ([0, 0], 2.0**100), ([2.0**-41], 0.0), ([1, np.nan], 0.0)],
)
def test_the_common_unit_of_numbers_is_found(values, unit):
    assert _common_unit(np.array(values, np.float32)) == unit


@pytest.mark.parametrize("entry", FURTHER, ids=lambda entry: entry.id)
def test_the_data_of_a_further_launch_is_hardly_whole(entry):
    """Some cases draw numbers of which few are whole by chance, or all of one sign."""
    for dataset in entry.instance(32).datasets:
        floats = [array for array in dataset.inputs.values() if array.dtype.kind == "f"]
        assert all((array != np.rint(array)).mean() > 0.5 for array in floats) and floats, dataset.name


@pytest.mark.parametrize("entry", KNOWN, ids=lambda entry: entry.id)
def test_the_random_data_of_a_float_is_nowhere_whole(entry):
    """A kernel that goes through integers would be right on it; every case has some."""
    instance = add_fresh_data(entry, entry.simulated.instance(32), 1)
    random = ("random", "fresh", "fractions")
    values = [
        array[np.isfinite(array) & (np.abs(array) < 2**50)]  # whatever is larger is whole
        for dataset in instance.datasets
        for array in dataset.inputs.values()
        if dataset.name.partition("-")[0] in random and array.dtype.kind == "f"
    ]

    assert values and all((array != np.rint(array)).all() for array in values)
    assert np.concatenate(values).min() < 0 < np.concatenate(values).max()


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_each_file_of_a_case_exists(entry):
    """Kernel, problem and, if it has one, reference are where the catalogue's name says."""
    folder = MOJO / entry.puzzle
    assert (folder / "solution.mojo").is_file()
    assert (folder / "problem.mojo").is_file(), "run `nox -s generate`"
    for path in sorted(folder.glob("*.mojo")):
        if entry.called and path.name == "reference.mojo":
            continue  # what a host function does has none
        assert re.search(rf"^(def|comptime|struct) {entry.functions[0]}\b", path.read_text(), re.MULTILINE), path.name


def test_clusters_are_refused_where_there_are_none():
    """p34 needs an NVIDIA GPU of compute capability 9.0, what the other documents show runs anywhere."""
    refused = {
        text: [name for name in DOCUMENTED if find_case(name).refusal(Target.parse(text))]
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
    assert [entry.id for entry in select_cases(["p26:pair-swap", "p15"])] == ["p15", "p26:pair-swap"]
    assert select_cases([]) == CASES


def test_an_unknown_case_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'p26:pair-swap'"):
        select_cases(["p26:pairswap"])


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


@pytest.mark.parametrize(
    ("target", "runs", "fails"),
    [
        ("nvidia:sm_80", ("sm_80", "sm_86"), ("sm_75", "sm_90")),
        ("nvidia:sm_90", ("sm_90", "sm_90a"), ("sm_80", "sm_100")),
        ("nvidia:sm_100", ("sm_100", "sm_100a"), ("sm_103",)),  # Mojo builds it as `sm_100a`
        ("nvidia:sm_100a", ("sm_100", "sm_100a"), ("sm_103", "sm_103a")),
        ("nvidia:sm_100f", ("sm_100", "sm_103"), ("sm_90", "sm_120")),
        ("amd:gfx942", ("gfx942",), ("gfx90a",)),
    ],
)
def test_code_runs_on_what_has_its_instructions(target, runs, fails):
    """An architecture's own instructions are in no later one, and a family's in its family alone."""
    runs_on = Target.parse(target).runs_on

    assert all(map(runs_on, runs)) and not any(map(runs_on, fails))


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
    with pytest.raises(ValueError, match=r"tensor 'a' is input or .* or scratch, but got 'bogus'"):
        TensorArgument("a", "bogus", (4,))


@pytest.mark.parametrize(
    "other", [TensorArgument("a", "output", (4,)), ScalarArgument("a", 1)], ids=["tensor", "scalar"]
)
def test_two_arguments_of_one_name_are_refused(other):
    with pytest.raises(ValueError, match="two arguments share a name"):
        Instance(
            width=32,
            arguments=(TensorArgument("a", "output", (4,)), other),
            datasets=(),
        )


def test_a_data_set_must_fit_the_tensors():
    with pytest.raises(ValueError, match="the case takes"):
        Instance(
            width=32,
            arguments=(TensorArgument("a", "input", (4,)),),
            datasets=(Dataset("short", {"a": np.zeros(3, np.float32)}, ""),),
        )


def test_inputs_are_read_only():
    """A harness that changes its own inputs would check against the change."""
    for entry in [*CASES, *FURTHER]:
        for dataset in entry.simulated.instance(32).datasets:
            assert not any(array.flags.writeable for array in dataset.inputs.values())


def test_a_long_result_is_printed_as_mojo_prints_a_host_buffer():
    """All of 999 values, and of more the first and the last three."""
    counted = np.arange(1000, dtype=np.float32)
    short, long = print_out_and_expected(32, counted[:999], counted, True)

    assert short == f"out: HostBuffer([{', '.join(f'{i}.0' for i in range(999))}])"
    assert long == "expected: HostBuffer([0.0, 1.0, 2.0, ..., 997.0, 998.0, 999.0])"
