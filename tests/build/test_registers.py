"""Registers of kernels: NVIDIA's from its own compiler, AMD's from the assembly."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.build import registers, sdk
from harness.build.cache import Cache
from harness.build.registers import find_resources
from harness.errors import EnvironmentFault
from harness.model.occupancy import Resources

HEAD = ".version 8.5\n.target sm_90a\n.address_size 64\n"
COUNT = 40


def _ptx(name: str, most: int | None = None) -> str:
    """A kernel with 1 KiB of shared memory and many values alive at once: volatile loads stay where they are."""
    loads = "".join(f"ld.volatile.global.f32 %f{n}, [%rd1+{4 * n}];\n" for n in range(COUNT))
    stores = "".join(f"st.volatile.global.f32 [%rd1+{4 * n}], %f{COUNT - 1 - n};\n" for n in range(COUNT))
    bound = f".maxnreg {most}" if most else ""
    return (
        f".visible .entry {name}(.param .u64 p) {bound}\n{{\n.reg .f32 %f<{COUNT}>;\n.reg .b64 %rd<2>;\n"
        ".shared .align 4 .b8 cells[1024];\nst.volatile.shared.f32 [cells], 0f00000000;\n"
        f"ld.param.u64 %rd1, [p];\n{loads}{stores}ret;\n}}\n"
    )


AMD = """
  - .agpr_count:     0
    .args:
      - .name:           a
        .offset:         0
    .group_segment_fixed_size: 2048
    .name:           first
    .private_segment_fixed_size: 16
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         first.kd
    .vgpr_count:     70
    .vgpr_spill_count: 3
    .wavefront_size: 64
  - .agpr_count:     4
    .group_segment_fixed_size: 0
    .name:           second
    .sgpr_count:     20
    .vgpr_count:     8
    .vgpr_spill_count: 0
amdhsa.target:   amdgcn-amd-amdhsa-unknown-gfx942
"""


def test_registers_of_amd_stand_in_the_assembly():
    (found,) = find_resources([AMD])

    assert found == {"first": Resources(70, 14, 12, 2048), "second": Resources(8, 20, 0, 0)}


@pytest.mark.slow
def test_registers_of_nvidia_are_those_of_its_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each of 40 values has one; with fewer than that some are spilled. What is known is not asked for again."""
    text, cache = HEAD + _ptx("roomy") + _ptx("tight", 24), Cache(tmp_path)
    (found,) = find_resources([text], cache)

    assert found["roomy"].registers >= COUNT and found["roomy"].spilled_bytes == 0
    assert found["tight"].registers <= 24 and found["tight"].spilled_bytes > 0
    assert {taken.shared_bytes for taken in found.values()} == {1024}
    monkeypatch.setattr(registers, "_compile_in_sandbox", lambda texts: pytest.fail("asked again"))
    assert find_resources([text], cache) == [found]


@pytest.mark.slow
def test_what_the_compiler_refuses_has_none(tmp_path: Path):
    assert find_resources([HEAD + ".visible .entry wrong() { nothing; }\n", "; of Apple's"], Cache(tmp_path)) == [
        {},
        {},
    ]


def test_where_the_compiler_is_not_here_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> Path:
        raise EnvironmentFault(f"there is no {name}.so in /nowhere.")

    monkeypatch.setattr(sdk, "find_shared_library", missing)
    with pytest.raises(EnvironmentFault, match=r"there is no libNVPTX\.so"):
        find_resources([HEAD + _ptx("roomy")], Cache(tmp_path))
