"""What `build` reports of a target: what was built, what was there already, what is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.build import product
from harness.build.cache import Cache
from harness.build.graphs import Graphs
from harness.build.unit import Build
from harness.catalogue import CASES, find_case
from harness.errors import CompileError
from harness.model.target import Target

GFX942, APPLE = (Target.parse(name) for name in ("amd:gfx942", "apple:apple-m4"))


@pytest.fixture
def built(monkeypatch, tmp_path):
    """A build for gfx942 whose compilers only note what they have built, and the errors that they are to give."""
    done: set[tuple[str, str]] = set()
    errors: dict[str, CompileError] = {}

    def build_graphs(cases, build, *, surrounded):
        assert surrounded, "what is launched around a case is part of what a GPU needs"
        done.update(("mef", entry.id) for entry in cases)
        return Graphs(errors=dict(errors))

    def compile_ahead(cases, builds):
        done.update(("code", entry.id) for entry in cases)
        return {build.target.name: {} for build in builds}

    def host_programs(cases, _):
        done.update(("host", entry.id) for entry in cases)
        return {}

    monkeypatch.setattr(product, "build_host_programs", host_programs)
    monkeypatch.setattr(product, "find_stored", lambda _, __: {name for kind, name in done if kind == "host"})
    monkeypatch.setattr(product, "build_graphs", build_graphs)
    monkeypatch.setattr(product, "compile_ahead", compile_ahead)
    monkeypatch.setattr(product, "find_stored_graphs", lambda _, __: {name for kind, name in done if kind == "mef"})
    monkeypatch.setattr(product, "load_code", lambda unit, _: ("code", unit.case.id) in done)
    return Build(target=GFX942, cache=Cache(tmp_path)), errors


@pytest.mark.slow
def test_artifacts_of_a_target(built):
    """Built, then cached; what the target refuses is skipped with its reason."""
    build, _ = built
    first = {artifact.case: artifact for artifact in product.build_artifacts(CASES, [build])}
    refused = {entry.id for entry in CASES if entry.refusal(build.target)}
    assert {name: artifact.status for name, artifact in first.items()} == {
        entry.id: "skipped" if entry.id in refused else "built" for entry in CASES
    }
    assert first["p15"].artifacts == ("mef", "llvm", "asm") and first["p15"].seconds > 0
    assert first["p34:reduction"].status == "skipped" and "clusters" in first["p34:reduction"].reason
    assert {artifact.status for artifact in product.build_artifacts(CASES, [build])} == {"cached", "skipped"}


def test_code_is_built_when_it_is_asked_for(built):
    """Without it the graphs alone are built, and count as all."""
    build, _ = built
    assert product.build_artifacts([find_case("p15")], [build], code=False)[0].artifacts == ("mef",)
    assert product.build_artifacts([find_case("p15")], [build], code=False)[0].status == "cached"
    assert product.build_artifacts([find_case("p15")], [build])[0].status == "built"


def test_apple_has_device_code_only(built):
    build, _ = built
    (report,) = product.build_artifacts([find_case("p15")], [replace(build, target=APPLE)], code=False)
    assert report.artifacts == ("llvm", "asm") and "device code only" in report.reason


def test_what_does_not_compile_has_failed(built):
    """With the compiler's own words."""
    build, errors = built
    errors["p15"] = CompileError("p15 does not compile", "mojo/p15/problem.mojo:7:1: error: broken")
    (report,) = product.build_artifacts([find_case("p15")], [build])
    assert (report.status, report.artifacts) == ("failed", ())
    assert report.reason == "p15 does not compile\nmojo/p15/problem.mojo:7:1: error: broken"
