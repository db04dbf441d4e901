"""Options of the whole suite."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
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
# Thousands of tests are collected, and all stay: looking for garbage among them takes an eighth of the tests' time.
gc.disable()


def pytest_configure() -> None:
    """Before anything is collected or started: each worker keeps to a GPU of its own."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        for vendor in devices.VISIBLE:
            os.environ.update(own_gpu(worker, vendor))


def pytest_collection_finish() -> None:
    """What is collected is no garbage."""
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: what begins last, and takes long, is what all others wait for in the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that leaves no memory of the GPU to others, or asks for what is free, is alone there, fixtures and all."""
    if item.get_closest_marker("gpu") is None or not _gpus():
        return (yield)
    with in_turn(alone=item.get_closest_marker("alone") is not None):
        return (yield)


@cache
def _gpus() -> bool:
    return bool(devices.discover())


@pytest.fixture(scope="module", autouse=True)
def nobody_is_left_behind() -> Iterator[None]:
    """What a file's tests start has ended when they are done."""
    before = children()
    yield
    # A compiler gives its memory back in the background.
    assert comes_to(lambda: not children() - before, 5.0), [command(pid) for pid in children() - before]


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
