"""`harness.launch`: any kernel of a Mojo file, on arrays of the caller's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import harness
from harness import simt
from harness.backends import devices
from harness.build import device_code, toolchain
from harness.build.unit import Build, make_units
from harness.cases import kernel_launch
from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.model.target import Target

KERNELS = '''"""Kernels of several forms."""

from layout import Layout, LayoutTensor, TensorLayout, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.cluster import block_rank_in_cluster
from max.gpu.sync import barrier

comptime dtype = DType.float32
comptime Row = TileTensor[mut=True, dtype, type_of(row_major[128]()), MutAnyOrigin]


def scale[
    L: TensorLayout, kind: DType, //, times: Int = 1
](data: TileTensor[mut=True, kind, L, MutAnyOrigin], by: Scalar[kind]):
    """Multiplies (each [element]) by a number."""
    comptime assert data.flat_rank == 1
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    data[i] = data[i] * by * Scalar[kind](times)


def add(out_: UnsafePointer[Float32, MutAnyOrigin], a: UnsafePointer[Float32, ImmutAnyOrigin], n: Int32):
    if thread_idx.x < Int(n):
        out_[thread_idx.x] = a[thread_idx.x] + 1


def beyond(out_: UnsafePointer[Float32, MutAnyOrigin]):
    out_[thread_idx.x] = 1


def transposed(
    out_: LayoutTensor[dtype, Layout.row_major(3, 2), MutAnyOrigin],
    a: LayoutTensor[dtype, Layout.row_major(2, 3), ImmutAnyOrigin],
):
    out_[thread_idx.y, thread_idx.x] = a[thread_idx.x, thread_idx.y]


def turned(out_: Row):
    var held = stack_allocation[dtype=dtype, address_space=AddressSpace.SHARED](row_major[128]())
    held[thread_idx.x] = out_[thread_idx.x]
    out_[thread_idx.x] = held[127 - thread_idx.x]


def ranks(out_: UnsafePointer[Int32, MutAnyOrigin]):
    out_[block_idx.x] = Int32(block_rank_in_cluster())


def endless(out_: UnsafePointer[Float32, MutAnyOrigin]):
    barrier()
    out_[0] = wrong


struct Held:
    @staticmethod
    def inside(a: Int32):
        pass
'''
TARGETS = ("nvidia:sm_90", "amd:gfx942")
LAUNCHES = ("scale", "add", "beyond", "transposed", "turned", "ranks")


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("launch") / "my-kernels.mojo"
    path.write_text(KERNELS)
    return path


def arguments(kernel: str) -> dict[str, object]:
    """What each kernel is launched with."""
    eight = np.arange(8, dtype=np.float32)
    return {
        "scale": {"data": np.arange(64, dtype=np.int32), "by": np.int32(3)},
        "add": {"out_": simt.Buffer(np.zeros(8, np.float32), initialised=False), "a": eight, "n": 8},
        "beyond": {"out_": np.zeros(4, np.float32)},
        "transposed": {"out_": np.zeros((3, 2), np.float32), "a": np.arange(6, dtype=np.float32).reshape(2, 3)},
        "turned": {"out_": np.zeros(128, np.float32)},
        "ranks": {"out_": np.zeros(4, np.int32)},
    }[kernel]


GEOMETRY = {"scale": (2, 32), "transposed": (1, (2, 3)), "turned": (1, 128), "ranks": (4, 1, 2)}


def shape(kernel: str) -> tuple:
    return (*GEOMETRY.get(kernel, (1, 8)), 1)[:3]


@pytest.fixture(scope="module")
def compiled(file) -> Path:
    """All of them in one program, for two vendors; AMD's GPUs have no clusters."""
    parts = []
    for kernel in LAUNCHES:
        own = kernel_launch.make_kernel_launch(
            file, kernel, kernel_launch.make_geometry(*shape(kernel), 0), arguments(kernel), {}
        )
        for name in TARGETS[:1] if kernel == "ranks" else TARGETS:
            build = Build(target=Target.parse(name), sources=own.sources)
            parts += [(unit, build) for unit in make_units([own.case], build)]
    assert not any(isinstance(code, CompileError) for _, code in device_code._load_or_compile(parts))
    return file


mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def launched(
    file: Path, kernel: str, target: str | None = "nvidia:sm_90", backend: str = "auto", **given: object
) -> tuple[harness.Result, dict]:
    grid, block, cluster = shape(kernel)
    taken = {**arguments(kernel), **given}
    return harness.launch(file, kernel, grid, block, taken, cluster=cluster, target=target, backend=backend), taken


@mojo
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_arrays_are_written_in_place(compiled, target):
    """Element types and layouts follow from the arrays; a kernel without a wait between its threads is a race."""
    result, taken = launched(compiled, "scale", target)
    assert result.problems == () and taken["data"].tolist() == [3 * i for i in range(64)]
    assert (result.backend, result.case) == ("simulator", "my_kernels_mojo:scale")

    result, taken = launched(compiled, "add", target)
    assert result.problems == () and taken["out_"].array.tolist() == [i + 1 for i in range(8)]

    result, taken = launched(compiled, "transposed", target)
    assert result.problems == () and taken["out_"].tolist() == [[0, 3], [1, 4], [2, 5]]

    result, _ = launched(compiled, "turned", target)
    race = next(finding for finding in result.findings if finding.kind == "race")
    line = KERNELS[: KERNELS.index("held[127 - ")].count("\n") + 1
    assert {site.line for site in race.sites} == {line - 1, line}


@mojo
@pytest.mark.slow
def test_what_is_wrong_is_told(compiled):
    """What is written outside, and what nobody wrote of an array that the host had not."""
    result, taken = launched(compiled, "beyond")
    assert any("out_" in problem for problem in result.problems), result.problems
    assert taken["out_"].tolist() == [1, 1, 1, 1]

    result, _ = launched(compiled, "add", n=3)
    assert any(problem.startswith("out_ never written: 5 of 8") for problem in result.problems), result.problems


@mojo
@pytest.mark.slow
def test_a_cluster_is_launched(compiled):
    result, taken = launched(compiled, "ranks")
    assert result.problems == () and taken["out_"].tolist() == [0, 1, 0, 1]


@mojo
@pytest.mark.gpu
@pytest.mark.parametrize("kernel", ["scale", "add", "transposed", "ranks"])
def test_a_gpu_and_the_simulator_write_the_same(file, kernel):
    """The same file, kernel and arguments, on this machine's GPU and without it."""
    if not devices.discover():
        pytest.skip("there is no GPU here")
    written = []
    for backend in ("max", "simulator"):
        result, taken = launched(file, kernel, None, backend=backend)
        assert (result.backend, result.problems) == (backend, ())
        written.append([np.asarray(getattr(value, "array", value)).tolist() for value in taken.values()])
    assert written[0] == written[1]


@mojo
@pytest.mark.slow
def test_however_an_array_lies(compiled):
    """A part of another one is written where it lies; the order in the list is that of the kernel."""
    whole = np.zeros((8, 2), np.float32)
    harness.launch(compiled, "add", 1, 8, [whole[:, 0], np.ones(8, ">f4"), 8], target="nvidia:sm_90")
    assert whole.tolist() == [[2, 0]] * 8


@mojo
@pytest.mark.slow
def test_a_kernel_that_does_not_compile_is_shown_at_its_line(file):
    with pytest.raises(CompileError) as caught:
        harness.launch(file, "endless", 1, 1, [np.zeros(1, np.float32)], target="nvidia:sm_90")
    assert "my-kernels.mojo" in caught.value.diagnostics and "wrong" in caught.value.diagnostics


EIGHT = np.zeros(8, np.float32)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"file": "no.mojo"}, r"^no kernel file at no\.mojo"),
        ({"file": 3}, "^file is a path, but got int"),
        ({"kernel": "ad"}, "^unknown kernel 'ad': did you mean"),
        ({"kernel": "inside"}, "^unknown kernel 'inside'"),
        ({"kernel": None}, "^kernel is given by its name, but got NoneType"),
        ({"grid": 0}, r"^grid must be three positive whole numbers, but got \(0, 1, 1\)"),
        ({"grid": "2"}, "^grid is one to three whole numbers like .*, but got '2'"),
        ({"block": (32, 33)}, "^a block has at most 1024 threads"),
        ({"block": (1, 1, 1, 1)}, "^block is one to three whole numbers"),
        ({"cluster": 2}, r"^cluster \(2, 1, 1\) does not divide grid"),
        ({"shared_bytes": -1}, "^shared_bytes is a number of bytes from 0 on, but got -1"),
        ({"arguments": [EIGHT]}, "^got 1 argument, but add takes out_, a, n"),
        ({"arguments": 7}, "^arguments are a dict by name, or a list in order, but got int"),
        ({"arguments": {"out_": EIGHT, "a": EIGHT}}, "^no argument n: add takes out_, a, n"),
        ({"arguments": {"out": EIGHT}}, "^unknown argument 'out': did you mean 'out_'"),
        ({"arguments": [EIGHT, EIGHT, 8]}, "^out_ and a of add may share memory"),
        ({"arguments": [EIGHT, [1.0], 8]}, "^a of add is a tensor: give a NumPy array, not list"),
        ({"arguments": [EIGHT, np.zeros(8, complex), 8]}, "^a of add holds complex128"),
        ({"arguments": [EIGHT, np.zeros(()), 8]}, r"^a of add has shape \(\)"),
        ({"arguments": [EIGHT, simt.Buffer(EIGHT.copy(), initialised=False), 8]}, "^add only reads a, and nobody"),
        (
            {"arguments": [EIGHT, EIGHT.copy(), 1 << 40]},
            "^n of add is of type Int32, which does not hold 1099511627776",
        ),
        ({"arguments": [EIGHT, EIGHT.copy(), 1.5]}, "^n of add is of type Int32, which does not hold 1.5"),
        ({"arguments": [EIGHT, EIGHT.copy(), "8"]}, "^n of add is a number, but got str"),
        ({"parameters": {"width": 3}}, "^add has no parameter 'width'"),
        (
            {"kernel": "scale", "arguments": [EIGHT, 2.0]},
            r"^by of scale is of type Scalar\[kind\], but what can be given",
        ),
        ({"target": "nvidia:sm_9"}, "^unknown target 'nvidia:sm_9'"),
        ({"backend": "cpu"}, "^a kernel is launched on a GPU or in the simulator"),
    ],
)
def test_bad_arguments_are_one_sentence(file, change, said):
    given = {"file": file, "kernel": "add", "grid": 1, "block": 8, "arguments": [EIGHT, EIGHT.copy(), 8], **change}
    with pytest.raises(UsageError, match=said) as caught:
        harness.launch(**given)
    assert "\n" not in str(caught.value) and not EIGHT.any()


@pytest.mark.skipif(bool(devices.discover()), reason="there is a GPU here")
def test_without_a_gpu_there_is_no_launch_on_one(file):
    with pytest.raises(EnvironmentFault, match='no NVIDIA GPU here: use `backend="simulator"`, which'):
        harness.launch(file, "add", 1, 8, [EIGHT, EIGHT.copy(), 8], backend="max")
