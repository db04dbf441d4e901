"""Apple's SIMD-group functions, indices, conversions and numbers."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, recorder

METAL = "apple:apple-m4"
SHUFFLES = {
    "simd_shuffle": lambda n, k: k,
    "simd_broadcast": lambda n, k: k,
    "simd_shuffle_xor": lambda n, k: n ^ k,
    "simd_shuffle_up": lambda n, k: n - k if n >= k else n,
    "simd_shuffle_down": lambda n, k: n + k if n + k < 32 else n,
    "simd_shuffle_rotate_up": lambda n, k: (n - k) % 32,
    "simd_shuffle_rotate_down": lambda n, k: (n + k) % 32,
    "quad_broadcast": lambda n, k: n // 4 * 4 + k % 4,
    "quad_shuffle_xor": lambda n, k: n ^ (k & 3),
}


@pytest.mark.parametrize("ty", ["float", "i32"])
@pytest.mark.parametrize("name", SHUFFLES)
def test_shuffles(name, ty):
    """Every operand, for both SIMD-groups of a threadgroup."""
    suffix = {"float": "f32", "i32": "s.i32"}[ty]
    count = 4 if name.startswith("quad") else 32
    operands = np.repeat(np.arange(count), 64).tolist()
    values = list(range(64 * count))
    body = f"%r = call {ty} @air.{name}.{suffix}({ty} %a, i16 %b)"
    got = evaluate(body, ty, (ty, values), ("i16", operands), block=64, target=METAL)

    assert got.tolist() == [n // 32 * 32 + SHUFFLES[name](n % 32, k) for n, k in zip(values, operands, strict=True)]


REDUCTIONS = {"sum": np.sum, "product": np.prod, "min": np.min, "max": np.max}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    """Over each SIMD-group; floats of one sign and small, so that order does not matter."""
    values = (np.arange(64) % 3 + 1).astype(np.float32)
    expected = np.repeat(REDUCTIONS[name](values.reshape(2, 32), axis=1), 32)
    got = evaluate(f"%r = call float @air.simd_{name}.f32(float %a)", "float", ("float", values), target=METAL)

    assert got.tolist() == expected.tolist()


def test_a_sum_of_bfloats_is_one():
    """287 lies between two of them, of which the even one is taken."""
    numbers = np.array([256.0, *[1.0] * 31], np.float32)
    body = "%s = call bfloat @air.simd_sum.bf16(bfloat %a)\n%r = fpext bfloat %s to float"

    assert set(evaluate(body, "float", ("bfloat", numbers), target=METAL).tolist()) == {288.0}


def test_integer_reductions_know_their_sign():
    """`.u.` compares without a sign."""
    values = [-1, 5, *range(100, 130)]
    for name, expected in {"max.s.i32": 129, "max.u.i32": -1, "min.s.i32": -1, "min.u.i32": 5}.items():
        got = evaluate(f"%r = call i32 @air.simd_{name}(i32 %a)", "i32", ("i32", values), target=METAL)
        assert set(got.tolist()) == {expected}


def test_a_partial_group_reduces_what_is_there():
    """Eight threads: neutral values stand in for the others."""
    for name, expected in {"min": 1.0, "max": 8.0, "sum": 36.0}.items():
        body = f"%r = call float @air.simd_{name}.f32(float %a)"
        assert evaluate(body, "float", ("float", list(range(1, 9))), target=METAL).tolist() == [expected] * 8


def test_votes_and_ballots():
    """Of the lanes that are there."""
    yes = [1, 0] * 16 + [0] * 16
    ballot = "%r = call i64 @air.simd_ballot.i64(i1 %a)"
    assert evaluate(ballot, "i64", ("i1", yes), target=METAL).tolist() == [0x55555555] * 32 + [0] * 16
    for name, expected in {"any": [1] * 32 + [0] * 16, "all": [0] * 48}.items():
        got = evaluate(f"%r = call i1 @air.simd_{name}(i1 %a)", "i1", ("i1", yes), target=METAL)
        assert got.tolist() == expected
    active = "%r = call i64 @air.simd_active_threads_mask.i64()"
    assert evaluate(active, "i64", ("i1", yes), target=METAL).tolist() == [2**32 - 1] * 32 + [0xFFFF] * 16


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_ballot_is_asked_for_all_and_for_any(engine):
    """Of the threads that the SIMD-group has, the second one 16; bits of others do not count."""
    first, second = 2**32 - 1, 2**16 - 1
    for bits, every, some in [
        (first, (1, 1), (1, 1)),
        (second, (0, 1), (1, 1)),
        (first - 1, (0, 0), (1, 1)),
        (first - second, (0, 0), (1, 0)),
        (1 << 32, (0, 0), (0, 0)),
        (0, (0, 0), (0, 0)),
    ]:
        for name, (of_first, of_second) in {"all": every, "any": some}.items():
            body = f"%r = call i1 @air.simd_vote_{name}.i64(i64 %a)"
            got = evaluate(body, "i1", ("i64", [bits] * 48), target=METAL, engine=engine)
            assert got.tolist() == [of_first] * 32 + [of_second] * 16, (name, hex(bits))


def test_a_vote_in_a_branch_misses_who_is_elsewhere():
    """A ballot of the lower half, all of them for it: the upper half is of the SIMD-group, too."""
    text = kernel(
        """
      %go = icmp ult i32 %t, 16
      br i1 %go, label %in, label %join
    in:
      %b = call i64 @air.simd_ballot.i64(i1 true)
      %all = call i1 @air.simd_vote_all.i64(i64 %b)
      %any = call i1 @air.simd_vote_any.i64(i64 %b)
      %u = zext i1 %all to i32
      %v = zext i1 %any to i32
      %w = shl i32 %v, 1
      %r = or i32 %u, %w
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %r, ptr %p
      br label %join
    join:""",
        target=METAL,
    )
    output = np.zeros(32, np.int32)
    simt.launch(text, target=METAL, grid=1, block=32, args=[output]).raise_for_fault()

    assert output.tolist() == [2] * 16 + [0] * 16


def test_shuffling_from_a_lane_that_is_off_is_found():
    """Lane 3 has taken another way."""
    text = kernel(
        """
      %go = icmp ult i32 %t, 8
      br i1 %go, label %join, label %in
    in:
      %v = call i32 @air.simd_shuffle.s.i32(i32 %t, i16 3)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p
      br label %join
    join:""",
        target=METAL,
    )
    result = simt.launch(text, target=METAL, grid=1, block=32, args=[np.zeros(32, np.int32)])

    assert [(finding.kind, finding.count) for finding in result.findings] == [("inactive-source", 24)]


def test_indices():
    """Positions and sizes."""
    for name, expected in {
        "thread_position_in_threadgroup.x": [*range(40)] * 2,
        "threadgroup_position_in_grid.x": [0] * 40 + [1] * 40,
        "threads_per_threadgroup.x": [40] * 80,
        "threadgroups_per_grid.x": [2] * 80,
        "threads_per_grid.x": [80] * 80,
        "thread_position_in_grid.x": [*range(80)],
        "thread_index_in_simdgroup": [*range(32), *range(8)] * 2,
        "simdgroup_index_in_threadgroup": ([0] * 32 + [1] * 8) * 2,
        "threads_per_simdgroup": [32] * 80,
        "simdgroups_per_threadgroup": [2] * 80,
        "thread_index_in_threadgroup": [*range(40)] * 2,
    }.items():
        got = evaluate(f"%r = call i32 @air.{name}()", "i32", ("i32", [0] * 80), block=40, target=METAL)
        assert got.tolist() == expected, name


def test_indices_of_three_dimensions():
    """Of every thread of a grid: what its place is made of, and the sizes."""
    grid, block = (2, 3, 2), (4, 2, 3)
    number = np.arange(int(np.prod(grid) * np.prod(block)))
    group, thread = divmod(number, int(np.prod(block)))
    columns, lines = [], []
    for n, axis in enumerate("xyz"):
        within, of = (k // int(np.prod(size[:n])) % size[n] for k, size in ((thread, block), (group, grid)))
        for name, expected in {
            "thread_position_in_threadgroup": within,
            "threadgroup_position_in_grid": of,
            "thread_position_in_grid": of * block[n] + within,
            "threads_per_threadgroup": block[n],
            "dispatch_threads_per_threadgroup": block[n],
            "threadgroups_per_grid": grid[n],
            "threads_per_grid": grid[n] * block[n],
        }.items():
            at = len(columns)
            lines.append(f"  %r{at} = call i32 @air.{name}.{axis}()\n  %q{at} = getelementptr i32, ptr %row, i64 {at}")
            lines.append(f"  store i32 %r{at}, ptr %q{at}")
            columns.append(np.broadcast_to(expected, len(number)))
    inner = "  %in = call i32 @air.thread_index_in_threadgroup()\n"
    # The group's number from what is tested: a wrong one writes elsewhere.
    place = f"""  %gx = call i32 @air.threadgroup_position_in_grid.x()
  %gy = call i32 @air.threadgroup_position_in_grid.y()
  %gz = call i32 @air.threadgroup_position_in_grid.z()
  %g0 = mul i32 %gz, {grid[1]}
  %g1 = add i32 %g0, %gy
  %g2 = mul i32 %g1, {grid[0]}
  %g3 = add i32 %g2, %gx
  %n0 = mul i32 %g3, {int(np.prod(block))}
  %n1 = add i32 %n0, %in
  %n2 = mul i32 %n1, {len(columns)}
  %row = getelementptr i32, ptr %o, i32 %n2
"""
    output = np.full((len(number), len(columns)), -1, np.int32)
    text = kernel(inner + place + "\n".join(lines), target=METAL)

    result = simt.launch(text, target=METAL, grid=grid, block=block, args=[output.reshape(-1)])

    assert result.verdict == "clean", result.findings
    np.testing.assert_array_equal(output, np.stack(columns, 1))


def test_bits_of_a_group_are_joined():
    values = [(7 * n + 1) * 2654435761 % 2**32 - 2**31 for n in range(64)]
    for name, ufunc in {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}.items():
        wanted = [int(ufunc.reduce(np.array(values[n // 32 * 32 :][:32]))) for n in range(64)]
        body = f"%r = call i32 @air.simd_{name}.s.i32(i32 %a)"
        assert evaluate(body, "i32", ("i32", values), block=64, target=METAL).tolist() == wanted, name
    first = evaluate("%r = call i32 @air.simd_broadcast_first.s.i32(i32 %a)", "i32", ("i32", values), target=METAL)
    assert first.tolist() == [values[n // 32 * 32] for n in range(64)]


CONVERSIONS = [
    ("f.f32.s.i32", "i32", [-3], "float", [-3.0]),
    ("f.f32.u.i32", "i32", [-1], "float", [2.0**32]),
    ("s.i32.f.f32", "float", [-3.9], "i32", [-3]),
    ("u.i32.f.f32", "float", [3e9], "i32", [3_000_000_000 - 2**32]),
    ("f.f16.f.f32", "float", [1.0009765625 + 2**-12], "half", [1.0009765625]),
    ("f.bf16.f.f32", "float", [1.00390625], "bfloat", [1.0]),
    ("u.i8.f.f32", "float", [300.0], "i8", [-1]),
    # Rounded once: as a float32 each would be a tie.
    ("f.bf16.s.i32", "i32", [2**24 + 2**16 + 1], "bfloat", [2.0**24 + 2**17]),
    ("f.bf16.u.i32", "i32", [-(2**31) + 2**23 + 1], "bfloat", [2.0**31 + 2**24]),
    ("f.bf16.u.i64", "i64", [2**62 + 2**54 + 1], "bfloat", [2.0**62 + 2**55]),
]


@pytest.mark.parametrize(("name", "start", "values", "end", "expected"), CONVERSIONS, ids=[c[0] for c in CONVERSIONS])
def test_conversions(name, start, values, end, expected):
    """The name says from what to what, signs included."""
    body = f"%r = call {end} @air.convert.{name}({start} %a)"

    assert evaluate(body, end, (start, values), target=METAL).tolist() == expected


INTEGERS = [
    ("max.s.i32", [-1], [5], 5),
    ("max.u.i32", [-1], [5], -1),
    ("min.s.i32", [-1], [5], -1),
    ("min.u.i32", [-1], [5], 5),
    ("abs_diff.s.i32", [-3], [5], 8),
    ("abs_diff.u.i32", [-1], [5], -6),
    ("mul_hi.s.i32", [-1], [5], -1),
    ("mul_hi.u.i32", [-1], [5], 4),
]


@pytest.mark.parametrize(("name", "left", "right", "expected"), INTEGERS, ids=[row[0] for row in INTEGERS])
def test_integer_functions(name, left, right, expected):
    """Signed and unsigned."""
    body = f"%r = call i32 @air.{name}(i32 %a, i32 %b)"

    assert evaluate(body, "i32", ("i32", left), ("i32", right), target=METAL).tolist() == [expected]


def test_functions_of_one_value():
    """Bits and simple floats."""
    for name, ty, value, expected in [
        ("popcount.i32", "i32", 255, 8),
        ("clz.i32", "i32", 1, 31),
        ("ctz.i32", "i32", 8, 3),
        ("reverse_bits.i32", "i32", 1, -(2**31)),
        ("abs.s.i32", "i32", -7, 7),
        ("fabs.f32", "float", -2.5, 2.5),
        ("floor.f32", "float", -2.5, -3.0),
        ("rint.f32", "float", 2.5, 2.0),
        ("round.f32", "float", 2.5, 3.0),
        ("sqrt.f32", "float", 9.0, 3.0),
        ("rsqrt.f32", "float", 4.0, 0.5),
        ("fract.f32", "float", 1.25, 0.25),
        ("exp2.f32", "float", 3.0, 8.0),
    ]:
        got = evaluate(f"%r = call {ty} @air.{name}({ty} %a)", ty, (ty, [value]), target=METAL)
        assert got.tolist() == [expected], name
    scaled = evaluate(
        "%r = call float @air.ldexp.f32(float %a, i32 %b)",
        "float",
        ("float", [1.5, -0.0, 12.0, -np.inf, 3.0]),
        ("i32", [3, 1, -200, 5, 200]),
        target=METAL,
    )
    assert scaled.tolist() == [12.0, -0.0, 0.0, -np.inf, np.inf]
    for name, expected in {"fmax.f32": 2.0, "fmin.f32": 2.0}.items():
        body = f"%r = call float @air.{name}(float %a, float %b)"
        assert evaluate(body, "float", ("float", [np.nan]), ("float", [2.0]), target=METAL).tolist() == [expected]


def test_a_simdgroup_barrier_tells_its_memory():
    """Flags as in the threadgroup's barrier."""
    watch, events = recorder("warp_sync")
    text = kernel("call void @air.simdgroup.barrier(i32 2, i32 4)", target=METAL)
    simt.launch(text, target=METAL, grid=1, block=32, args=[np.zeros(1)], observers=(watch,))
    ((_, event),) = events

    assert (set(event.memory), event.lanes.n) == ({"shared"}, 32)
