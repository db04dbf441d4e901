"""What the tests of wrong kernels and of wrong functions of the host share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def wanted(request):
    """The ids of the mutants of a file's tests that run: they are compiled together."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    return {mutant.id for item in own if (mutant := item.callspec.params.get("mutant"))}
