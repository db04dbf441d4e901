"""GPUs, the tensors that lie on them, and arrays made for them; by stand-ins."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

import harness
from harness import api
from harness.backends import in_process
from harness.backends.devices import Device
from harness.backends.protocol import Ready
from harness.build.graphs import Graphs
from harness.cases import pipeline
from harness.errors import ArtifactError, EnvironmentFault, LaunchFault, UsageError
from harness.model.target import Target
from tests import compiled

# No documented data: fractions, negative numbers, another order.
DATA = np.random.default_rng(15).normal(size=(4, 6)).astype(np.float32)
SM_90 = Target.parse("nvidia:sm_90")


class Gpu:
    """An engine of one GPU that computes nothing; `fault` is raised at synchronisation."""

    def __init__(self, number, architecture="sm_90", fault=None):
        self.number, self.fault, self.phase = number, fault, "start"
        self.ready = Ready("Fake GPU", "cuda", architecture)
        self.adopted = []

    def execute(self, order, fill):
        self.phase = "synchronize"
        raise RuntimeError("Failed to execute") from RuntimeError(self.fault + "\nhow to debug")

    def adopt(self, tensor):
        if isinstance(tensor.made, Exception):
            raise tensor.made
        return tensor.made


class Tensor:
    """A tensor of a GPU, and what an engine makes of it."""

    shape = (4, 6)

    def __init__(self, made, shape=(4, 6), contiguous=True, gpu=0):
        self.made, self.shape, self.contiguous, self.gpu = made, shape, contiguous, gpu

    def is_contiguous(self):
        return self.contiguous

    def __dlpack_device__(self):
        return (2, self.gpu)


@pytest.fixture
def gpus(monkeypatch, tmp_path):
    """A machine with two GPUs, and artifacts that nobody reads."""
    present = [Device("Fake GPU", SM_90, number) for number in (0, 1)]
    monkeypatch.setattr(pipeline.devices, "discover", lambda: present)
    artifact = compiled.references().artifacts["p15"]
    built = Graphs({"p15": dataclasses.replace(artifact, mef=tmp_path / "none")})
    monkeypatch.setattr(api, "build_graphs", lambda *_, **__: built)
    engines = {number: Gpu(number, fault="CUDA call failed: CUDA_ERROR_ILLEGAL_ADDRESS") for number in (0, 1)}
    monkeypatch.setattr(in_process, "_engines", dict(engines))
    monkeypatch.setattr(in_process, "_lost", {})
    return engines


def test_a_fault_takes_the_device_with_it(gpus):
    """Its error names case, kernel, cause and phase; the other GPU and the simulator remain."""
    with pytest.raises(LaunchFault, match=r"p15: axis_sum: CUDA.*ILLEGAL_ADDRESS \(phase: synchronize\)$"):
        harness.run("p15", DATA)
    with pytest.raises(EnvironmentFault, match=r"lost its GPU to an earlier fault \(p15: axis_sum: .*\); restart it"):
        harness.run("p15", DATA)
    with pytest.raises(EnvironmentFault, match="restart it"):
        harness.empty(4)
    assert in_process.get_engine(1) is gpus[1]
    assert harness.run("p15", DATA, backend="simulator").problems == ()


def test_a_device_that_does_not_fit_is_refused(gpus):
    """MAX may count its devices otherwise than the driver does."""
    in_process._engines[0] = Gpu(0, "sm_80")
    with pytest.raises(ArtifactError, match=r"artifacts are for nvidia:sm_90, but the device is Fake GPU \(sm_80\)"):
        harness.run("p15", DATA)


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (Tensor(None, shape=(6, 4)), r"input a has shape \(6, 4\)"),
        (Tensor(None, contiguous=False), "input a does not lie contiguously on its device"),
        (Tensor(BufferError("it requires grad.\nmore")), "input a cannot be used in place: it requires grad\\.$"),
    ],
)
def test_tensors_that_cannot_stay_on_their_device(gpus, tensor, said):
    with pytest.raises(UsageError, match=said):
        harness.run("p15", tensor)


def test_a_tensor_of_another_type_is_not_converted_there(gpus):
    from max.driver import Buffer

    with pytest.raises(UsageError, match="input a is float64, but the case takes float32: convert it there"):
        harness.run("p15", Tensor(Buffer.from_numpy(np.zeros((4, 6)))))


def test_a_tensor_of_another_gpu_is_refused(gpus):
    """Compiled graphs run on the first that the process sees, and it is said how to make it the first."""
    with pytest.raises(UsageError, match=r"GPU 1 cannot be used here.*set CUDA_VISIBLE_DEVICES=1 before Python starts"):
        harness.run("p15", Tensor(None, gpu=1))
    assert (gpus[0].phase, gpus[1].phase) == ("start", "start")


def test_the_simulator_takes_no_tensor_of_a_gpu():
    with pytest.raises(UsageError, match="lies on a GPU"):
        harness.run("p15", Tensor(None), backend="simulator")


def test_engines_take_tensors_where_they_lie():
    """Without a copy; the producer is told the queue. MAX's own buffers go through as they are."""
    engine = in_process.get_engine(None)
    asked = []

    class Producer:
        def __dlpack__(self, **options):
            asked.append(options)
            return DATA.copy().__dlpack__(**options)

        def __dlpack_device__(self):
            return (1, 0)

    buffer = engine.adopt(Producer())
    np.testing.assert_array_equal(np.from_dlpack(buffer), DATA)
    assert [set(options) >= {"stream"} for options in asked] == [True]
    assert engine.adopt(buffer) is buffer


def test_an_engine_that_does_not_start(monkeypatch):
    monkeypatch.setattr(in_process, "_engines", {})
    monkeypatch.setitem(sys.modules, "harness.backends.engine", None)
    with pytest.raises(EnvironmentFault, match="the MAX engine does not start here"):
        harness.run("p15", DATA, backend="cpu")


@pytest.mark.parametrize(("shape", "extents"), [(5, (5,)), ((2, 3), (2, 3)), ([4], (4,)), ((), ()), ((0, 3), (0, 3))])
def test_empty_arrays_without_a_gpu(shape, extents):
    for dtype in (np.float32, "float16", np.int32, np.uint8):
        array = harness.empty(shape, dtype)
        assert (array.shape, array.dtype, array.flags.writeable) == (extents, np.dtype(dtype), True)


def test_empty_arrays_of_the_staging(gpus):
    """Where there is a GPU its engine makes them; nothing is made of no elements."""

    class Staging:
        @staticmethod
        def empty(shape, dtype):
            return np.full(shape, 7, dtype)

    gpus[0].staging = Staging
    assert harness.empty((2, 2)).tolist() == [[7, 7], [7, 7]]
    assert harness.empty((0, 2)).shape == (0, 2)


@pytest.mark.parametrize(
    ("shape", "dtype", "said"),
    [
        (-1, np.float32, r"no array of shape \(-1,\)"),
        (2.5, np.float32, "no array of shape 2.5"),
        ("12", np.float32, "no array of shape '12'"),
        (2, "float31", "float31"),
        (2, object, "real numbers"),
        (2, np.complex64, "real numbers"),
    ],
)
def test_empty_arrays_that_cannot_be(shape, dtype, said):
    with pytest.raises(UsageError, match=said):
        harness.empty(shape, dtype)


def test_an_empty_array_beyond_all_memory():
    with pytest.raises(EnvironmentFault, match="no memory for an array"):
        harness.empty(2**60)
