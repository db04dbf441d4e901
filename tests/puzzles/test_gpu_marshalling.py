"""On a GPU: what goes up comes down, from 4 bytes to a gibibyte, and tensors stay where they lie."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import harness
from harness.backends import devices, in_process
from harness.backends.protocol import Around
from harness.backends.staging import CHUNK_BYTES, LEAST_BYTES
from harness.build.around import COMPARED, DIFFERING
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.catalogue import find_case
from harness.errors import UsageError
from harness.model.sources import ROOT

pytestmark = pytest.mark.gpu

TYPES = (np.float32, np.float16, np.int32, np.uint8)
# Bytes: small, odd, around what changes the way, and large enough to overlap.
SIZES = (
    4,
    12,
    4096,
    LEAST_BYTES - 4,
    LEAST_BYTES,
    2**20 + 12,
    CHUNK_BYTES - 4,
    CHUNK_BYTES,
    CHUNK_BYTES + 4,
    3 * CHUNK_BYTES,
    3 * CHUNK_BYTES + 4,
    7 * CHUNK_BYTES + 12345 * 4,
    2**30,
    2**30 + 4,
)
# The largest once, or the suite would spend its time on making them.
WAYS = [(size, dtype) for size in SIZES for dtype in TYPES if size < 2**30 or dtype is np.float32]
DATA = np.random.default_rng(15).normal(size=(4, 6)).astype(np.float32)
SUMS = DATA.astype(np.float64).sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def engine():
    """This process's engine on the first GPU that MAX drives."""
    present = [device for device in devices.discover() if device.target.max_can_build]
    if not present:
        pytest.skip("no GPU that MAX drives on this machine")
    return in_process.get_engine(present[0].index)


@cache
def words() -> np.ndarray:
    """As many bytes as the largest size has."""
    values = np.arange(SIZES[-1] // 4, dtype=np.uint32)
    values *= np.uint32(2654435761)  # Knuth's multiplicative hash: it wraps
    return values.view(np.uint8)


def pattern(size: int, dtype=np.uint8) -> np.ndarray:
    """So many bytes, no two chunks alike, as elements of a type; not to be written to."""
    return words()[:size].view(dtype)


def same(array: np.ndarray, other: np.ndarray) -> bool:
    """Bit for bit: of these bytes some are NaN."""
    return (array.view(np.uint8) == other.view(np.uint8)).all()


@pytest.fixture(scope="module")
def compare(engine):
    """What compares results on that GPU."""
    target = next(device.target for device in devices.discover() if device.target.max_can_build)
    own = build_graphs([find_case("p15")], Build(target=target), surrounded=True).around[DIFFERING]
    return Around(str(own.mef), own.graph, int(own.parameters["threads"]), int(own.parameters["words"]))


@pytest.mark.parametrize("size", [4 * COMPARED, 3 * CHUNK_BYTES + 4, 2**30 + 4])
def test_results_are_compared_where_they_lie(engine, compare, size):
    """All of their bytes, wherever one differs."""
    array = pattern(size)
    kept = engine.staging.upload(array)
    assert engine._same(compare, engine.staging.upload(array), array, kept)
    for place in (0, 4 * COMPARED - 1, size // 2 + 3, size - 1):
        changed = array.copy()
        changed[place] ^= 128
        assert not engine._same(compare, engine.staging.upload(changed), array, kept)


@pytest.mark.parametrize(("size", "dtype"), WAYS)
def test_what_goes_up_comes_down(engine, size, dtype):
    """The source is overwritten as soon as it went up."""
    sent = pattern(size, dtype)
    array = sent.copy()
    buffer = engine.staging.upload(array)
    array.view(np.uint8)[:] = 255
    got = engine.staging.download(buffer)
    assert (got.shape, got.dtype) == (sent.shape, sent.dtype)
    assert same(got, sent)


@pytest.mark.parametrize("size", [1, 3, 4097, LEAST_BYTES + 1, CHUNK_BYTES + 1, 3 * CHUNK_BYTES - 1])
def test_sizes_that_are_no_words(engine, size):
    sent = pattern(size)
    array = sent.copy()
    buffer = engine.staging.upload(array)
    array[:] = 255
    assert same(engine.staging.download(buffer), sent)


@pytest.mark.parametrize(("size", "dtype"), WAYS)
def test_arrays_born_in_staging(engine, size, dtype):
    """Up from one, down into another; the first is overwritten in between."""
    sent = pattern(size, dtype)
    array, back = (engine.staging.empty(sent.shape, dtype) for _ in range(2))
    array[...] = sent
    assert (engine.staging._memory(array) is not None) == (size >= LEAST_BYTES)
    buffer = engine.staging.upload(array)
    array.view(np.uint8)[:] = 255
    assert engine.staging.download(buffer, out=back) is back
    assert same(back, sent)


def test_many_arrays_one_after_the_other(engine):
    """Small and large by turns, all still right at the end: no buffer is used before it is free."""
    sizes = (4, 4 * CHUNK_BYTES + 4, 2**20, LEAST_BYTES, CHUNK_BYTES + 8, 12) * 4
    sent = [pattern(size + 4 * number)[4 * number :].copy() for number, size in enumerate(sizes)]
    array = np.empty(max(sizes), np.uint8)
    buffers = []
    for source in sent:  # always from the same memory
        array[: source.size] = source
        buffers.append(engine.staging.upload(array[: source.size]))
    assert all(same(engine.staging.download(buffer), array) for buffer, array in zip(buffers, sent, strict=True))


def test_page_locked_memory_goes_with_its_array(engine):
    """Far more in all than a machine would lock; the last view keeps it."""
    for number in range(40):
        array = engine.staging.empty((2**28,), np.uint8)
        array[::4096] = number
    view = array[2**27 :: 4096]
    del array
    gc.collect()
    assert (view == 39).all()
    assert len(engine.staging._born) == 1


def test_any_data_runs_on_the_gpu(engine):
    """However it is given; the caller's array stays as it was."""
    born = harness.empty((4, 6))
    born[...] = DATA
    for given in (DATA, {"a": DATA.copy()}, np.asfortranarray(DATA), DATA.astype(">f4"), DATA.tolist(), born):
        result = harness.run("p15", given, backend="max")
        np.testing.assert_allclose(result.outputs["output"], SUMS, rtol=1e-5)
        assert (result.backend, result.problems) == ("max", ())
    np.testing.assert_array_equal(born, DATA)


def test_the_gpu_agrees_with_the_simulator(engine):
    """Bit for bit, on data that no oracle knows."""
    ours = harness.run("p15", DATA, backend="max")
    theirs = harness.run("p15", DATA, backend="simulator")
    assert ours.outputs["output"].tobytes() == theirs.outputs["output"].tobytes()


def test_an_unsolved_kernel_writes_nothing(engine):
    problems = harness.run("p15", DATA, kernels="problems", backend="max").problems
    assert any("output never written: 4 of 4" in problem for problem in problems)


@pytest.fixture(scope="module")
def torch(engine):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    return torch


def on_gpu(torch, engine, values):
    return torch.tensor(values, device=f"cuda:{engine.device.id}")


def test_torch_tensors_are_used_where_they_lie(engine, torch):
    """Without a copy, there and back, and after what torch has still to do for them."""
    tensor = on_gpu(torch, engine, DATA)
    adopted = engine.adopt(tensor)
    assert adopted._data_ptr() == tensor.data_ptr()
    result = harness.run("p15", tensor)
    back = torch.from_dlpack(result.device_outputs["output"])
    assert back.device == tensor.device
    np.testing.assert_allclose(back.cpu().numpy(), SUMS, rtol=1e-5)
    np.testing.assert_allclose(result.outputs["output"], SUMS, rtol=1e-5)
    assert result.problems == ()
    again = harness.run("p15", engine.adopt(tensor)).outputs["output"]
    assert again.tobytes() == result.outputs["output"].tobytes()


def test_a_tensor_is_read_after_it_was_written(engine, torch):
    """On a stream of its own, torch is still busy when the launch is asked for."""
    source = on_gpu(torch, engine, DATA)
    tensor, stream = torch.zeros_like(source), torch.cuda.Stream(source.device)
    torch.cuda.synchronize(source.device)
    for _ in range(10):
        with torch.cuda.stream(stream):
            tensor.zero_()
            torch.cuda._sleep(50_000_000)  # tens of milliseconds
            tensor.copy_(source)
            result = harness.run("p15", tensor)
        np.testing.assert_allclose(result.outputs["output"], SUMS, rtol=1e-5)


def test_torch_tensors_that_do_not_fit(engine, torch):
    tensor = on_gpu(torch, engine, DATA)
    for given, said in (
        (tensor.double(), "input a is float64, but the case takes float32"),
        (tensor.bfloat16(), "input a"),
        (on_gpu(torch, engine, DATA.T.copy()).T, "does not lie contiguously"),
        (tensor.T, r"has shape \(6, 4\)"),
        (tensor.clone().requires_grad_(), "cannot be used in place"),
    ):
        with pytest.raises(UsageError, match=said):
            harness.run("p15", given)
    with pytest.raises(UsageError, match="lies on a GPU"):
        harness.run("p15", tensor, backend="simulator")
    np.testing.assert_allclose(harness.run("p15", tensor.cpu()).outputs["output"], SUMS, rtol=1e-5)


def test_cupy_arrays_are_used_where_they_lie(engine):
    cupy = pytest.importorskip("cupy")
    with cupy.cuda.Device(engine.device.id):
        array = cupy.asarray(DATA)
        result = harness.run("p15", array)
        back = cupy.from_dlpack(result.device_outputs["output"])
        np.testing.assert_allclose(cupy.asnumpy(back), SUMS, rtol=1e-5)
        with pytest.raises(UsageError, match="contiguously"):
            harness.run("p15", cupy.asfortranarray(array))


FAULT = """
import numpy as np, harness, sys
from harness.errors import EnvironmentFault, LaunchFault
data = np.zeros((4, 6), np.float32)
for kind in (LaunchFault, EnvironmentFault):
    try:
        harness.run("p15", data, file=sys.argv[1], backend="max")
    except kind as error:
        print(f"{kind.__name__}: {error}", flush=True)
import os
os._exit(0)
"""


def test_a_fault_takes_this_process_s_device(engine, tmp_path):
    """In a process of its own: a wild store is named with its phase, and nothing runs afterwards."""
    wild = ROOT / "tests" / "faults" / "wild_store.mojo"
    done = subprocess.run(
        [sys.executable, "-c", FAULT, str(wild)], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=300
    )
    first, second = done.stdout.splitlines()
    assert first.startswith(f"LaunchFault: p15: {find_case('p15').kernel_names}: ")
    assert "ILLEGAL_ADDRESS" in first and first.endswith("(phase: synchronize)")
    assert second.startswith("EnvironmentFault: this process lost its GPU to an earlier fault")
