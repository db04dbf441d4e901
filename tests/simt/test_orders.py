"""What depends on the order of the threads shows without a seed, where trying others is quick."""

import time

import numpy as np
import pytest

from harness import simt
from harness.backends.base import Request
from harness.cases.check import judge
from harness.catalogue import CASES
from harness.model.target import Target
from harness.simt.run import orders
from tests.simt.snippets import declarations
from tests.solutions.stored import simulator

TID = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
LAST = "%old = atomicrmw xchg ptr %o, i32 %t monotonic"
# The number of the atomic's turn is the thread's own in the fixed order alone.
TURN = "%n = atomicrmw add ptr %o, i32 1 monotonic\n%early = icmp ne i32 %n, %t\n"
OUTSIDE = f"""{TURN}br i1 %early, label %wrong, label %end
wrong:
%far = getelementptr i32, ptr %o, i32 100
store i32 1, ptr %far
br label %end
end:"""
SUM = """%f = sitofp i32 %t to float
%x = fdiv float 1.0, %f
%z = fadd float %x, 1.0e+03
%old = atomicrmw fadd ptr %o, float %z monotonic"""
EACH = """%p = getelementptr i32, ptr %o, i32 %t
%v = load i32, ptr %p
%w = add i32 %v, 1
store i32 %w, ptr %p"""


class Counted(simt.Observer):
    """Counts launches."""

    made = 0

    def launch_begin(self, engine):
        """See `Observer`."""
        Counted.made += 1


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """The machine may be busy."""
    Counted.made = 0
    monkeypatch.setattr(orders, "LITTLE", 30.0)


def run(body, argument, **options):
    """64 threads."""
    code = TID + body
    return simt.launch_in_orders(
        f"{declarations(code)}define ptx_kernel void @k(ptr %o) {{\n{code}\nret void\n}}",
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[argument],
        observers=lambda: (Counted(),),
        options=simt.Options(**options),
    )


def test_a_result_that_depends_on_the_order_is_told_with_a_seed_that_shows_it():
    """The last exchange wins: that of thread 63 in the fixed order."""
    output = np.zeros(3, np.int32)

    result = run(LAST, simt.Buffer(output, "output"))

    (finding,) = result.findings
    assert (finding.id, finding.severity, finding.argument) == ("order-dependent.result", "warning", "output")
    assert (finding.count, finding.values["total"], finding.values["first"]) == (1, 3, "63")
    assert result.verdict == "findings"
    assert output.tolist() == [63, 0, 0]
    seed, other = finding.values["seed"], np.zeros(3, np.int32)
    assert run(LAST, other, seed=seed).findings == ()
    assert str(other[0]) == finding.values["other"] != "63"


def test_a_fault_that_only_another_order_shows_is_told_with_its_seed():
    result = run(OUTSIDE, np.zeros(1, np.int32))

    (finding,) = result.findings
    assert (finding.kind, finding.severity) == ("out-of-bounds", "error")
    assert finding.values["seed"] in simt.SEEDS
    assert f"in another order of the threads: seed {finding.values['seed']}" in simt.render.text(result)
    assert run(OUTSIDE, np.zeros(1, np.int32)).verdict == "findings"
    assert run(OUTSIDE, np.zeros(1, np.int32), seed=finding.values["seed"]).verdict == "findings"


def test_the_rounding_of_a_sum_is_for_information():
    """Its last bits depend on the order, on a GPU too: no fault of the kernel."""
    result = run(SUM.replace("%f = sitofp i32 %t", "%s = add i32 %t, 1\n%f = sitofp i32 %s"), np.zeros(1, np.float32))

    assert [(finding.id, finding.severity) for finding in result.findings] == [
        ("order-dependent.rounding", "information")
    ]
    assert result.verdict == "clean"


def test_the_arrays_are_as_the_first_order_left_them():
    """Each order begins with what was there; views of one array stay one."""
    base = np.arange(80, dtype=np.int32)

    result = run(EACH, base[8:72])

    assert (result.verdict, result.findings, Counted.made) == ("clean", (), 4)
    assert (result.orders, result.why_no_more) == (4, "")
    assert base.tolist() == [*range(8), *range(9, 73), *range(72, 80)]


def test_a_seed_asks_for_one_order():
    result = run(EACH, np.zeros(64, np.int32), seed=5)

    assert (Counted.made, result.orders, result.why_no_more) == (1, 1, "a seed asks for this one")


def test_what_takes_longer_runs_once(monkeypatch):
    monkeypatch.setattr(orders, "LITTLE", 0.0)

    result = run(EACH, np.zeros(64, np.int32))

    assert (Counted.made, result.orders, result.why_no_more) == (1, 1, "it takes long")


def test_an_order_that_took_long_is_not_tried_with_the_next_data(monkeypatch):
    """The first order is quick, as where machine code runs it; only what a seed shuffles takes long."""

    class Slow(simt.Observer):
        def launch_begin(self, engine):
            deadline = time.thread_time() + (0.6 if engine.options.seed is not None else 0.0)
            while time.thread_time() < deadline:
                pass

    monkeypatch.setattr(orders, "LITTLE", 0.5)
    module = simt.decode(f"{declarations(TID + EACH)}define ptx_kernel void @k(ptr %o) {{\n{TID}{EACH}\nret void\n}}")
    launch = {"target": "nvidia:sm_90", "grid": 1, "block": 64, "observers": lambda: (Slow(),)}

    first, second = (simt.launch_in_orders(module, args=[np.zeros(64, np.int32)], **launch) for _ in range(2))

    assert (first.orders, first.why_no_more) == (2, "it takes long") and first.work < 0.5
    assert (second.orders, second.why_no_more) == (1, "it takes long") and second.work < 0.5 < second.seeded_work


def test_a_busy_machine_changes_nothing(monkeypatch):
    """The processor does something else for longer than launches may work."""
    monkeypatch.setattr(orders, "LITTLE", 0.5)
    monkeypatch.setattr(Counted, "launch_begin", lambda *_: time.sleep(0.6))

    result = run(EACH, np.zeros(64, np.int32))

    assert (result.orders, result.why_no_more) == (4, "") and result.work < 0.5 < result.seconds


def test_a_launch_that_ends_early_runs_once():
    result = run("call void @llvm.trap()", np.zeros(1, np.int32))

    assert (Counted.made, result.orders, result.why_no_more) == (1, 1, "it did not end")


# What is written to shared memory is read by another warp, behind a barrier.
SWAP = """%s = getelementptr i32, ptr addrspace(3) @s, i32 %t
store i32 %t, ptr addrspace(3) %s
call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
%other = xor i32 %t, 32
%r = getelementptr i32, ptr addrspace(3) @s, i32 %other
%v = load i32, ptr addrspace(3) %r
%p = getelementptr i32, ptr %o, i32 %t
store i32 %v, ptr %p"""
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
GIVEN = "%g = addrspacecast ptr %i to ptr addrspace(1)\n"
COPY = (
    f"%c = getelementptr i32, ptr addrspace(3) @n, i32 %t\n{GIVEN}"
    "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %c, ptr addrspace(1) %g)\n"
)
WAIT = "call void @llvm.nvvm.cp.async.wait.all()\n"
USE = "%z = xor i32 %t, 32\n%y = getelementptr i32, ptr addrspace(3) @n, i32 %z\nstore i32 5, ptr addrspace(3) %y\n"
# One edit each, after which something can tell who was first, or one cannot be sure that nothing can.
OPEN = {
    "no barrier": (BARRIER, ""),
    "an atomic": ("%v = load", "%old = atomicrmw add ptr addrspace(3) @n, i32 1 monotonic\n%v = load"),
    "a volatile access": ("%v = load i32", "%v = load volatile i32"),
    "a clock": ("%other =", "%c = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n%other ="),
    "the lanes that are there": ("%other =", "%c = call i32 @llvm.nvvm.activemask()\n%other ="),
    "a use just before a copy that is in flight at a barrier": (f"{BARRIER}\n", f"{USE}{COPY}{BARRIER}\n{WAIT}"),
    "a change of what a copy read just after it": (
        "%p =",
        f"%g = getelementptr i32, ptr addrspace(1) @m, i32 %t\n{COPY.replace(GIVEN, '')}{BARRIER}\n{WAIT}"
        "%n = getelementptr i32, ptr addrspace(1) @m, i32 %other\nstore i32 3, ptr addrspace(1) %n\n%p =",
    ),
    "writers of one value, one of whom reads it": (
        "%p = ",
        "store i32 7, ptr addrspace(3) @n\n%7 = load i32, ptr addrspace(3) @n\n%p = ",
    ),
}
# The same where nothing can.
SETTLED = {
    "a copy that is waited for": ("%other =", f"{COPY}{WAIT}%other ="),
    "a copy that is in flight at a barrier": (f"{BARRIER}\n", f"{COPY}{BARRIER}\n{WAIT}"),
    "a use before a copy, and a barrier in between": (f"{BARRIER}\n", f"{USE}{BARRIER}\n{COPY}{BARRIER}\n{WAIT}"),
    "a thread's own use just before its copy": (
        f"{BARRIER}\n",
        f"{COPY}{BARRIER}\n{WAIT}".replace("call void", "store i32 1, ptr addrspace(3) %c\ncall void", 1),
    ),
    "writers of one value": ("%p = ", "store i32 7, ptr addrspace(3) @n\n%p = "),
}


def swapped(body, **how):
    """Two warps swap their numbers, under all observers."""
    shared = "@s = internal addrspace(3) global [64 x i32] undef\n@n = internal addrspace(3) global [64 x i32] undef\n"
    shared += "@m = internal addrspace(1) global [64 x i32] zeroinitializer\n"
    output = np.zeros(64, np.int32)
    code = TID + body
    result = simt.launch_in_orders(
        f"{shared}{declarations(code)}define ptx_kernel void @k(ptr %o, ptr %i) {{\n{code}\nret void\n}}",
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[output, simt.Buffer(np.zeros(64, np.int32), writable=False)],
        observers=simt.observers,
        **how,
    )
    return result, output


def test_one_order_is_enough_where_barriers_order_all_that_meets():
    """Nothing can tell who was first: every order gives the same, and the result says so."""
    result, output = swapped(SWAP)

    assert output.tolist() == [*range(32, 64), *range(32)]
    assert (result.verdict, result.orders, result.why_no_more) == ("clean", 1, "every order gives the same")
    assert simt.render.as_dict(result)["orders"] == {"ran": 1, "why_no_more": "every order gives the same"}


@pytest.mark.parametrize("edit", OPEN.values(), ids=OPEN)
def test_others_are_tried_where_something_may_depend_on_the_order(edit):
    assert edit[0] in SWAP
    result, _ = swapped(SWAP.replace(*edit, 1))

    assert (result.orders, result.why_no_more) == (4, ""), result.findings


def test_a_use_of_a_copy_in_flight_that_only_another_order_shows_is_found():
    body = SWAP.replace(*OPEN["a use just before a copy that is in flight at a barrier"], 1)
    first, _ = swapped(body, seeds=())
    result, _ = swapped(body, seeds=range(1, 13))  # of two warps half of the orders have them together

    assert (first.verdict, first.ordered) == ("clean", False)
    assert {finding.id.partition(".")[0] for finding in result.findings} == {"async-copy"}
    assert all("seed" in finding.values for finding in result.findings)


@pytest.mark.parametrize("edit", SETTLED.values(), ids=SETTLED)
@pytest.mark.parametrize("engine", ["reference", "auto"])
def test_one_order_is_enough_where_it_is_proved_that_nothing_depends_on_it(edit, engine):
    """And where it is tried all the same, it changes nothing."""
    assert edit[0] in SWAP
    body = SWAP.replace(*edit, 1)
    result, output = swapped(body, options=simt.Options(engine=engine))

    assert (result.verdict, result.orders, result.why_no_more) == ("clean", 1, "every order gives the same")
    for seed in simt.SEEDS:
        other, left = swapped(body, options=simt.Options(seed=seed))
        assert (other.verdict, left.tolist()) == ("clean", output.tolist()), other.findings


LUCKY = """
@turns = internal addrspace(1) global i32 0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = atomicrmw add ptr addrspace(1) @turns, i32 1 monotonic
  %other = xor i32 %n, 1
  %p = getelementptr float, ptr %in, i32 %other
  %v = load float, ptr %p
  %q = getelementptr float, ptr %out, i32 %t
  store float %v, ptr %q
  ret void
}"""


def test_a_kernel_that_is_right_in_one_order_alone_does_not_pass():
    """It takes the number of its turn for its thread's."""
    case = next(entry for entry in CASES if entry.id == "p26:pair-swap")
    instance = case.instance(Target.parse("nvidia:sm_90").warp_width)
    verdicts = {}
    for seed in (None, 2):
        backend = simulator(case, "nvidia:sm_90", seed, code=LUCKY)
        for dataset in instance.datasets:
            request = Request(case=case, instance=instance, dataset=dataset)
            verdicts.setdefault(seed, set()).add(judge(request, backend.launch(request)).verdict)

    assert "FINDING" in verdicts[None]
    assert verdicts[None] <= {"FINDING", "PASS"}  # data of one value do not tell
    assert "MISMATCH" in verdicts[2]
