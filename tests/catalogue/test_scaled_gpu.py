"""The full-size kernels on a GPU, at odd sizes: every data set, and the inputs kept."""

from __future__ import annotations

import pytest

from harness.backends import devices
from harness.bench import graphs
from harness.bench.work import make_graph
from harness.catalogue import scaled

FOUND = [device for device in devices.discover() if device.target.max_can_build]
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not FOUND, reason="there is no GPU here that MAX can use"),
]

CASES = (
    scaled.axis_sum(4099, 16_387),
    scaled.axis_sum(70_001, 7),
    scaled.row_max(4099, 16_385),
    scaled.row_max(70_001, 31),
    scaled.cluster_sum(2**20 - 1),
    scaled.cluster_sum(2**26 + 1),
)


@pytest.fixture(scope="module")
def loaded():
    """The GPU, and the model of each case that it can run."""
    from harness.bench.gpu import LoadedGraph, TimedGpu

    target = FOUND[0].target
    works = {
        case.title: make_graph(case, target, f"odd_{number}")
        for number, case in enumerate(CASES)
        if case.refusal(target) is None
    }
    path = graphs.build(tuple(works.values()), target)
    gpu = TimedGpu()
    models, _ = LoadedGraph.load_models(gpu, path)
    return gpu, {title: (work, models[work.graph]) for title, work in works.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_odd_sizes_are_exact(loaded, case):
    """Results equal the oracle's, and inputs stay as they were."""
    from harness.bench.gpu import LoadedGraph

    gpu, models = loaded
    if case.title not in models:
        pytest.skip(case.refusal(FOUND[0].target))
    work, model = models[case.title]
    width = FOUND[0].target.warp_width
    for dataset in case.instance(width).datasets:
        inputs = {name: gpu.upload(array) for name, array in dataset.inputs.items()}
        run = LoadedGraph(gpu, work, model, inputs, case.oracle(dataset.inputs, width))
        run.execute()
        assert run.describe_error() == "", dataset.name
        for name, array in dataset.inputs.items():
            assert inputs[name].to_numpy().tobytes() == array.tobytes(), dataset.name
