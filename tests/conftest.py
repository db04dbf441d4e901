"""Options of the whole suite."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from harness.backends import devices
from harness.model import language, spelling
from tests.own_gpu import in_turn, own_gpu
from tests.processes import children, comes_to, command
from tests.simt.engines import unoptimised

# A suite that follows the caller's environment would test different things in different shells.
for variable in ("HARNESS_TARGET", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(variable, None)
# The tests start hundreds of Pythons: without bytecode each would take three times as long to begin.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Tests that an expression of markers leaves out. The two expressions are those of `nox -s quick` and `nox -s tests`.
LEFT_OUT = {"not full": {"full"}, "not slow and not full": {"slow", "full"}}
# Thousands of tests are collected, and all stay: looking for garbage among them takes an eighth of the tests' time.
gc.disable()


def pytest_configure() -> None:
    """Before anything is collected or started: each worker keeps to a GPU of its own."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        for vendor in devices.VISIBLE:
            os.environ.update(own_gpu(worker, vendor))


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Make no items from a function that the markers leave out: of `quick` they would be half of all, in each worker.

    A function that the command line names is left to pytest, which says that it is deselected.
    """
    left_out = LEFT_OUT.get(collector.config.option.markexpr)
    if not left_out or not name.startswith("test") or any("::" in argument for argument in collector.config.args):
        return None
    marks = {mark.name for mark in (*collector.iter_markers(), *getattr(obj, "pytestmark", ()))}
    return [] if marks & left_out else None


def pytest_collection_finish() -> None:
    """What is collected is no garbage."""
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order files with slow tests first, and keep one case of each test that needs a GPU where there is none.

    What begins last and takes long is what all others wait for in the end. One case says why the test is skipped; the
    others, a tenth of all tests, would only repeat it.
    """
    if not _gpus():
        repeated = set(_repeated(item for item in items if item.get_closest_marker("gpu")))
        items[:] = [item for item in items if item not in repeated]
        config.hook.pytest_deselected(items=list(repeated))
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that leaves no memory of the GPU to others, or asks for what is free, is alone there, fixtures and all."""
    if item.get_closest_marker("gpu") is None or not _gpus():
        return (yield)
    with in_turn(alone=item.get_closest_marker("alone") is not None):
        return (yield)


def _repeated(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the items whose function had an earlier item."""
    functions = set()
    for item in items:
        function = item.nodeid.partition("[")[0]
        if function in functions:
            yield item
        functions.add(function)


@cache
def _gpus() -> bool:
    return bool(devices.discover())


# The processes that there were when the last file's tests were done: to look for them takes a while.
_remaining: list[set[int]] = []


@pytest.fixture(scope="module", autouse=True)
def nobody_is_left_behind() -> Iterator[None]:
    """What a file's tests start has ended when they are done."""
    before = _remaining.pop() if _remaining else children()
    yield
    after = children()
    if after - before:  # a compiler gives its memory back in the background
        assert comes_to(lambda: not children() - before, 5.0), [command(pid) for pid in children() - before]
    _remaining[:] = [after & before]


@pytest.fixture(autouse=True)
def settings_of_the_process() -> Iterator[None]:
    """What a command line sets for its process is not set for the next test."""
    yield
    language.set_language(None)
    spelling.set_as_is(as_is=False)


@pytest.fixture(autouse=True)
def seldom_optimised(request: pytest.FixtureRequest) -> Iterator[None]:
    """LLVM optimises where `full` is not left out, and for tests marked so: of the others it would take three quarters
    of the time.

    What machine code does wrong is nearly always in what is written for LLVM, and shows either way.
    """
    if "not full" not in request.config.option.markexpr or request.node.get_closest_marker("optimised"):
        yield
    else:
        with unoptimised():
            yield
