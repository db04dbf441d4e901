"""NVIDIA's special registers beside the geometry: shared memory, clocks, and what no driver sets here."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics

pytestmark = pytest.mark.slow  # together they take seconds

SREG = "llvm.nvvm.read.ptx.sreg."
# Registers of the PTX ISA that count events of the hardware, which a simulator does not have.
REFUSED = {f"pm{number}{width}" for number in range(8) for width in ("", "_64")}
AXES = [f".{axis}" for axis in "xyzw"]
# The special registers that section 10 of the PTX ISA lists, in its order, but for those refused.
LISTED = [
    *(f"{name}{axis}" for name in ("tid", "ntid") for axis in AXES),
    *("laneid", "warpid", "nwarpid"),
    *(f"{name}{axis}" for name in ("ctaid", "nctaid") for axis in AXES),
    *("smid", "nsmid", "gridid"),
    *(f"{name}{axis}" for name in ("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid") for axis in AXES),
    *("cluster_ctarank", "cluster_nctarank"),
    *(f"lanemask_{word}" for word in ("eq", "le", "lt", "ge", "gt")),
    *("clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"),
    *(f"envreg{number}" for number in range(32)),
    *(f"reserved_smem_offset_{word}" for word in ("begin", "end", "cap", "0", "1")),
    *("total_smem_size", "aggr_smem_size", "dynamic_smem_size", "current_graph_exec"),
]
WIDE = {"clock64", "globaltimer", "gridid", "current_graph_exec"}
STATIC_BYTES = 100
STATIC = f"@s = internal addrspace(3) global [{STATIC_BYTES} x i8] undef, align 4\n"
TOUCH = "  store i8 1, ptr addrspace(3) @s, align 1\n"


def launch(call, bits=32, *, target="nvidia:sm_90", static=False, engine="auto", cluster=1, **more):
    """Run one thread that stores what a call gives; return that and the launch."""
    out = np.zeros(1, np.int64)
    text = f"""target triple = "nvptx64-nvidia-cuda"
{STATIC if static else ""}declare i{bits} @{SREG}{call}()
define ptx_kernel void @k(ptr %o) {{
{TOUCH if static else ""}  %r = call i{bits} {call if " " in call else f"@{SREG}{call}()"}
  store i{bits} %r, ptr %o, align 8
  ret void
}}
"""
    text = text.replace(f"declare i{bits} @{SREG}{call}()\n", "") if " " in call else text
    result = simt.launch(
        text,
        target=target,
        grid=cluster,
        block=1,
        cluster=cluster,
        args=[out],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
        **more,
    )
    return int(out[0]), result


def moved(register, bits=32):
    """The assembly that moves a register."""
    return f'asm sideeffect "mov.u{bits} $0, %{register};", "={"l" if bits == 64 else "r"}"()'


def read(call, bits=32, **more):
    """What a call gives; the launch must be clean."""
    value, result = launch(call, bits, **more)
    assert result.verdict == "clean", (result.fault, result.findings)
    assert more.get("engine") != "native" or result.engine.native, result.engine.why
    return value


@pytest.mark.parametrize("register", LISTED)
def test_each_special_register_has_a_value(register):
    read(moved(register, 64 if register in WIDE else 32))


@pytest.mark.parametrize("register", sorted(REFUSED))
def test_a_performance_counter_is_refused_by_name(register):
    _, result = launch(moved(register, 64 if "_" in register else 32))
    assert result.verdict == "incomplete"
    assert f"%{register}" in str(result.fault)


SHARED = [
    # target, static bytes, dynamic bytes: total, reserved begin, reserved end
    ("sm_90", False, 0, 0, 0, 1024),
    ("sm_90", True, 0, 128, 0, 1024),
    ("sm_90", True, 64, 256, 0, 1024),
    ("sm_90", False, 129, 256, 0, 1024),
]
OLDER = [
    ("sm_80", True, 64, 256, 256, 1280),
    ("sm_86", False, 128, 128, 128, 1152),
    ("sm_75", True, 28, 256, 256, 256),
    ("sm_60", False, 257, 512, 512, 512),
]
SHARED += [pytest.param(*row, marks=pytest.mark.simulated) for row in OLDER]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(("gpu", "static", "dynamic", "total", "begin", "end"), SHARED)
def test_registers_tell_the_size_of_shared_memory(gpu, static, dynamic, total, begin, end, engine):
    """In allocation units, as the tables of the PTX ISA and of the CUDA guide have them."""
    how = {"target": f"nvidia:{gpu}", "static": static, "dynamic_shared_bytes": dynamic, "engine": engine}
    asked = STATIC_BYTES * static + dynamic
    names = {
        "dynamic_smem_size": dynamic,
        "total_smem_size": total,
        "aggr_smem_size": asked + end - begin,  # as an H200 has it
        "reserved_smem_offset_begin": begin,
        "reserved_smem_offset_0": begin,
        "reserved_smem_offset_cap": end,
    }
    for name, expected in names.items():
        assert read(moved(name), **how) == expected, name
        if f"{SREG}{name}" in all_intrinsics():
            assert read(name, **how) == expected, name


@pytest.mark.simulated
@pytest.mark.parametrize(("register", "expected"), [("end", 1024), ("1", 0)])
def test_the_whole_of_the_reserved_region_is_taken(register, expected):
    """How much of it a driver uses, and for what, is its own affair."""
    assert read(moved(f"reserved_smem_offset_{register}")) == expected


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        pytest.param("gridid", 1, marks=pytest.mark.simulated),
        ("current_graph_exec", 0),
        *(pytest.param(f"envreg{number}", 0, marks=pytest.mark.simulated) for number in (0, 31)),
        *((f"{name}.w", 0) for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid")),
        *((f"cluster_{name}.w", 0) for name in ("ctaid", "nctaid")),
    ],
)
def test_registers_without_hardware_behind_them(register, expected):
    """By their intrinsics too, where LLVM has one; machine code reads them as well."""
    wide = 64 if register in WIDE else 32
    assert read(moved(register, wide), wide, engine="native") == expected
    spelled = register.replace("cluster_", "cluster.")
    if f"{SREG}{spelled}" in all_intrinsics():
        assert read(spelled, engine="native") == expected


ALL_REGISTERS = sorted(name.removeprefix(SREG) for name in all_intrinsics() if name.startswith(SREG))


@pytest.mark.simulated
@pytest.mark.parametrize("name", [name for name in ALL_REGISTERS if name.startswith("envreg")])
def test_each_environment_register_reads_zero(name):
    assert read(name) == 0


@pytest.mark.simulated
def test_the_halves_of_a_clock_are_those_of_the_whole():
    """They begin near 0, so the upper half is 0, and the lower half is the clock itself."""
    for low, high, whole in (("clock", "clock_hi", "clock64"), ("globaltimer_lo", "globaltimer_hi", "globaltimer")):
        assert read(moved(high)) == 0
        assert read(moved(low)) == read(moved(whole, 64), 64)
    assert read("globaltimer.lo") == read("globaltimer", 64)


@pytest.mark.parametrize(("blocks", "expected"), [(1, 0), (2, 1)])
def test_a_cluster_is_explicit_where_it_has_more_than_one_block(blocks, expected):
    text = "{ .reg .pred p; mov.pred p, %is_explicit_cluster; selp.b32 $0, 1, 0, p; }"
    assert read(f'asm sideeffect "{text}", "=r"()', cluster=blocks) == expected
