"""Every launch of these tests is held against the registry; most machine code of theirs is not optimised."""

from collections.abc import Iterator

import pytest

from harness import simt
from tests.simt.declared import Declared
from tests.simt.engines import unoptimised


@pytest.fixture(autouse=True)
def nothing_undeclared(monkeypatch):
    """Whatever an instruction does in a launch of a test, the registry says so."""
    launch = simt.launch

    def checked(*args, observers=(), **options):
        return launch(*args, observers=(*observers, Declared()), **options)

    monkeypatch.setattr(simt, "launch", checked)


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
