"""Which declared instructions no test runs: `python -m pytest -n 0 -p tests.simt.executed tests/simt tests/hazards`.

Code is compiled when it runs first, so what was compiled was run. Those that have no effect are left out.
"""

from __future__ import annotations

import pytest

from harness.simt.compile import emit_call, registry

__all__ = ["pytest_terminal_summary"]

_seen: set[str] = set()
_note = emit_call.note


def _noted(program: object, operation: str, level: str) -> None:
    intrinsic = registry.find(operation)
    if intrinsic is not None:
        _seen.add(intrinsic.name)
    _note(program, operation, level)


emit_call.note = _noted


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tells them at the end of a session."""
    some = {name for name, intrinsic in registry.TABLE.items() if intrinsic.kind not in ("ignored", "ending")}
    missing = sorted(some - _seen)
    terminalreporter.section(f"{len(some) - len(missing)} of {len(some)} declared instructions were run; not run:")
    terminalreporter.write("".join(f"{name}\n" for name in missing))
