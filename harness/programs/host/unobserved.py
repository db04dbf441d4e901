"""Decide if a launch of a kernel gets all checks (the first few, while cheap); report at the end which did not.

Later launches are still checked where the compiled engine can run them (see `launches`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from harness.programs.host.checks import Checks
from harness.programs.host.options import Options
from harness.simt.result import LaunchResult

__all__ = ["Unobserved"]

Key: TypeAlias = tuple[str, str]  # a kernel, by its name in the code and that in the source


class Unobserved:
    """Counts launches of kernels, and says which of them are observed.

    The first ones of a kernel are, as many as the options say, unless to say what is wrong with them takes long: of a
    wrong launch nothing is proved, so the interpreter runs it with all checks.

    Attributes:
        launches: How often each kernel was launched.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.launches: Counter[Key] = Counter()
        self._observed: Counter[Key] = Counter()
        self._seconds: dict[Key, float] = {}  # of CPU, that wrong launches took
        self._skipped: Counter[Key] = Counter()

    def is_observed(self, key: Key) -> bool:
        """Return whether the launch of a kernel that begins now is observed."""
        return self.launches[key] <= self._options.observed_launches and not self._is_explained(key)

    def _is_explained(self, key: Key) -> bool:
        return self._seconds.get(key, -1.0) >= self._options.explain_seconds

    def note(self, key: Key, result: LaunchResult) -> None:
        """Count an observed launch; if it has errors, add its seconds of CPU to those of its kernel."""
        self._observed[key] += 1
        if any(finding.severity == "error" for finding in result.findings):
            self._seconds[key] = self._seconds.get(key, 0.0) + result.work

    def skip(self, key: Key) -> None:
        """Note a launch that only the interpreter ran, without checks."""
        self._skipped[key] += 1

    def close(self, checks: Checks) -> None:
        """Report which launches were not observed, and why, as information: one finding for each kernel."""
        for key, count in self._skipped.items():
            facts: dict[str, Any] = {"count": count, "kernel": key[1], "observed": self._observed[key]}
            if self._is_explained(key):
                seconds = f"{self._seconds[key]:.1f}"
                checks.finding("launches-unexplained", "information", (), **facts, seconds=seconds)
            else:
                facts["observed"] = self._options.observed_launches
                checks.finding("launches-unobserved", "information", (), **facts)
