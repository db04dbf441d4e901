"""Every launch of these tests is held against the registry."""

import pytest

from harness import simt
from tests.simt.declared import Declared


@pytest.fixture(autouse=True)
def nothing_undeclared(monkeypatch):
    """Whatever an instruction does in a launch of a test, the registry says so."""
    launch = simt.launch

    def checked(*args, observers=(), **options):
        return launch(*args, observers=(*observers, Declared()), **options)

    monkeypatch.setattr(simt, "launch", checked)
