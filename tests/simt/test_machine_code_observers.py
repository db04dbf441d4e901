"""An observer that machine code does not know: it alone is interpreted for, and the result names it."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.cli.main import main
from harness.simt import result as ran
from harness.simt.declined import Cause, Reason, UnknownObserver
from harness.simt.observing.profile import Profile
from harness.simt.result import LONG, EngineUsage
from tests.simt.snippets import kernel

COPY = kernel("%p = getelementptr i32, ptr %o, i32 %t\n  store i32 %t, ptr %p")
LOOP = """
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %m, %loop ]
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 6000
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %m, ptr %p"""


class Watching(simt.Observer):
    """Counts accesses, and takes no proof in their place."""

    def __init__(self):
        self.accesses = 0

    def access(self, event):
        """See `Observer`."""
        self.accesses += event.lanes.n


def launched(*observers, engine="native"):
    options = simt.Options(engine=engine)
    how = {"target": "nvidia:sm_90", "grid": 1, "block": 32, "args": [np.zeros(32, np.int32)]}
    return simt.launch(COPY, observers=(*simt.observers(counters=False), *observers), options=options, **how)


@pytest.mark.parametrize("engine", ["native", "auto"])
def test_the_result_names_each_observer_for_which_a_launch_is_interpreted(engine):
    watching = Watching()
    alone, both = launched(watching, engine=engine), launched(Watching(), Profile(), Watching(), engine=engine)

    assert watching.accesses == 32
    assert alone.engine == EngineUsage(python=1, cause=UnknownObserver(("Watching",)).cause, observers=("Watching",))
    names = "Watching", "Profile"
    assert both.engine == EngineUsage(python=1, cause=UnknownObserver(names).cause, observers=names)
    assert both.engine.why == "the observers Watching and Profile, which have no compiled form"


class Asking(Watching):
    """Needs to see some blocks."""

    def __init__(self, *blocks):
        super().__init__()
        self._blocks = blocks

    @property
    def blocks(self):
        """See `Observer`."""
        return self._blocks


class Known(simt.Observer):
    """Takes any proof, and counts the accesses that it is told of nevertheless."""

    accesses = 0

    def adopt(self, engine, proof):
        """See `Observer`."""
        return True

    def access(self, event):
        """See `Observer`."""
        self.accesses += event.lanes.n


EACH = kernel("%p = getelementptr i32, ptr %o, i64 %i\n  store i32 %t, ptr %p")
UPDATES = kernel("%old = atomicrmw add ptr %o, i32 1 monotonic")


def of_eight_blocks(text, *observers):
    given = np.zeros(256, np.int32)
    how = {"target": "nvidia:sm_90", "grid": 8, "block": 32, "args": [given]}
    return simt.launch(text, observers=observers, options=simt.Options(engine="native"), **how), given


@pytest.mark.parametrize(("asked", "python"), [((3,), 1), ((3, 5, 3), 2), ((), 0)], ids=str)
def test_an_observer_is_interpreted_for_on_the_blocks_that_it_asks_for(asked, python):
    asking, known = Asking(*asked), Known()
    result, output = of_eight_blocks(EACH, known, asking)

    assert (result.engine.native, result.engine.python, result.engine.observers) == (8 - python, python, ("Asking",))
    assert (asking.accesses, known.accesses) == (32 * python, 0)
    assert output.tolist() == [*range(32)] * 8


def test_other_observers_have_the_proof_where_one_watches_all_blocks():
    watching, known = Watching(), Known()
    result, output = of_eight_blocks(EACH, known, watching)

    assert (watching.accesses, known.accesses) == (256, 0)
    assert (result.engine.native, result.engine.python, result.verdict) == (0, 8, "clean")
    assert output.tolist() == [*range(32)] * 8


def test_an_observer_sees_all_blocks_where_these_update_the_same_place():
    asking = Asking(3)
    result, output = of_eight_blocks(UPDATES, Known(), asking)

    assert (asking.accesses, result.engine.python) == (256, 8)
    assert output[0] == 256


def test_a_launch_that_is_not_clean_is_interpreted_for_all_of_them():
    asking, known = Asking(3), Known()
    outside = EACH.replace("ptr %o, i64 %i", "ptr %o, i64 8000000")
    result, _ = of_eight_blocks(outside, known, asking)

    assert (result.engine.native, result.engine.python) == (0, 8)
    assert asking.accesses == known.accesses


def test_no_observer_is_named_where_none_keeps_a_launch_from_machine_code():
    assert launched().engine == EngineUsage(native=1)
    assert launched(engine="auto").engine.observers == ()
    assert launched(Watching(), engine="reference").engine == EngineUsage(python=1)


def test_a_note_is_printed_where_machine_code_was_asked_for_or_an_observer_costs_time():
    watched = EngineUsage(python=1, cause=UnknownObserver(("A",)).cause, observers=("A",))
    plain = EngineUsage(python=1, cause=Cause(Reason.SIZE))

    assert [watched.is_reported("auto", seconds) for seconds in (LONG / 2, LONG * 2)] == [False, True]
    assert not plain.is_reported("auto", LONG * 2)
    assert plain.is_reported("native", 0.0)


@pytest.mark.slow
def test_simulate_says_that_a_profile_is_why_a_long_launch_is_interpreted(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ran, "LONG", 0.0)  # however fast this machine is
    file = tmp_path / "k.ll"
    file.write_text(kernel(LOOP), encoding="utf-8")
    shape = ["--grid", "1", "--block", "32", "--arg", "o=zeros:i32:32"]
    words = ["simulate", str(file), "--target", "nvidia:sm_90", *shape]
    main(words)
    plain = capsys.readouterr().err
    main([*words, "--profile"])

    assert "because of the observer" not in plain
    assert "note: the interpreter ran k because of the observer Profile," in capsys.readouterr().err
