"""What tests may ask of the installed pair of MAX and Mojo, by the table of `harness/build/versions.py`."""

from __future__ import annotations

from collections.abc import Iterator

from harness.build import versions

__all__ = ["NEEDS", "is_newest", "lacking", "limits_of"]

# What needs that which a pair cannot do, by the words of the table: programs of `programs/programs`, and folders of
# kernels. Their tests are skipped with such a pair.
NEEDS = {
    "stores to a TileTensor whose layout is a parameter": ("tests/puzzles/documented",),
    "programs that call MAX's `rms_norm_gpu`, `cumsum` or `sum` as 26.7 has them": ("max_rows",),
    "`wait_on_dependent_grids` and `launch_dependent_grids` in a puzzle's kernel": ("tests/simt/kernels",),
}


def is_newest() -> bool:
    """Return whether what is stored in the repository was made by the installed pair."""
    return versions.installed_pair() == versions.NEWEST


def lacking(name: str) -> str:
    """Return why the installed pair cannot do what a test needs, a program or a folder of kernels; empty if it can."""
    pair = versions.installed_pair()
    return next((f"{pair}: {limit.what} ({limit.why})" for needed, limit in limits_of(pair) if needed == name), "")


def limits_of(pair: versions.ReleasePair | None) -> Iterator[tuple[str, versions.Limit]]:
    """Yield the programs and folders whose tests are skipped with a pair, each with what it lacks there."""
    for limit in pair.limits if pair else ():
        for needed in NEEDS[limit.what]:
            yield needed, limit
