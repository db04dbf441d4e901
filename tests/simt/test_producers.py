"""Check atomics by the compiler that made them: a message and a ticket for each rule of `ir/atomic_orders.py`."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt import render
from harness.simt.ir.producers import Producer, producer_of
from harness.simt.messages import words
from tests.simt.producers import MEMBAR, Compiled, message, module, run, ticket

ENGINES = ["reference", "native"]
OTHERS = [
    Compiled.by_clang(23),
    Compiled("", unit="Mojo"),
    Compiled("clang version 3.8.0 (tags/RELEASE_380/final)", unit="Mojo"),  # with NVIDIA's libdevice linked in
    Compiled("AMD clang version 17.0.0", triple="amdgcn-amd-amdhsa"),
]
UNKNOWN = [Compiled(""), Compiled("rustc version 1.90.0"), Compiled("Apple clang version 15.0.0")]


class Row:
    """An operation that sets a flag, or looks at it, and what the backend leaves of its ordering.

    Args:
        name: The operation of an `atomicrmw`, or `cmpxchg`.
        left: Which sides it still orders: `release`, `acquire`, both or none.
    """

    def __init__(self, by: Compiled, name: str, ty: str, ordering: str, left: str) -> None:
        self.by, self.name, self.type, self.ordering = by, name, ty, ordering
        self.releases, self.acquires = "release" in left, "acquire" in left

    def __repr__(self) -> str:
        return f"{self.by.producer.split()[3]} sm_{self.by.sm} {self.name} {self.type} {self.ordering}"

    def update(self, value: int, result: str = "%v") -> str:
        """Return the operation with a value, and the register with what it found; `cmpxchg` puts the value for zero."""
        if self.name == "cmpxchg":
            failure = {"release": "monotonic", "acq_rel": "acquire"}.get(self.ordering, self.ordering)
            exchange = f"%y = cmpxchg ptr %f, {self.type} 0, {self.type} {value} {self.ordering} {failure}"
            return f"{exchange}\n  {result} = extractvalue {{ {self.type}, i1 }} %y, 0"
        return f"{result} = atomicrmw {self.name} ptr %f, {self.type} {self.literal(value)} {self.ordering}"

    @property
    def bytes(self) -> int:
        return {"i8": 1, "half": 2, "bfloat": 2, "i64": 8, "double": 8}.get(self.type, 4)

    def literal(self, value: int) -> str:
        return f"{value}" if self.type.startswith("i") else f"{value}.0"

    def equals(self, value: int) -> str:
        return f"{'icmp eq' if self.type.startswith('i') else 'fcmp oeq'} {self.type} %v, {self.literal(value)}"


def rows():
    """Yield a row for each rule at both ends of what it holds for, and for what is beside it."""
    clang, none, both = Compiled.by_clang, "", "release acquire"
    for version in (15, 20, 21, 22):
        for sm, ptx in ((60, 50), (90, 78)):
            for name, ty in (("add", "i32"), ("xchg", "i64"), ("or", "i32"), ("fadd", "float"), ("umax", "i64")):
                yield Row(clang(version, sm, ptx), name, ty, "seq_cst", none)
            yield Row(clang(version, sm, ptx), "add", "i32", "acq_rel", none)
    for name, ty in (("cmpxchg", "i32"), ("cmpxchg", "i8"), ("nand", "i32"), ("add", "i8"), ("fmax", "float")):
        yield Row(clang(20, 90), name, ty, "seq_cst", none)
        for version in (21, 22):
            yield Row(clang(version, 90), name, ty, "seq_cst", both)
            yield Row(clang(version, 70, 60), name, ty, "acq_rel", both)
            if (name, ty) != ("cmpxchg", "i8"):
                yield Row(clang(version, 60, 50), name, ty, "seq_cst", "release")
                yield Row(clang(version, 60, 50), name, ty, "acq_rel", none)
            else:
                yield Row(clang(version, 60, 50), name, ty, "seq_cst", both)
    yield Row(clang(22, 60, 50), "fadd", "double", "seq_cst", none)
    yield Row(clang(22, 50, 50), "fadd", "double", "seq_cst", "release")  # no instruction before sm_60: emulated
    yield Row(clang(22, 70, 63), "fadd", "half", "seq_cst", none)
    yield Row(clang(22, 70, 60), "fadd", "half", "seq_cst", both)
    yield Row(clang(22, 90, 78), "fadd", "bfloat", "seq_cst", none)
    yield Row(clang(22, 80, 70), "fadd", "bfloat", "seq_cst", both)
    for other in (Compiled.by_clang(23), Compiled.by_clang(24)):
        yield Row(other, "add", "i32", "seq_cst", both)
        yield Row(other, "cmpxchg", "i32", "acq_rel", both)


ROWS = list(rows())


def kinds(result):
    """Return the kinds of a result's findings."""
    assert result.fault is None, result.fault
    return {finding.kind for finding in result.findings}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_message_is_ordered_by_what_is_left_of_the_writers_atomic(row, engine):
    """The reader's side is in order: an atomic load that acquires."""
    look = f"%v = load atomic {row.type}, ptr %f acquire, align {row.bytes}"

    set_ = -1 if row.name == "nand" else 1  # of zero any `nand` makes ones

    result = run(module(message(row.update(1, "%u"), look, row.equals(set_)), row.by), engine, 2)
    assert kinds(result) == (set() if row.releases else {"race"})


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_message_is_ordered_by_what_is_left_of_the_readers_atomic(row, engine):
    """The writer's side is in order: an atomic store that releases."""
    give = f"store atomic {row.type} {row.literal(7)}, ptr %f release, align {row.bytes}"
    idle = -1 if row.name == "nand" else 0  # what makes no seven

    result = run(module(message(give, row.update(idle), row.equals(7)), row.by), engine, 2)
    assert kinds(result) == (set() if row.acquires else {"race"})


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", [row for row in ROWS if row.name == "add"], ids=repr)
def test_a_ticket_takes_both_sides_of_the_counter(row, engine):
    """The last block reads what the others have stored before they counted."""
    body = ticket(row.update(1, "%x"), f"icmp eq {row.type} %x, 3")

    result = run(module(body, row.by), engine, 4)
    assert kinds(result) == (set() if row.releases and row.acquires else {"race"})


COUNT = "%x = atomicrmw add ptr %f, i32 1 seq_cst, align 4"
LAST = "icmp eq i32 %x, 3"


@pytest.mark.parametrize("engine", ENGINES)
def test_fences_on_both_sides_order_a_relaxed_ticket(engine):
    """`__threadfence()`, which CUDA's documents ask for, on one side alone is not enough."""
    for before, behind, expected in ((MEMBAR, MEMBAR, set()), (MEMBAR, "", {"race"}), ("", MEMBAR, {"race"})):
        body = ticket(COUNT, LAST, before=before, behind=behind)

        assert kinds(run(module(body, Compiled()), engine, 4)) == expected, (before, behind)


def test_another_order_shows_the_race_too():
    """As `simulate` and `check` launch a kernel."""
    result = simt.launch_in_orders(
        module(ticket(COUNT, LAST), Compiled()),
        target="nvidia:sm_90",
        grid=4,
        block=1,
        args=[np.zeros(8, np.int32), np.zeros(2, np.int64)],
        observers=simt.observers,
    )
    assert "race" in kinds(result)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ordering", ["monotonic", "seq_cst"])
def test_the_scope_that_is_written_stays(ordering, engine):
    """An atomic of the block's scope is relaxed, and too narrow for others: also where its scope is not in the PTX."""
    count = f'%x = atomicrmw add ptr %f, i32 1 syncscope("block") {ordering}, align 4'
    result = run(module(f"{count}\n  ret void", Compiled()), engine, 2)

    assert [finding.id for finding in result.findings] == ["race.scope"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compiled", OTHERS + UNKNOWN, ids=repr)
def test_what_others_made_is_ordered_as_written(compiled, engine):
    """Mojo's IR is right as written, AMD's backend honours orderings, and of an unknown one nothing else is known."""
    target = "amd:gfx942" if compiled.triple.startswith("amdgcn") else "nvidia:sm_90"
    result = run(module(ticket(COUNT, LAST), compiled), engine, 4, target)

    assert kinds(result) == set()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compiled", UNKNOWN, ids=repr)
def test_an_unknown_compiler_is_told_in_one_line(compiled, engine):
    """Where atomics are stronger than relaxed, and nowhere else."""
    result = run(module(ticket(COUNT, LAST), compiled), engine, 4)
    lines = render.text(result).splitlines()

    assert [line for line in lines if "unknown-producer" in line] == lines[:1]
    assert [note["id"] for note in render.as_dict(result)["notes"]] == ["unknown-producer"]
    assert "unknown-producer" not in render.text(result, least="warning")
    korean = render.text(result, render.Renderer(words=words("ko")))
    assert "컴파일러" in korean.splitlines()[0]
    relaxed = run(module(ticket(COUNT.replace("seq_cst", "monotonic"), LAST), compiled), engine, 4)
    assert "unknown-producer" not in render.text(relaxed)


@pytest.mark.parametrize("compiled", [Compiled(), *OTHERS[:3]], ids=repr)
def test_of_a_known_compiler_nothing_is_told(compiled):
    """Neither of clang, nor of Mojo."""
    assert render.notes(run(module(ticket(COUNT, LAST), compiled), "reference", 4)) == ()


@pytest.mark.parametrize("ending", ["inc.32.p0(ptr %f, i32 7)", "dec.32.p0(ptr nonnull %f, i32 noundef 7) #1"])
def test_older_intrinsics_are_relaxed_whoever_made_them(ending):
    """LLVM's own upgrade makes them `seq_cst`, which the instruction never was."""
    last = LAST if "inc" in ending else "icmp eq i32 %x, 5"  # the counter goes down from 0: 0, 7, 6, 5
    body = ticket(f"%x = tail call i32 @llvm.nvvm.atomic.load.{ending}", last)
    text = module(body, Compiled(""))
    text += "".join(f"declare i32 @llvm.nvvm.atomic.load.{name}.32.p0(ptr, i32)\n" for name in ("inc", "dec"))
    text += "attributes #1 = { nounwind }\n"
    result = run(text, "reference", 4)

    assert kinds(result) == {"race"}
    assert render.notes(result) == ()


@pytest.mark.parametrize(
    ("names", "file", "expected"),
    [
        (["Debian clang version 22.1.8 (1~deb12u1)"], "a.cu", Producer("clang", 22)),
        (["clang version 19.1.7", "clang version 3.8.0 (tags/RELEASE_380/final)"], "a.cu", Producer("clang", 19)),
        (["clang version 17.0.6", "clang version 21.1.0"], "a.cu", Producer("clang", 21)),
        (["clang version 3.8.0 (tags/RELEASE_380/final)"], "a", Producer("")),
        (["clang version 22.1.8", "rustc version 1.90.0"], "a", Producer("")),
        (["Apple clang version 15.0.0"], "a", Producer("")),
        ([], "device.mojo", Producer("Mojo")),
        (["Mojo", "clang version 3.8.0"], "a", Producer("Mojo")),
        ([], "a", Producer("")),
    ],
)
def test_a_producer_is_read_from_what_modules_say(names, file, expected):
    """Of several clangs the newest generates the code; libraries keep the names of their own."""
    assert producer_of(names, file) == expected
