"""Each operator changes what a newcomer might write otherwise, and nothing else."""

from __future__ import annotations

import pytest

from harness.catalogue import CASES
from harness.model.sources import Sources
from tests.mutants.source_operators import OPERATORS, edits

TEXT = '''"""A text with block_dim.x in it."""

from max.gpu import block_dim, block_idx, thread_idx

comptime TPB = 8
comptime SIZE = 6
comptime BLOCKS = (2, 1)
comptime dtype = DType.float32


def other(a: Int):
    var size = a


def kernel[
    rows: Int
](output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin], a: UnsafePointer[Scalar[dtype]], size_dev: Int32):
    """Writes thread_idx.x.

    Args:
        output: if size < TPB.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    BODY
'''


def made(body, operator=""):
    text = TEXT.replace("BODY", body)
    found = list(edits(text, ("kernel",)))
    last = text.splitlines().index("    var row = thread_idx.y") + 1
    return [edit for edit in found if edit.line > last and operator in ("", edit.operator)]


def names(body, operator):
    return [edit.name.partition(": ")[2] for edit in made(body, operator)]


def test_a_quantity_becomes_each_other_one_of_its_class_that_is_in_scope():
    others = names("var here = thread_idx.x + TPB", "quantity")

    assert [name for name in others if name.startswith("thread_idx.x")] == [
        *(f"thread_idx.x -> {name}" for name in ("thread_idx.y", "block_idx.x", "block_idx.y"))
    ]  # `row` is another name of `thread_idx.y`, and comes to the same
    assert [name for name in others if name.startswith("TPB")] == [
        *(
            f"TPB -> {name}"
            for name in ("block_dim.x", "block_dim.y", "grid_dim.x", "grid_dim.y", "SIZE", "rows", "size")
        ),
    ]  # BLOCKS is a pair, and `other` has a size of its own


def test_what_a_block_declares_ends_with_it_and_is_not_there_before():
    body = "if row < size:\n        var inner = row + 1\n        output[inner] = 0\n    output[row] = 0"
    lines = {(edit.line, edit.new) for edit in made(body, "quantity") if edit.new == "inner"}

    assert len(lines) == 0  # in its own line it is not there yet, and behind the block no more
    assert "inner -> thread_idx.x" in names(body, "quantity")


@pytest.mark.parametrize(
    ("body", "old"),
    [
        ("var shared = stack_allocation[dtype=dtype](row_major[TPB]())", "TPB"),
        ("comptime half = TPB // 2", "TPB"),
        ("output.store[width=TPB](row, 0)", "TPB"),
    ],
)
def test_where_the_compiler_must_know_a_number_only_constants_stand(body, old):
    assert {name for name in names(body, "quantity") if name.startswith(old)} == {f"{old} -> SIZE", f"{old} -> rows"}


def test_keywords_targets_and_data_are_no_quantities():
    assert names("var value = a[0]\n    value = size_of(size=value)\n    output.size = value", "quantity") == []


def test_a_guard_is_always_true_or_lacks_a_clause():
    assert names("if row < size and row > 0:\n        output[row] = 0", "guard") == [
        "row < size and row > 0 -> True",
        "row < size and row > 0 -> row > 0",
        "row < size and row > 0 -> row < size",
    ]
    assert names("output[row] = a[row] if row < size else 0", "guard") == ["row < size -> True"]
    assert names("while row < size:\n        pass", "guard") == []


def test_what_an_else_or_elif_does_is_left_out():
    body = (
        "if row < 1:\n        pass\n    elif row < 2:\n        output[0] = 1\n        output[1] = 1\n"
        "    else:\n        output[2] = 1"
    )
    first, second = made(body, "else")

    assert "    elif row < 2:\n        pass\n\n    else:\n        output[2] = 1" in first.text
    assert second.text.endswith("    else:\n        pass\n")


def test_a_bound_is_taken_in_or_left_out_and_a_range_ends_elsewhere():
    assert names("if row <= size:\n        pass", "bound") == ["<= -> <"]
    assert names("while row > 0:\n        pass", "bound") == ["> -> >="]
    assert names("for i in range(1, size, 2):\n        pass", "bound") == ["size -> size - 1", "size -> size + 1"]


def test_indices_are_transposed():
    assert names("output[row, 0] = a[row]", "transposed") == ["row, 0 -> 0, row"]
    assert names("var t = output.tile[TPB, SIZE](row, 0)", "transposed") == ["row, 0 -> 0, row"]
    body = "var col = thread_idx.x\n    a[row * size + col] = 0"
    assert names(body, "transposed") == ["row * size + col -> col * size + row"]
    assert names("var shared = row_major[TPB, SIZE]()", "transposed") == []


def test_what_a_mutant_needs_is_imported_and_no_line_moves():
    grid = next(edit for edit in made("output[row] = TPB") if edit.new == "grid_dim.x")

    assert "from max.gpu import grid_dim, block_dim, block_idx, thread_idx\n" in grid.text
    for edit in made("output[row] = TPB"):
        assert len(edit.text.splitlines()) == len(TEXT.splitlines())
        assert edit.text.count('"""') == 4 and "output: if size < TPB." in edit.text


def test_a_probe_compares_the_whole_sum_around_a_quantity():
    """And a constant for a constant needs none: the code is the same or it is not."""
    edit = next(edit for edit in made("output[TPB * row + thread_idx.x] = 0") if edit.new == "block_dim.y")
    probe = "output[_agree(TPB * row + thread_idx.x, block_dim.y * row + thread_idx.x)] = 0"

    assert probe in edit.probe and "def _agree(" in edit.probe and edit.decided
    constant = next(edit for edit in made("output[TPB] = 0") if edit.new == "SIZE")
    assert constant.constants and not constant.probe


def test_which_threads_come_by_is_decided_by_quantities_or_by_data():
    by_data = "if a[row] > 0:\n        output[row] = 1"

    assert not made(by_data)[0].decided
    assert made("if row > 0:\n        output[row] = 1")[0].decided


@pytest.mark.slow
def test_every_solution_has_mutants_and_all_operators_are_of_use():
    used = set()
    for entry in CASES:
        text = Sources().kernel_file(entry.simulated).read_text(encoding="utf-8")
        found = list(edits(text, entry.functions))
        used |= {edit.operator for edit in found}
        assert found, entry.id
        assert all(len(edit.text.splitlines()) == len(text.splitlines()) for edit in found)
    assert used == set(OPERATORS)
