"""Imports go one way, from higher layers to lower ones, and each package from outside has one home."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from harness.model.sources import ROOT

HARNESS = ROOT / "harness"
# Lowest first: what stands in a package imports only from itself and from what is listed before it.
LAYERS = {
    "harness": (
        "simt",
        "errors",
        "model",
        "process",
        "catalogue",
        "build",
        "backends",
        "programs",
        "cases",
        "report",
        "learning",
        "grading",
        "cluster",
        "bench",
        "api",
        "pytest_plugin",
        "cli",
        "notebook",
        "__init__",
        "__main__",
    ),
    "harness.programs": (
        "sources",
        "object_file",
        "compile",
        "host.abi",
        "host",
        "jit",
        "messages_ko",
        "messages",
        "wire",
        "lines",
        "merge_findings",
        "result",
        "streams",
        "child",
        "simulated",
        "host_calls",
        "native_calls_child",
        "native_calls",
        "native",
        "program_plan",
        "exported_call",
        "many",
        "migration",
        "__init__",
    ),
    "harness.simt": (
        "arrays",
        "rows",
        "traffic",
        "gpus",
        "capabilities",
        "options",
        "stopwatch",
        "plain",
        "messages",
        "findings",
        "errors",
        "declined",
        "result",
        "ir",
        "targets",
        "ops",
        "state",
        "compile",
        "events",
        "observe",
        "native",
        "run",
        "intrinsics",
        "observing",
        "excerpt",
        "nesting",
        "placed_remedies",
        "render",
        "supported",
        "public",
        "__init__",
    ),
    "harness.simt.native": (
        "jit",
        "analysis",
        "emit",
        "runtime",
        "sanitize",
        "lower",
        "kernel",
        "batching",
        "module",
        "execution",
        "estimate",
        "history",
        "launch_notes",
        "attempt",
        "__init__",
    ),
}
# Who may import a package from outside; NumPy is at home everywhere.
HOMES = {
    "dask": ("harness.cluster.",),
    "distributed": ("harness.cluster.",),
    "filelock": ("harness.build.cache",),
    "llvmlite": ("harness.simt.ir.parse", "harness.simt.native.jit.compiler", "harness.programs.jit"),
    "matplotlib": ("harness.bench.plot",),
    "max": (
        "harness.build.max_compiler",
        "harness.build.graph_stage",
        "harness.backends.engine",
        "harness.backends.staging",
        "harness.programs.native_calls_child",
        "harness.bench.",
    ),
    "numpy": ("harness.",),
    "platformdirs": ("harness.build.cache",),
    "pynvml": ("harness.backends.devices",),
    "pytest": ("harness.pytest_plugin",),
    "rich": ("harness.report.console",),
    "markdown_it": ("harness.learning.lessons",),
    "tornado": ("harness.learning.server",),
    "watchfiles": ("harness.learning.watch",),
    "torch": ("harness.bench.peers_triton", "harness.build.graph_stage"),
    "triton": ("harness.bench.peers_triton",),
}


@cache
def parsed(source: str) -> tuple[ast.Module, list[ast.stmt]]:
    """A module, and all its statements, wherever they stand; several tests ask for those of the same files."""
    tree = ast.parse(source)
    return tree, list(_statements(tree))


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from _statements(inner)


def imports(source: str) -> set[str]:
    """Every name that a module imports, wherever in it; a relative one begins with a dot."""
    names = set()
    for node in parsed(source)[1]:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update(f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)
    return names


def read() -> dict[str, set[str]]:
    """What each module of the harness imports."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): imports(path.read_text())
        for path in sorted(HARNESS.rglob("*.py"))
    }


def violations(modules: dict[str, set[str]]) -> Iterator[str]:
    """What breaks a rule, a sentence each.

    Args:
        modules: By a module's name the names that it imports.
    """
    packages: dict[str, set[str]] = {}
    for module, names in modules.items():
        for name in sorted(names):
            top = name.partition(".")[0]
            if not top:
                yield f"{module} imports {name}, which is relative"
            elif _is_ours(name):
                other = _module_of(name, modules)
                yield from _upward(module, other)
                packages.setdefault(_package(module), set()).add(_package(other))
            elif top not in sys.stdlib_module_names and not module.startswith(HOMES.get(top, ())):
                yield f"{module} imports {top}, which is not at home there"
    files = {
        module: {_module_of(name, modules) for name in names if _is_ours(name)} for module, names in modules.items()
    }
    for kind, needs in (("packages", packages), ("files", files)):
        try:
            TopologicalSorter({one: others - {one} for one, others in needs.items()}).prepare()
        except CycleError as error:
            yield f"{kind} form a circle: {' -> '.join(error.args[1])}"


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == "harness"


def _module_of(name: str, modules: dict[str, set[str]]) -> str:
    """The module that an imported name stands in."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        for module in (prefix, f"{prefix}.__init__"):
            if module in modules:
                return module
    raise LookupError(f"there is no module {name}")


def _package(module: str) -> str:
    """The folder of a module; what lies beside folders stands for itself."""
    package, _, own = module.rpartition(".")
    return module if own == "__init__" or package in LAYERS else package


def _upward(module: str, other: str) -> Iterator[str]:
    """An import against the order of layers, or from outside of them."""
    for package, order in LAYERS.items():
        if not (module.startswith(f"{package}.") and other.startswith(f"{package}.")):
            continue
        own, below = (_layer(name.removeprefix(f"{package}."), order) for name in (module, other))
        if own is None or below is None:
            yield f"{module if own is None else other} stands in no layer of {package}"
        elif below > own:
            yield f"{module} imports {other}, which is above it"


def _layer(name: str, order: tuple[str, ...]) -> int | None:
    """The number of the longest entry that a module's name begins with."""
    fits = [entry for entry in order if f"{name}.".startswith(f"{entry}.")]
    return order.index(max(fits, key=len)) if fits else None


def test_the_harness_breaks_no_rule():
    assert list(violations(read())) == []


@pytest.mark.parametrize(
    ("modules", "complaint"),
    [
        (
            {"harness.model.case": {"harness.cases.pipeline.run"}, "harness.cases.pipeline": set()},
            "harness.model.case imports harness.cases.pipeline, which is above it",
        ),
        (
            {"harness.simt.ir.parse": {"harness.simt.run.launch.launch"}, "harness.simt.run.launch": set()},
            "harness.simt.ir.parse imports harness.simt.run.launch, which is above it",
        ),
        (
            {"harness.simt.targets": {"harness.errors"}, "harness.errors": set()},
            "harness.simt.targets imports harness.errors, which is above it",
        ),
        (
            {"harness.simt.gpus": {"harness.simt.targets"}, "harness.simt.targets": set()},
            "harness.simt.gpus imports harness.simt.targets, which is above it",
        ),
        (
            {"harness.simt.run.launch": {"harness.simt.launch"}, "harness.simt.__init__": set()},
            "harness.simt.run.launch imports harness.simt.__init__, which is above it",
        ),
        (
            {
                "harness.simt.native.sanitize.address": {"harness.simt.native.lower.clusters"},
                "harness.simt.native.lower.clusters": set(),
            },
            "harness.simt.native.sanitize.address imports harness.simt.native.lower.clusters, which is above it",
        ),
        (
            {"harness.attic.old": {"harness.errors"}, "harness.errors": set()},
            "harness.attic.old stands in no layer of harness",
        ),
        (
            {
                "harness.simt.ir.one.a": {"harness.simt.ir.two.b"},
                "harness.simt.ir.two.b": {"harness.simt.ir.one.c"},
                "harness.simt.ir.one.c": set(),
            },
            "packages form a circle: harness.simt.ir.one -> harness.simt.ir.two -> harness.simt.ir.one",
        ),
        (
            {"harness.simt.ir.a": {"harness.simt.ir.b.thing"}, "harness.simt.ir.b": {"harness.simt.ir.a"}},
            "files form a circle: harness.simt.ir.a -> harness.simt.ir.b -> harness.simt.ir.a",
        ),
        ({"harness.cli.doctor": {"rich.table"}}, "harness.cli.doctor imports rich, which is not at home there"),
        ({"harness.cli.doctor": {"requests"}}, "harness.cli.doctor imports requests, which is not at home there"),
        ({"harness.cli.doctor": {"..errors"}}, "harness.cli.doctor imports ..errors, which is relative"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_rule_reports_what_breaks_it(modules, complaint):
    assert list(violations(modules)) == [complaint]


def test_what_a_rule_allows_is_not_reported():
    modules = {
        "harness.simt.targets": {"harness.simt.gpus.GPUS", "os.path", "numpy"},
        "harness.simt.gpus": set(),
        "harness.cases.check": {"harness.simt.observers", "harness.cases.claims"},
        "harness.simt.__init__": {"harness.simt.render"},
        "harness.simt.render": set(),
        "harness.cases.claims": set(),
    }

    assert list(violations(modules)) == []


def test_every_import_is_read_wherever_it_stands():
    source = "import a.b\ndef f():\n    from c import d, e\nif TYPE_CHECKING:\n    from ..g import h\nfrom . import i\n"

    assert imports(source) == {"a.b", "c.d", "c.e", "..g.h", "..i"}


def test_files_stay_small():
    sizes = {str(path.relative_to(HARNESS)): len(path.read_text().splitlines()) for path in HARNESS.rglob("*.py")}
    assert {name: lines for name, lines in sizes.items() if lines > 320} == {}


def test_the_top_level_stays_small():
    folders = [path for path in HARNESS.iterdir() if path.is_dir() and path.name != "__pycache__"]
    modules = [path.name for path in HARNESS.glob("*.py") if not path.name.startswith("__")]

    assert len(folders) <= 14
    assert len(modules) <= 4


def unlisted(sources: Mapping[str, str]) -> list[str]:
    """What a module takes from another one whose `__all__` does not name it.

    Args:
        sources: By a module's name its text.
    """
    offered = {}
    for module, source in sources.items():
        for node in parsed(source)[0].body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Name)
                and node.targets[0].id == "__all__"
            ):
                offered[module] = set(ast.literal_eval(node.value))
    return [
        f"{module} takes {alias.name} from {node.module}"
        for module, source in sources.items()
        for node in parsed(source)[1]
        if isinstance(node, ast.ImportFrom) and node.module in offered and node.module != module
        for alias in node.names
        if alias.name not in {*offered[node.module], "*"}
    ]


@pytest.mark.slow
def test_what_others_use_of_a_module_is_in_its_list():
    """Whoever changes a name sees there whether it is the module's own."""
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in HARNESS.rglob("*.py")}

    assert not unlisted({module: path.read_text() for module, path in files.items()})


def test_a_name_that_is_not_in_a_list_is_noticed():
    sources = {"a": "__all__ = ['f']", "b": "from a import f, g\nfrom c import h", "c": "h = 1"}

    assert unlisted(sources) == ["b takes g from a"]


@pytest.mark.slow
def test_nothing_of_the_simulator_asks_its_package_for_a_name():
    """The package loads all of the simulator for one, and what asks is not whole yet: a circle, whoever comes first."""
    simulator = HARNESS / "simt"
    asking = [
        str(path.relative_to(HARNESS))
        for path in sorted(simulator.rglob("*.py"))
        for node in parsed(path.read_text())[1]
        if isinstance(node, ast.ImportFrom) and node.module == "harness.simt"
    ]

    assert asking == ["simt/public.py"], "import from the module itself"


@pytest.mark.slow
def test_no_test_is_imported_by_another():
    """What several tests need stands in a module of its own."""
    tests = ROOT / "tests"
    shared = [
        f"{path.relative_to(tests)} imports {name}"
        for path in sorted(tests.rglob("*.py"))
        for name in imports(path.read_text())
        if re.match(r"tests\.(\w+\.)*test_\w+", name)
    ]

    assert not shared
