"""What each lane gets of an atomic, and what is left in memory."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel, recorder, run, wrap

ATOMICS = {
    "xchg": lambda old, v, n: v,
    "add": lambda old, v, n: old + v,
    "sub": lambda old, v, n: old - v,
    "and": lambda old, v, n: old & v,
    "nand": lambda old, v, n: ~(old & v),
    "or": lambda old, v, n: old | v,
    "xor": lambda old, v, n: old ^ v,
    "max": lambda old, v, n: max(old, v),
    "min": lambda old, v, n: min(old, v),
    "umax": lambda old, v, n: max(old % (1 << n), v % (1 << n)),
    "umin": lambda old, v, n: min(old % (1 << n), v % (1 << n)),
    "uinc_wrap": lambda old, v, n: 0 if old % (1 << n) >= v % (1 << n) else old + 1,
    "udec_wrap": lambda old, v, n: v if old == 0 or old % (1 << n) > v % (1 << n) else old - 1,
    "usub_cond": lambda old, v, n: old - v if old % (1 << n) >= v % (1 << n) else old,
    "usub_sat": lambda old, v, n: old - v if old % (1 << n) >= v % (1 << n) else 0,
}


@pytest.mark.simulated
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", ATOMICS)
@pytest.mark.parametrize("places", [1, 4])
def test_integer_atomics(name, bits, places):
    """Each lane gets what the one before it left; several lanes at each place."""
    dtype = np.dtype(f"i{bits // 8}")
    body = f"""
      %n = urem i64 %i, {places}
      %p = getelementptr i{bits}, ptr %o, i64 %n
      %x = mul i64 %i, 2654435761
      %v = trunc i64 %x to i{min(bits, 63)}
      {"%w = zext i63 %v to i64" if bits == 64 else "%w = add i32 %v, 0"}
      %old = atomicrmw {name} ptr %p, i{bits} %w monotonic
      %m = add i64 %i, 8
      %q = getelementptr i{bits}, ptr %o, i64 %m
      store i{bits} %old, ptr %q"""
    output = np.zeros(40, dtype)
    output[:places] = [5, -9, 0, 1000][:places]
    cells, olds = output[:places].tolist(), []
    for lane in range(32):
        value = lane * 2654435761 & ((1 << 63) - 1)
        olds.append(cells[lane % places])
        cells[lane % places] = wrap(ATOMICS[name](cells[lane % places], wrap(value, bits), bits), bits)

    assert run(body, output).verdict == "clean"
    assert output[:places].tolist() == cells
    assert output[8:].tolist() == olds


FLOATS = {"fadd": lambda old, v: old + v, "fsub": lambda old, v: old - v, "fmax": max, "fmin": min}
FLOATS |= {"fmaximum": max, "fminimum": min}


@pytest.mark.simulated
@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("ty", ["float", "double", "half"])
def test_float_atomics(name, ty):
    """In the order of the lanes, each sum rounded."""
    dtype = {"float": np.float32, "double": np.float64, "half": np.float16}[ty]
    body = f"""
      %f = sitofp i32 %t to {ty}
      %v = fmul {ty} %f, {"0xH2E66" if ty == "half" else "0x3FB99999A0000000"}
      %old = atomicrmw {name} ptr %o, {ty} %v seq_cst"""
    output = np.full(1, 1.5, dtype)
    scale = dtype(np.array([0x2E66], np.uint16).view(np.float16)[0]) if ty == "half" else dtype(np.float32(0.1))
    total = dtype(1.5)
    for lane in range(32):
        total = dtype(FLOATS[name](total, dtype(lane) * scale))

    assert run(body, output).verdict == "clean"
    assert output[0] == total


@pytest.mark.parametrize(
    ("target", "place", "expected"),
    [
        ("nvidia:sm_90", "ptr %o", 0.0),
        ("nvidia:sm_90", "ptr addrspace(3) @cell", 3 * 2.0**-131),
        ("amd:gfx942", "ptr %o", 3 * 2.0**-131),
    ],
)
def test_nvidia_adds_denormal_numbers_as_zeros_in_global_memory_alone(target, place, expected):
    """PTX ISA, `atom`: also what is left of two numbers that are none."""
    body = f"""
      %start = bitcast i32 {2 << 17} to float
      %more = bitcast i32 {1 << 19} to float
      store float %start, {place}
      %a = atomicrmw fadd {place}, float %more monotonic
      %b = load float, {place}
      store float %b, ptr %o
      %large = bitcast i32 {1 << 23 | 1 << 22} to float
      %less = bitcast i32 {1 << 31 | 1 << 23} to float
      %p = getelementptr float, ptr %o, i64 1
      store float %large, ptr %p
      %c = atomicrmw fadd ptr %p, float %less monotonic
      %q = getelementptr float, ptr %o, i64 2
      store float %c, ptr %q"""
    output = np.zeros(3, np.float32)
    cell = "@cell = internal addrspace(3) global float undef, align 4\n"
    result = simt.launch(kernel(body, globals_=cell, target=target), target=target, grid=1, block=1, args=[output])

    assert result.verdict == "clean"
    left = 0.0 if target.startswith("nvidia") else 2.0**-127
    assert output.tolist() == [expected, left, 1.5 * 2.0**-126]


ADDED = {
    "LLVM": "%old = atomicrmw fadd ptr %o, <2 x {ty}> %v monotonic",
    "atom": '%old = call i32 asm sideeffect "atom.global.add.noftz.{word}x2 $0, [$1], $2;", "=r,l,r"(ptr %o, i32 %w)',
    "red": 'call void asm sideeffect "red.global.add.noftz.{word}x2 [$0], $1;", "l,r"(ptr %o, i32 %w)',
}


@pytest.mark.parametrize("how", ADDED)
@pytest.mark.parametrize(("ty", "word"), [("half", "f16"), ("bfloat", "bf16")])
def test_pairs_of_halves_are_added_at_once(how, ty, word):
    """Each half by itself: the lane's number, and its opposite."""
    body = f"""
      %x = sitofp i32 %t to {ty}
      %y = fneg {ty} %x
      %x1 = insertelement <2 x {ty}> poison, {ty} %x, i32 0
      %v = insertelement <2 x {ty}> %x1, {ty} %y, i32 1
      %w = bitcast <2 x {ty}> %v to i32
      {ADDED[how].format(ty=ty, word=word)}"""
    output = np.zeros(4, np.uint8)

    assert run(body, output, block=20).verdict == "clean"
    octets = output.view(np.uint16)
    sums = octets.view(np.float16) if ty == "half" else (octets.astype(np.uint32) << 16).view(np.float32)
    assert sums.tolist() == [190.0, -190.0]


@pytest.mark.parametrize(("name", "left"), [("fmax", 1.0), ("fmaximum", np.nan)])
def test_the_largest_of_what_may_be_no_number(name, left):
    """As `llvm.maxnum` and `llvm.maximum` have it."""
    body = f"""
      %first = icmp eq i32 %t, 0
      %v = select i1 %first, float 0x7FF8000000000000, float 1.0
      %old = atomicrmw {name} ptr %o, float %v monotonic"""
    output = np.zeros(1, np.float32)
    run(body, output)

    np.testing.assert_array_equal(output, np.array([left], np.float32))


@pytest.mark.simulated
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_compare_and_exchange_lets_one_lane_win(seed):
    """The others get what it left, and are told that they failed."""
    body = """
      %n = add i32 %t, 100
      %both = cmpxchg ptr %o, i32 0, i32 %n acq_rel monotonic
      %old = extractvalue { i32, i1 } %both, 0
      %won = extractvalue { i32, i1 } %both, 1
      %w = zext i1 %won to i32
      %x = mul i32 %w, 1000
      %y = add i32 %x, %old
      %m = add i64 %i, 1
      %q = getelementptr i32, ptr %o, i64 %m
      store i32 %y, ptr %q"""
    output = np.zeros(33, np.int32)
    run(body, output, seed=seed)
    winner = int(output[0])

    assert sorted(output[1:].tolist()) == [winner] * 31 + [1000]
    assert output[1 + winner - 100] == 1000
    if seed is None:
        assert winner == 100


EXCHANGES = {
    "nvidia:sm_90": "call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %o, i32 0, i32 1)",
    "amd:gfx942": "cmpxchg ptr %o, i32 0, i32 1 monotonic monotonic",
    "apple:apple-m4": "call i32 @air.atomic.global.cmpxchg.i32(ptr %o, ptr %old, i32 1, i32 0, i32 0, i32 2, i1 true)",
}


@pytest.mark.parametrize("target", EXCHANGES)
def test_exchanges_that_fail_do_not_race_with_one_that_does_not(target):
    """They load, atomically as well; a plain load beside them races."""
    body = f"%old = alloca i32\nstore i32 0, ptr %old\n%v = {EXCHANGES[target]}"

    def kinds(body):
        text = kernel(body, target=target)
        watch = simt.observers(counters=False)
        result = simt.launch(text, target=target, grid=2, block=64, args=[np.zeros(1, np.int32)], observers=watch)
        return [finding.kind for finding in result.findings if finding.severity == "error"]

    assert kinds(body) == []
    assert set(kinds(f"{body}\n%w = load i32, ptr %o")) == {"race"}


def test_a_lock_of_compare_and_exchange_makes_progress():
    """Lanes of one warp spin for a lock, one after another gets it."""
    body = """
      br label %try
    try:
      %both = cmpxchg ptr %o, i32 0, i32 1 acquire monotonic
      %won = extractvalue { i32, i1 } %both, 1
      br i1 %won, label %own, label %try
    own:
      %p = getelementptr i32, ptr %o, i64 1
      %v = load i32, ptr %p
      %w = add i32 %v, 1
      store i32 %w, ptr %p
      store atomic i32 0, ptr %o release, align 4
      br label %end
    end:"""
    output = np.zeros(2, np.int32)
    result = run(body, output, spin_steps=20)

    assert (result.verdict, output.tolist()) == ("clean", [0, 32])


def test_atomics_on_shared_and_on_a_float_tell_observers():
    """Kind, operand, old value, ordering, scope and operation."""
    watch, events = recorder("access")
    body = """
      store float 2.0, ptr addrspace(3) @s
      %f = sitofp i32 %t to float
      %old = atomicrmw fadd ptr addrspace(3) @s, float %f syncscope("block") acq_rel"""
    run(
        body,
        np.zeros(1),
        globals_="@s = internal addrspace(3) global float poison\n",
        observers=(watch,),
        block=4,
    )
    (_, event) = events[-1]

    assert (event.kind, event.operation, event.ordering, event.scope) == (
        "atomic",
        "fadd",
        "acq_rel",
        "block",
    )
    assert (event.allocation.space, event.allocation.name, event.size) == ("shared", "s", 4)
    assert event.values.tolist() == [0, 1, 2, 3] and event.old.tolist() == [2, 2, 3, 5]


@pytest.mark.parametrize("ty", ["float", "double"])
@pytest.mark.parametrize("scope", ["cta", "sys"])
def test_sums_of_a_scope_of_its_own(scope, ty):
    """As clang's built-ins write them: each lane gets a sum of those before it, in whatever order."""
    bits = {"float": 32, "double": 64}[ty]
    body = f"""
      %n = shl i32 1, %t
      %f = uitofp i32 %n to {ty}
      %v = fmul {ty} %f, 0.25
      %old = call {ty} @llvm.nvvm.atomic.add.gen.f.{scope}.f{bits}.p0(ptr %o, {ty} %v)
      %m = add i64 %i, 1
      %q = getelementptr {ty}, ptr %o, i64 %m
      store {ty} %old, ptr %q"""
    output = np.zeros(21, np.dtype(f"f{bits // 8}"))
    output[0] = 0.5
    result = run(body, output, block=20)
    olds = np.sort(output[1:])

    assert result.verdict == "clean"
    assert output[0] == 0.5 + ((1 << 20) - 1) / 4
    assert np.sort(np.diff([*olds, output[0]])).tolist() == [2.0**n / 4 for n in range(20)]


COUNTER = "@count = internal addrspace(3) global i32 undef, align 4\n"
CLEARED = """
  %first = icmp eq i32 %t, 0
  br i1 %first, label %clear, label %cleared
clear:
  store i32 0, ptr addrspace(3) @count
  br label %cleared
cleared:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"""


@pytest.mark.parametrize(
    ("first", "update", "kinds"),
    [
        ("", "atomicrmw add ptr addrspace(3) @count, i32 1 monotonic", ["uninitialised"]),
        (CLEARED, "atomicrmw add ptr addrspace(3) @count, i32 1 monotonic", []),
        ("", "atomicrmw xchg ptr addrspace(3) @count, i32 1 monotonic", []),
        ("", "cmpxchg ptr addrspace(3) @count, i32 0, i32 1 monotonic monotonic", ["uninitialised"]),
        (CLEARED, "cmpxchg ptr addrspace(3) @count, i32 0, i32 1 monotonic monotonic", []),
    ],
    ids=["counted", "cleared and counted", "set", "compared", "cleared and compared"],
)
def test_what_is_counted_from_an_undefined_number_is_undefined(first, update, kinds):
    """A shared counter that nobody cleared: atomics add to whatever is there; an exchange sets it."""
    body = f"""{first}
  %old = {update}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @count
  %p = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %p"""
    watch = simt.observers(counters=False)
    result = run(body, np.zeros(32, np.int32), globals_=COUNTER, observers=watch)

    assert [finding.kind for finding in result.findings if finding.severity == "error"] == kinds


@pytest.mark.parametrize("initialised", [True, False])
def test_the_old_value_of_an_atomic_is_as_undefined_as_the_number_was(initialised):
    """Of a buffer that the host wrote, or not; what the exchange leaves is defined."""
    watch, events = recorder("tainted")
    body = """
      %old = atomicrmw xchg ptr %x, i32 1 monotonic
      store i32 %old, ptr %o
      %new = load i32, ptr %x
      %p = getelementptr i32, ptr %o, i64 1
      store i32 %new, ptr %p"""
    given = simt.Buffer(np.zeros(1, np.int32), "x", initialised=initialised)
    run(body, np.zeros(2, np.int32), block=1, params="ptr %o, ptr %x", extra=[given], observers=(watch,))

    stored = [
        event.site.text.split()[2].rstrip(",") for _, event in events if event.use == "output" and event.taint.any()
    ]
    assert stored == ([] if initialised else ["%old"])
