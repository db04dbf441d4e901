"""Arrows between modules go one way, and each package from outside has one home."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.model.sources import ROOT

HARNESS = ROOT / "harness"
FILES = sorted(path for path in HARNESS.rglob("*.py"))
HOMES = {
    "max": ("build/graphs.py", "backends/engine.py", "backends/staging.py", "bench/"),
    "llvmlite": ("simt/ir/parse.py",),
    "rich": ("report/console.py",),
}
# Lowest first: a folder (or a module at the top) imports only from its own layer and those before it.
LAYERS = (
    ("errors", "model.gpus"),
    ("simt",),
    ("model",),
    ("catalogue", "process"),
    ("build", "backends"),
    ("cases",),
    ("compute_sanitizer",),
    ("api", "report"),
    ("bench",),
    ("cli",),
    ("__main__",),
)


def imports(path: Path) -> set[str]:
    """Every module that a file imports, by absolute name; relative ones are inside its package."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(HARNESS).with_suffix("").parts)


def layer(module: str) -> int:
    """The layer of `backends.base`, `simt.launch`, ...: of its longest listed prefix."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        for number, names in enumerate(LAYERS):
            if prefix in names:
                return number
    return -1


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_arrows_go_one_way(path):
    """A module imports from its own layer and from lower ones only."""
    own = name_of(path)
    if own == "__init__":
        return
    assert layer(own) >= 0, f"{own} stands in no layer"
    for module in imports(path):
        if module.startswith("harness."):
            other = module.removeprefix("harness.")
            assert layer(other) <= layer(own), f"{own} imports {other}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_each_package_from_outside_has_one_home(path):
    for module in imports(path):
        homes = HOMES.get(module.partition(".")[0])
        assert homes is None or path.relative_to(HARNESS).as_posix().startswith(homes), module


@pytest.mark.parametrize("path", sorted((HARNESS / "simt").rglob("*.py")), ids=name_of)
def test_the_simulator_is_useful_alone(path):
    """`harness.simt` imports nothing else of the harness but the facts about GPUs."""
    allowed = ("harness.simt", "harness.model.gpus")
    assert not [one for one in imports(path) if one.startswith("harness") and not one.startswith(allowed)]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_stay_small(path):
    assert len(path.read_text().splitlines()) <= 400


def test_the_check_can_fail(tmp_path):
    """A planted import from above and a planted guest are seen."""
    planted = tmp_path / "case.py"
    planted.write_text("from harness.cases.pipeline import run\nimport rich\n")

    assert imports(planted) == {"harness.cases.pipeline.run", "rich"}
    assert layer("cases.pipeline.run") > layer("model.case")
