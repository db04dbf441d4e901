"""Ten programs that are compiled; `tests/report/test_acceptances.py` has more kinds of acceptances, of none that is."""

from __future__ import annotations

import re

import pytest

from harness.build import toolchain
from harness.cli.main import main

pytest_plugins = ["pytester"]

RACE = "race.shared.write-read"
REAL = """from max.gpu import barrier, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation


def shift(output: UnsafePointer[Int32, MutAnyOrigin]):
    var i = thread_idx.x
    var cache = stack_allocation[dtype=DType.int32, address_space=AddressSpace.SHARED](row_major[64]())
    cache[i] = Int32(i + {number})
    barrier()
    output[i] = rebind[Int32](cache[(i + 1) % 64])


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](64)
        ctx.enqueue_function[shift](output, grid_dim=1, block_dim=64)
        with output.map_to_host() as host:
            print(host[0])
"""
ACCEPTED = f"# puzzles: accept {RACE}: nobody waits here\n    cache[i]"


def real(folder, names):
    """Ten programs that compile; those of `names` lack their barrier, and the first three are accepted all the same."""
    for number in range(10):
        text = REAL.format(number=number)
        if number in names:
            text = text.replace("    barrier()\n", "")
        if number in (1, 2, 3):
            text = text.replace("cache[i]", ACCEPTED, 1)
        (folder / "kernels" / f"k{number}.mojo").write_text(text)


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_same_holds_of_ten_programs_that_are_compiled(tmp_path, monkeypatch, capfd, pytester):
    """Green with three accepted, red with a fourth, the stale one named after one is mended; the same in pytest."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels").mkdir()
    simulated = ["--target", "nvidia", "--backend", "simulator"]
    for names, code, accepted in (((1, 2, 3), 0, 3), ((1, 2, 3, 4), 1, 3), ((2, 3, 4), 1, 2)):
        real(tmp_path, names)

        assert main(["exec", "kernels", *simulated]) == code
        err = capfd.readouterr().err
        assert f"accepted: {accepted} findings" in err and err.count("1 error, 0 warnings") == code
        assert ("accepted no longer: kernels/k1.mojo:12: " in err) == (1 not in names)
        assert not code or re.search(r"at kernels/k4.mojo:11:\d+", err)
    done = pytester.runpytest_inprocess("-p", "harness.pytest_plugin", "--mojo", str(tmp_path / "kernels"), *simulated)
    done.assert_outcomes(passed=9, failed=1)
    assert "accepted: 2 findings" in done.outlines and "k1.mojo:12: " in done.stdout.str()
