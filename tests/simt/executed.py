"""A session fails if a declared instruction is run by none of its tests: `pytest -p tests.simt.executed`.

`nox -s full` asks that of all tests; while one is added, `tests/simt` and `tests/hazards` are enough. The workers of
xdist tell in the end what each of them saw. How exact a segment is is noted when it first runs, so what was noted was
run. Of those that have no effect, or end their lanes, nothing is noted.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.simt import intrinsics  # noqa: F401 - they declare; who watches workers runs none
from harness.simt.compile import fidelity, registry
from harness.simt.compile.graph import Op
from harness.simt.compile.lowering import LOWERINGS, Lower, Lowering
from harness.simt.compile.segments import intrinsic_of
from harness.simt.ir.module import Function, Instruction

__all__ = ["missing", "pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

KEY = "executed"
_seen: set[str] = set()
_fidelity = fidelity._fidelity


def _noted(op: Op) -> tuple[str, str] | None:
    intrinsic = intrinsic_of(op)
    if intrinsic is not None:
        _seen.add(intrinsic.name)
    return _fidelity(op)


fidelity._fidelity = _noted


def _lowers(words: tuple[str, ...], lower: Lower) -> Lower:
    def noted(statement: Lowering) -> None:
        lower(statement)
        _seen.add(_assembly(words))

    return noted


def _assembly(words: tuple[str, ...]) -> str:
    return f"assembly {'.'.join(words)}"


def _expanded(intrinsic: registry.Intrinsic) -> registry.Intrinsic:
    handler = intrinsic.handler
    assert handler is not None

    def noted(call: Instruction) -> Function:
        function: Function = handler(call)
        _seen.add(intrinsic.name)
        return function

    return replace(intrinsic, handler=noted)


registry.TABLE.update(
    {name: _expanded(each) for name, each in registry.all_intrinsics().items() if each.kind == "expanded"}
)
registry.find_intrinsic.cache_clear()
for _words, _lower in LOWERINGS.items():
    LOWERINGS[_words] = _lowers(_words, _lower)


def _some() -> set[str]:
    calls = {name for name, intrinsic in registry.all_intrinsics().items() if intrinsic.kind not in ("ignored", "exit")}
    return calls | set(map(_assembly, LOWERINGS))


def missing() -> list[str]:
    """What no test has run so far."""
    return sorted(_some() - _seen)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Takes what a worker saw; one that crashed says nothing."""
    _seen.update(getattr(node, "workeroutput", {}).get(KEY, ()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells what it saw; the session itself fails when something is missing."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[KEY] = sorted(_seen)
    elif missing() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names what is missing."""
    names, count = missing(), len(_some())
    terminalreporter.section(
        f"{count - len(names)} of {count} declared instructions were run" + "; not run:" * bool(names)
    )
    terminalreporter.write("".join(f"{name}\n" for name in names))
