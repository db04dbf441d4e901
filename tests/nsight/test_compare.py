"""What Nsight Compute writes is read, and held against a profile."""

from __future__ import annotations

from tests.nsight.__main__ import compared, is_of, measured

WRITTEN = """==PROF== Connected to process 7
"ID","Kernel Name","Block Size","launch__registers_per_thread","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
"","","","register/thread","sector"
"0","p32_first_0a","(256, 1, 1)","12","1,024"
"1","p32_first_0a","(256, 1, 1)","12","2,048"
"2","p32_second","(256, 1, 1)","10","n/a"
==PROF== Disconnected from process 7
"""


def test_the_first_launch_of_each_kernel_is_read():
    found = measured(WRITTEN)

    assert found["p32_first_0a"] == {
        "launch__registers_per_thread": 12,
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 1024,
    }
    assert found["p32_second"] == {"launch__registers_per_thread": 10}


def _row(what: str, column: int, sectors: int) -> dict[str, object]:
    counts = dict.fromkeys(("requests", "passes", "conflicts"), 1)
    return {"file": "k.mojo", "line": 7, "column": column, "what": what, "sectors": sectors, **counts}


def test_figures_that_both_have_are_held_against_each_other():
    rows = [_row("global load", 5, 1000), _row("global load", 9, 24), _row("shared store", 2, 0)]
    figures = measured(WRITTEN)["p32_first_0a"]

    assert compared({"rows": rows, "resources": {"registers": 17}}, figures) == [
        ("global load sectors", 1024, 1024, ""),
        ("registers", 17, 12, "differs"),
    ]


def test_asynchronous_copies_may_be_counted_apart():
    """They are a load and a store at one place."""
    copied = [_row("global load", 5, 2048), _row("shared store", 5, 0)]
    figures = measured(WRITTEN)["p32_first_0a"]

    def verdict(more: int) -> str:
        return compared({"rows": [*copied, _row("global load", 9, more)], "resources": None}, figures)[0][3]

    assert [verdict(1024), verdict(1000)] == ["the same without asynchronous copies", "differs"]


def test_a_long_name_may_be_cut():
    assert is_of("p35_aligned_kernel_0a1b", "aligned_kernel")
    assert is_of("patterns_pairs_shared_b_0a1b", "pairs_shared_by_two")
    assert is_of("p32___init___no_conflict_kerne6A6A6A6A_7c5e", "no_conflict_kernel")
    assert is_of("p35___init___aligned_kernel6A6A6A6AoA6A6A_7c5e", "aligned_kernel")
    assert is_of("p35___init___unaligned_kernel6A6A6A6AoA_7c5e", "unaligned_kernel")
    assert not is_of("p35___init___unaligned_kernel6A6A6A6AoA_7c5e", "aligned_kernel")
    assert not is_of("p35_aligned_kernel_0a1b", "unaligned_kernel")
    assert not is_of("p35_unaligned_kernel_0a1b", "aligned_kernel")
    assert not is_of("p32_two_way_0a1b", "words_two_apart")
