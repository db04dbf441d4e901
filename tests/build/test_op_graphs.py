"""The documented graph of an op is built around anybody's op file, asserted as anybody's graph is, and executed."""

from dataclasses import replace

import pytest

from harness.backends.base import Request
from harness.backends.in_child import InChild
from harness.backends.launch import make_order
from harness.backends.max_backend import MaxBackend
from harness.build import product
from harness.build.cache import Cache
from harness.build.graph_reading import assert_documented
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases.check import judge
from harness.cases.levels import inspect
from harness.errors import ArtifactError
from harness.model.case import Case
from harness.model.sources import Sources
from harness.model.target import Target
from tests import compiled
from tests.build.op import CASE, SIZE, text

pytestmark = pytest.mark.slow


def _request(case: Case) -> Request:
    instance = case.instance(32)
    return Request(case=case, instance=instance, dataset=instance.datasets[0])


def build(tmp_path, factor: str, *, reference: bool = False) -> Build:
    (tmp_path / "p98.mojo").write_text(text(factor))
    return Build(
        target=Target.parse("nvidia:sm_90"),
        sources=Sources(overrides={"p98": tmp_path / "p98.mojo"}),
        reference=reference,
    )


def test_an_op_is_executed_through_max_and_judged_by_its_results(tmp_path):
    compiled.references()
    built = build_graphs([CASE], build(tmp_path, "2", reference=True))
    backend = MaxBackend(None, built, InChild(None))
    try:
        for dataset in CASE.instance(32).datasets:
            request = replace(_request(CASE), dataset=dataset, repeats=2)
            assert judge(request, backend.launch(request), reference=True).verdict == "REFERENCE"
    finally:
        backend.close()


@pytest.mark.full
def test_an_op_is_compiled_for_a_gpu_that_is_not_here(tmp_path):
    gpu = build(tmp_path, "2")
    built = build_graphs([CASE], gpu)
    artifact = built.artifacts["p98"]
    assert 'symbol = "scale", device = #M.device_ref<"gpu", 0>' in artifact.mlir
    asked = make_order(_request(CASE), artifact)
    assert ([argument.name for argument in asked.arguments], asked.returned) == (["values"], ("output",))
    other = replace(CASE.graph, parameters={"size": SIZE, "way": "slow"})
    with pytest.raises(ArtifactError, match=r"way = \"fast\", where it is to be \"slow\""):
        assert_documented(other, CASE.instance(32), "gpu", tmp_path / "p98.mojo", artifact.mlir)
    with pytest.raises(ArtifactError, match="was built with"):
        make_order(_request(replace(CASE, graph=other)), artifact)


@pytest.mark.full
def test_a_build_names_the_graph_beside_the_function(tmp_path, monkeypatch):
    gpu = replace(build(tmp_path, "2"), cache=Cache(tmp_path / "cache"))
    monkeypatch.setattr(product, "build_host_programs", lambda *_: {})
    monkeypatch.setattr(product, "find_stored", lambda *_: frozenset({"p98"}))
    monkeypatch.setattr(product, "_graph_errors", lambda *_: {})
    for status in ("built", "cached"):
        (report,) = product.build_artifacts([CASE], [gpu], code=False)
        assert (report.status, report.artifacts) == (status, ("mef", "host"))
        graph = build_graphs([CASE], gpu).artifacts["p98"]
    assert inspect(CASE, gpu.target, "mo", gpu.sources) == graph.mlir


def test_an_op_that_does_not_compile_is_told_at_its_line(tmp_path):
    built = build_graphs([CASE], build(tmp_path, "unknown", reference=True))
    assert "p98.mojo:29:" in built.errors["p98"].diagnostics
    assert "unknown" in built.errors["p98"].diagnostics
