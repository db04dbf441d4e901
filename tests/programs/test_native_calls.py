"""Calls of host functions on a GPU, with a library and a driver of ours in the place of a real one's."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

from harness.backends.base import Request
from harness.build import toolchain
from harness.build.cache import Blob
from harness.build.hosts import HostLibrary
from harness.cases.check import judge
from harness.catalogue import find_case
from harness.errors import EnvironmentFault
from harness.model.case import ExpectedLaunch, HostStep
from harness.model.target import Target
from harness.process.child import Child
from harness.programs.native_calls import NativeCalls
from tests.processes import import_path

SM_90 = Target.parse("nvidia:sm_90")
# Doubles on the processor what it is given; by its number it writes over a guard, raises an error, or ends the process.
LIBRARY = """
from std.ffi import external_call


def table[T: AnyType](address: Int) -> Pointer[T, MutAnyOrigin]:
    return Pointer[T, MutAnyOrigin](unsafe_from_address=address)


@export("harness_call", ABI="C")
def harness_call(which: Int, address: Int) -> Int:
    var output = table[Float32](table[Int](address)[unsafe_offset=2])
    var a = table[Float32](table[Int](address)[unsafe_offset=3])
    if which == 2:
        table[UInt8](table[Int](address)[unsafe_offset=0])[unsafe_offset=0] = 88
        return 1
    if which == 3:
        external_call["_exit", NoneType](Int32(9))
    for i in range(4):
        output[unsafe_offset=64 + i] = 2 * a[unsafe_offset=64 + i]
    if which == 1:
        output[unsafe_offset=63] = 0
    return 0


@export("harness_time", ABI="C")
def harness_time(which: Int, address: Int, times: Int) -> Int:
    return 7000 * times
"""
DRIVER = """
from types import SimpleNamespace

class LaunchTraceEntry:
    OperationKind = SimpleNamespace(KERNEL_LAUNCH=0)

def Accelerator():
    pass

def begin_launch_trace():
    pass

def take_launch_trace():
    launch = dict(kind=0, name="file_twice_1a2b", grid_x=1, grid_y=1, grid_z=1, block_x=4, block_y=1, block_z=1)
    return [SimpleNamespace(**launch), SimpleNamespace(kind=1)]
"""
DOUBLED = replace(
    find_case("p01"),
    steps=(HostStep("double", "output a", launches=(ExpectedLaunch("twice", block=4),)),),
    oracle=lambda inputs, _: {"output": 2 * inputs["a"].astype(np.float64)},
    claims=(),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Blob:
    folder = tmp_path_factory.mktemp("library")
    (folder / "calls.mojo").write_text(LIBRARY)
    out = folder / "calls.so"
    toolchain.build_executable(folder / "calls.mojo", "sm_90", out, defines={}, includes=[], library=True)
    return Blob(out, zlib.compress(out.read_bytes()))


@pytest.fixture
def driver(tmp_path, monkeypatch) -> None:
    """In the place of MAX's: its trace has one launch."""
    package = tmp_path / "max"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "driver.py").write_text(DRIVER)
    monkeypatch.setenv("PYTHONPATH", import_path(tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(
    ("number", "verdict", "reason"),
    [
        (0, "PASS", ""),
        (1, "MISMATCH", "output"),
        (2, "LAUNCH_ERROR", "double raised an error: X"),
        (3, "LAUNCH_ERROR", "double did not return: its process ended with status 9"),
    ],
)
def test_what_a_call_leaves_is_judged(library, driver, number, verdict, reason):
    backend = NativeCalls(SM_90, {DOUBLED.id: {0: HostLibrary(library, number)}}, 0, "a GPU")
    instance = DOUBLED.instance(32)
    for dataset in instance.datasets[:2]:
        request = Request(case=DOUBLED, instance=instance, dataset=dataset, repeats=2)
        report = judge(request, backend.launch(request))

        assert report.verdict == verdict, report.reason
        assert reason in report.reason


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_calls_in_a_row_are_timed(library, driver):
    """What one of them takes, in microseconds, for each batch; a call that fails is no timing, and says why."""
    right, wrong = (NativeCalls(SM_90, {DOUBLED.id: {0: HostLibrary(library, at)}}, 0, "a GPU") for at in (0, 2))

    assert right.timed(DOUBLED, batches=3, calls=10) == [7.0, 7.0, 7.0]
    with pytest.raises(EnvironmentFault, match="p01: double raised an error: X"):
        wrong.timed(DOUBLED, batches=3, calls=10)


@pytest.mark.parametrize(
    ("target", "variables"),
    [
        ("nvidia:sm_90", {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "3"}),
        ("amd:gfx942", {"HIP_VISIBLE_DEVICES": "1"}),
        ("apple:apple-m4", {}),
    ],
)
def test_the_process_of_a_call_sees_its_gpu_alone(tmp_path, monkeypatch, target, variables):
    """Its GPU is the second of those that this process sees, along the bus for NVIDIA's; Apple's is the only one."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2, 3")
    monkeypatch.delenv("HIP_VISIBLE_DEVICES", raising=False)
    environments = []

    def start(child, command, environment):
        environments.append(environment)
        raise EnvironmentFault("nothing is started.")

    monkeypatch.setattr(Child, "start", start)
    library = HostLibrary(Blob(tmp_path / "calls.so", zlib.compress(b"")), 0)
    backend = NativeCalls(Target.parse(target), {DOUBLED.id: {0: library}}, 1, "a GPU")
    with pytest.raises(EnvironmentFault, match="nothing is started"):
        backend.timed(DOUBLED, batches=1, calls=1)

    assert {name: value for name, value in environments[0].items() if name.endswith(("DEVICES", "ORDER"))} == variables
