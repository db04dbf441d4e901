"""The process of a simulated program, with LLVM IR in the place of what the compiler makes; what breaks around it."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Blob, Cache
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from harness.programs import Execution, Options
from harness.programs.compile import Compiled
from harness.programs.simulated import simulated
from harness.programs.streams import open_kept_streams

HOST = """; of this machine

define i32 @main(i32 %count, ptr %arguments) {
  ret i32 5
}
"""


@pytest.fixture
def notices() -> list[str]:
    """Whatever the cache has told."""
    return []


@pytest.fixture
def program(tmp_path, notices) -> Compiled:
    """A program without kernels that ends with status 5; its cache cannot be written."""
    (tmp_path / "cache").write_text("no folder")

    def blob(name: str, data: bytes) -> Blob:
        (tmp_path / name).write_bytes(data)
        return Blob(tmp_path / name, data)

    host, kernels = blob("host", zlib.compress(HOST.encode())), blob("kernels", b"{}")
    cache = Cache(tmp_path / "cache", notices.append)
    return Compiled(Path("x.mojo"), Target.parse("nvidia:sm_90"), host, kernels, cache)


def run(program: Compiled) -> tuple[Execution, bytes]:
    """How it ended, and what its stderr got."""
    with open_kept_streams() as held:
        return simulated(program, (), LaunchPlan(program.target, "simulator"), Options(), held.streams), held.errors()


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_result_stands_though_its_machine_code_cannot_be_kept(program, notices):
    execution, errors = run(program)

    assert (execution.status, execution.verdict, errors) == (5, "MISMATCH", b"")
    assert len(notices) == 1 and notices[0].startswith("cannot write to the cache")


def test_a_fault_of_the_harness_before_the_program_begins_is_not_the_programs(program, notices):
    program.kernels.path.unlink()

    with pytest.raises(RuntimeError, match=r"(?s)^the simulated device broke:.*FileNotFoundError"):
        run(program)
