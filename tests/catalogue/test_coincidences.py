"""No mode has two numbers that stay equal in every launch, and the finder finds them where there are some."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.catalogue import CASES, find_case
from harness.catalogue.further import make_further, with_further
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from tests.catalogue.coincidence_table import coincidences_table, exponents
from tests.catalogue.coincidences import coincidences, unexplained, views
from tests.catalogue.fixed.launch import Fixed
from tests.catalogue.guards import guards, idle_axes
from tests.catalogue.mojo_constants import Forms, evaluate, stated
from tests.catalogue.mojo_functions import function_of, launch_texts
from tests.catalogue.quantities import Subject, subjects
from tests.catalogue.strides import strides

FILE = '''"""A made-up puzzle."""

from max.gpu import block_dim, block_idx, thread_idx

comptime TPB = {tpb}
"""The threads of a block."""
comptime SIZE = {size}
"""The elements of the vector."""
comptime ROOM = TPB * 2
"""What a block has in shared memory."""
comptime BLOCKS_PER_GRID = ({blocks}, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime layout = row_major[SIZE]()
"""Where the elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element.

    Args:
        output: The sums.
        a: The addends.
        size_dev: How many there are.

    Constraints:
        {constraints}
    """
    var size = Int(size_dev)
    var i = block_dim.x * block_idx.x + thread_idx.x

    if i < size:
        output[i] = a[i] + 10
'''


def made_up(size: int, blocks: int, tpb: int, *, takes_size: bool = False) -> Case:
    """A case of one kernel."""
    return make_simple_case(
        "p01",
        "made up",
        Kernel("kernel", "output a size_dev", grid=blocks, block=tpb),
        {"a": np.arange(size)},
        lambda a: a + 10,
        scalars={} if takes_size else {"size_dev": size},
        size=Size("size_dev", size) if takes_size else None,
        constants={"SIZE": size},
        claims=(),
    )


def subject_of(entry: Case, tpb: int | str, size: int | str, constraints: str = "") -> Subject:
    """What is looked at of a made-up case, whose file states these numbers."""
    blocks = entry.launches(32)[0].grid[0]
    text = FILE.format(tpb=tpb, size=size, blocks=blocks, constraints=constraints)
    (subject,) = subjects(entry, 32, (text, text))
    return subject


def left(subject: Subject, *fixed: Fixed) -> list[str]:
    """The pairs that nothing explains, as they are shown."""
    return [str(entry) for entry in coincidences(subject, fixed) if not entry.broken and not entry.explained]


def broken(subject: Subject) -> dict[str, str]:
    """What tells pairs apart, by how they are shown."""
    return {str(entry): entry.broken for entry in coincidences(subject) if entry.broken}


FOUR = "TPB (block_dim.x) = SIZE (len(output), len(a))"


def test_two_numbers_that_are_always_equal_are_found():
    subject = subject_of(made_up(4, 2, 4), 4, 4)

    assert left(subject) == [
        FOUR,
        "TPB (block_dim.x) = size_dev",
        "SIZE (len(output), len(a)) = size_dev",
        "ROOM = threads",
    ]


def test_what_one_is_computed_from_explains_that_they_are_equal():
    subject = subject_of(made_up(4, 2, 4), 4, "TPB")

    assert left(subject) == ["TPB (SIZE, len(output), len(a), block_dim.x) = size_dev", "ROOM = threads"]


def test_a_further_launch_tells_numbers_apart():
    """Only those of which its constants, or what follows from them, have other values."""
    other = make_further(made_up(6, 3, 4), {"SIZE": 6, "BLOCKS_PER_GRID": "(3, 1)"})
    subject = subject_of(with_further(made_up(4, 2, 4), other), 4, 4)

    assert left(subject) == ["SIZE (len(output), len(a)) = size_dev"]
    assert broken(subject)[FOUR] == "launch"


def test_a_constant_that_a_further_launch_does_not_change_keeps_its_value():
    """Else a launch of more threads would tell `TPB` from itself."""
    other = make_further(made_up(4, 2, 5), {"TPB": 5})
    subject = subject_of(with_further(made_up(4, 2, 4), other), 4, 4)

    assert subject.values("SIZE")[-1] == 4
    assert subject.values("ROOM")[-1] == 10
    assert left(subject) == ["SIZE (len(output), len(a)) = size_dev", "ROOM = threads"]


def test_a_fresh_size_tells_a_number_from_the_size():
    subject = subject_of(made_up(4, 2, 4, takes_size=True), 4, 4)

    assert left(subject) == [FOUR, "ROOM = threads"]
    assert broken(subject)["SIZE (len(output), len(a)) = size_dev"] == "size"


def test_an_axis_that_no_launch_uses_needs_no_explanation():
    """But an extent of 1 of an axis in use does, and a docstring of one block is none."""
    expected = [
        "TPB (block_dim.x) = threads",
        "SIZE (len(output), len(a)) = size_dev",
        "grid_dim.x (blocks) = grid_dim.y (block_dim.y)",
    ]

    assert left(subject_of(made_up(3, 1, 4), 4, 3)) == expected
    assert left(subject_of(made_up(3, 1, 4), 4, 3, "There is one block, of `TPB` threads.")) == expected


@pytest.mark.parametrize("more", [{}, {"TPB": 5}])
def test_a_text_that_does_not_hold_in_each_launch_explains_nothing(more):
    """`SIZE = TPB` is no definition where a launch has another `SIZE` alone."""
    other = make_further(made_up(5, 2, more.get("TPB", 4)), {"SIZE": 5, **more})
    subject = subject_of(with_further(made_up(4, 2, 4), other), 4, "TPB")

    assert ("TPB (SIZE, len(output), len(a), block_dim.x) = size_dev" in left(subject)) == bool(more)
    assert (FOUR in broken(subject)) != bool(more)


def test_what_the_documents_fix_is_explained_for_their_mode_alone():
    subject = subject_of(made_up(4, 2, 4), 4, 4)
    fixed = Fixed("p01", ("TPB", "SIZE"), made_up(6, 2, 4), "MISMATCH", "they have one element a thread")

    assert FOUR not in left(subject, fixed)
    assert FOUR in left(subject, replace(fixed, case="p02"))
    assert FOUR in left(subject, replace(fixed, equal=("TPB", "size_dev")))


@pytest.mark.parametrize(("size", "needed", "idle"), [(8, False, ""), (7, True, "x")])
def test_a_condition_that_all_threads_meet_is_found(size, needed, idle):
    subject = subject_of(made_up(size, 2, 4), 4, size)
    text = FILE.format(tpb=4, size=size, blocks=2, constraints="")

    assert [(guard.text, guard.needed) for guard in guards(subject, text)] == [("i < size", needed)]
    assert idle_axes(subject) == idle


@pytest.mark.parametrize(("size", "blocks", "passes"), [(9, 3, True), (11, 3, False), (18, 6, False)])
def test_a_number_with_which_blocks_reach_every_element_is_found(size, blocks, passes):
    """Three blocks of four threads that begin three apart reach ten elements; six leave gaps."""
    subject = subject_of(made_up(size, blocks, 4), 4, size)
    text = FILE.format(tpb=4, size=size, blocks=blocks, constraints="")

    assert [stride.names[0] for stride in strides(subject, text)] == (["grid_dim.x"] if passes else [])


@pytest.mark.parametrize("puzzle", ["p06", "p07", "p11", "p12"])
def test_the_documented_launch_of_a_puzzle_has_coincidences(puzzle):
    """What the further launches are for; without them the next test would find nothing to refuse."""
    assert unexplained(replace(find_case(puzzle), further=()))


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_nothing_is_right_by_coincidence(entry):
    """No numbers are equal in all launches without a reason, and every condition keeps somebody out of some launch."""
    assert unexplained(entry) == ()


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_constants_of_the_catalogue_are_those_of_the_file(entry):
    """What an instance says of its file's constants is what the file, with what the launch changes, comes to."""
    for subject in views(entry):
        launches = {at.id: at for at in subject.case.sizes}
        for observation in subject.observations:
            known = launches[observation.launch].geometry(subject.width).constants
            values = {name: observation.values.get(name, known[name]) for name in known}
            assert values == dict(known)


@pytest.mark.slow
def test_the_table_has_a_row_for_each_mode():
    rows = coincidences_table().splitlines()

    assert [row.split(" | ")[0] for row in rows[2 : 2 + len(CASES)]] == [f"| `{entry.id}`" for entry in CASES]
    (blocks,) = (row for row in rows if row.startswith("| `p06` "))
    assert blocks.split(" | ")[1:3] == ["6 blocks of 4 threads, SIZE = 18", "x"]


def test_the_finest_unit_and_the_bound_of_numbers_are_powers_of_two():
    values = np.array([0.375, -5, 0, np.nan, np.inf], np.float32)

    assert exponents(values) == [(-3, 3)]
    assert exponents(np.zeros(2)) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16 * 1024", 16384),
        ("(SIZE + 4 - 1) // 4", 3),
        ("1 << log2_ceil(SIZE)", 16),
        ("ceildiv(SIZE, 4)", 3),
        ("(SIZE, 1)", (9, 1)),
        ("Float32(2.5)", None),
        ("row_major[SIZE]()", None),
        ("UNKNOWN + 1", None),
    ],
)
def test_an_expression_has_the_value_that_mojo_gives_it(text, value):
    assert evaluate(text, {"SIZE": "9"}) == value


def test_expressions_of_one_number_have_one_form():
    forms = Forms({"SIDE": "16", "BOTH": "SIDE * SIDE", "ALIAS": "SIDE", "OTHER": "16"})

    assert forms.of("BOTH") == forms.of("ALIAS * SIDE") != forms.of("OTHER * SIDE")
    assert forms.of("1 + SIDE") == forms.of("ALIAS + 1") != forms.of("SIDE - 1")


def test_what_a_file_says_of_a_function_is_read():
    text = FILE.format(tpb=4, size=4, blocks=2, constraints="There is one block.")
    function = function_of(text, "kernel")

    assert function.arguments == ("output", "a", "size_dev")
    assert function.shapes == {"output": (("SIZE",),), "a": (("SIZE",),)}
    assert function.constraints == "There is one block."
    assert list(stated(text)) == [
        *("TPB", "SIZE", "ROOM", "BLOCKS_PER_GRID", "THREADS_PER_BLOCK", "layout", "LayoutType")
    ]
    with pytest.raises(ValueError, match="no other"):
        function_of(text, "other")


def test_launches_of_a_kernel_are_read_under_the_name_that_stands_in_front():
    text = """
        comptime kernel = first[size]
        ctx.enqueue_function[kernel](a, grid_dim=(size, 2), block_dim=TPB)
        comptime kernel = second[size]
        ctx.enqueue_function[kernel](a, grid_dim=1, block_dim=(TPB, 1))
        ctx.enqueue_function[second[size, 1]](a, grid_dim=2, block_dim=3)
"""
    assert list(launch_texts(text, "first")) == [("(size, 2)", "TPB")]
    assert list(launch_texts(text, "second")) == [("1", "(TPB, 1)"), ("2", "3")]
