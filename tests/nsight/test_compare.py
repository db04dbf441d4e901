"""What Nsight Compute writes is read, and held against a profile."""

from __future__ import annotations

from tests.nsight.__main__ import compared, measured

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


def test_figures_that_both_have_are_held_against_each_other():
    rows = [
        {"what": "global load", "sectors": 1000, "requests": 1},
        {"what": "global load", "sectors": 24, "requests": 1},
    ]
    profile = {"rows": rows, "resources": {"registers": 14}}

    assert compared(profile, measured(WRITTEN)["p32_first_0a"]) == [
        ("global load sectors", 1024, 1024),
        ("registers", 14, 12),
    ]
