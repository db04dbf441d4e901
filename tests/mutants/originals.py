"""What every mode's kernels are compiled to, and the mode's verdict with other code for one of them.

Also what functions of the host launch: they are called once for each data set, and what they did with their device is
done again with the other code.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness import simt
from harness.backends.calls import CallInputs, HostRun
from harness.backends.simulator import SimulatorBackend
from harness.build.cache import sha256_hex
from harness.build.device_code import Texts, build_device_code
from harness.build.unit import Build
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.model.target import Target
from harness.programs.host_calls import HostFunctions, Kernels, host_functions
from harness.simt.options import Engine
from tests.mutants.automatic import verdict

__all__ = ["Original", "originals"]


@dataclass
class Original:
    """A mode, and its solution's kernels.

    Attributes:
        code: The LLVM IR of each launch of a kernel.
        calls: Makes the calls of host functions, or None.
    """

    case: Case
    target: Target
    code: Texts
    calls: _Calls | None

    def texts(self) -> dict[str, str]:
        """The LLVM IR of each kernel that is launched, by the launch's number; by symbol where the host launches it."""
        texts = {str(number): text for number, text in enumerate(self.code)}
        if self.calls:
            assert not self.verdict({}), f"{self.case.id} is wrong as it is"
            texts |= self.calls.launched()
        return texts

    def verdict(self, changed: Mapping[str, str], *, promises: bool = True, seed: int | None = None) -> str:
        """See `automatic.verdict`; with other code in the place of some of `texts`."""
        return verdict(self.backend(changed), self.case, self.target, promises=promises, seed=seed)

    def backend(self, changed: Mapping[str, str], engine: Engine = "reference") -> SimulatorBackend:
        """What runs it, with other code in the place of some of `texts`."""
        code = tuple(changed.get(str(number), text) for number, text in enumerate(self.code))
        calls = self.calls.changed(changed) if self.calls else None
        return SimulatorBackend(LaunchPlan(self.target, "simulator", engine=engine), {self.case.id: code}, calls=calls)


def originals(cases: Sequence[Case], target: Target) -> Iterator[Original]:
    """Those of the cases that a target runs, from one compilation."""
    build, able = Build(target=target, sources=Sources()), [case for case in cases if case.refusal(target) is None]
    codes, (functions, errors) = build_device_code(able, build, "llvm"), host_functions(able, build)
    assert not errors
    for case in able:
        code = codes[case.id]
        assert not isinstance(code, CompileError)
        yield Original(case, target, code, _Calls(functions) if case.called and functions else None)


class _Calls:
    """Calls of host functions, each made once for what it gets."""

    def __init__(self, functions: HostFunctions) -> None:
        self._functions = functions
        self._made: dict[tuple[int, str], HostRun] = {}

    def launched(self) -> dict[str, str]:
        """The LLVM IR of what the calls launched, by symbol."""
        texts = {}
        for run in self._made.values():
            assert isinstance(run.kernels, Kernels)
            texts |= {entry[1]: run.kernels.texts[entry[1]] for entry in run.report.journal if entry[0] == "launch"}
        return texts

    def changed(self, texts: Mapping[str, str]) -> _Changed:
        """The same calls with other code for some kernels."""
        return _Changed(self, {symbol: simt.decode(text) for symbol, text in texts.items()})

    def __call__(self, case: Case, step: int, given: Sequence[CallInputs]) -> list[HostRun]:
        return [self._call(case, step, one) for one in given]

    def _call(self, case: Case, step: int, given: CallInputs) -> HostRun:
        key = (
            step,
            sha256_hex(b"".join([*(buffer.array.tobytes() for buffer in given.buffers), repr(given.scalars).encode()])),
        )
        if key not in self._made:
            (self._made[key],) = self._functions(case, step, [given])
        return self._made[key]


@dataclass
class _Changed:
    calls: _Calls
    kernels: dict[str, simt.Module]

    def __call__(self, case: Case, step: int, given: Sequence[CallInputs]) -> list[HostRun]:
        return [replace(run, kernels=ChainMap(self.kernels, run.kernels)) for run in self.calls(case, step, given)]
