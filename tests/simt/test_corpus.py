"""Programs of `corpus`: right, clean, and compiled wherever they were before."""

from __future__ import annotations

import pytest

from tests.simt.corpus.launching import Program, Ran, Recorder, has_library, programs
from tests.simt.corpus.table import HOSTS, MODES, host_launches, known

PROGRAMS = [pytest.param(one, id=one.name) for one in programs()]


def compiled_no_longer(mode: str, name: str, ran: list[Ran]) -> list[str]:
    """Return the kernels of a program whose launches were compiled when the table was made, and are not now."""
    before = [Ran(*launch) for launch in known()["now"][mode][name]]
    assert [launch.kernel for launch in before] == [launch.kernel for launch in ran]
    pairs = zip(before, ran, strict=True)
    return [f"{new.kernel}: {new.why}" for old, new in pairs if old.compiled and not new.compiled]


def launched(one: Program, counters: bool, engine: str = "native") -> list[Ran]:
    """Run a program, which asserts its results, and return its launches."""
    if one.needs_library and not has_library():
        pytest.skip("NVIDIA's library for devices is not on this machine")
    run = Recorder(one.module, counters, engine)  # type: ignore[arg-type]
    one.check(run)
    return run.ran


@pytest.mark.slow
@pytest.mark.parametrize("one", PROGRAMS)
def test_a_launch_that_was_compiled_is_compiled(one: Program) -> None:
    assert not compiled_no_longer("checks", one.name, launched(one, MODES["checks"]))


@pytest.mark.slow
@pytest.mark.parametrize("one", PROGRAMS)
def test_a_launch_that_was_compiled_and_counted_is_compiled(one: Program) -> None:
    assert not compiled_no_longer("counters", one.name, launched(one, MODES["counters"]))


@pytest.mark.slow
@pytest.mark.parametrize("one", PROGRAMS)
def test_the_interpreter_gives_the_same(one: Program) -> None:
    assert not any(launch.compiled for launch in launched(one, False, "reference"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", HOSTS)
def test_launches_of_a_whole_program_are_compiled_as_before(name: str, mode: str) -> None:
    assert not compiled_no_longer(mode, name, list(host_launches(name, MODES[mode])))


def test_each_launch_of_the_table_names_why_it_is_interpreted() -> None:
    launches = [Ran(*launch) for of in known()["now"].values() for ran in of.values() for launch in ran]

    assert len({launch.kernel for launch in launches}) >= 60
    assert all(launch.why for launch in launches if not launch.compiled)


def test_most_launches_with_all_checks_are_compiled() -> None:
    launches = [Ran(*launch) for ran in known()["now"]["checks"].values() for launch in ran]

    assert sum(bool(launch.compiled) for launch in launches) >= 0.85 * len(launches)
