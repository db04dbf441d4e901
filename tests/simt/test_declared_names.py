"""Functions of floats, registers and fences: every name that the registry has is run and held against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import evaluate

X = np.array([0.25, 0.5, 0.75, 0.875, 1.0, 0.1], np.float32)
Y = np.array([2.0, 0.5, 0.25, 4.0, 3.0, 0.7], np.float32)
Z = np.array([-1.0, 0.5, 8.0, 0.0, 2.0, 0.3], np.float32)

FUNCTIONS = {
    **{name: getattr(np, name) for name in ("ceil", "floor", "trunc", "rint", "fabs", "copysign", "fmax", "fmin")},
    **{name: getattr(np, name) for name in ("cos", "sin", "tan", "cosh", "sinh", "tanh", "exp", "exp2", "log", "sqrt")},
    **{name: getattr(np, name) for name in ("log2", "log10")},
    **{f"a{name}": getattr(np, f"arc{name}") for name in ("cos", "sin", "tan", "tan2")},
    "round": lambda x: np.floor(x + 0.5),
    "exp10": lambda x: np.power(10.0, x),
    "pow": np.power,
    "powr": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "fract": lambda x: x - np.floor(x),
    "clamp": lambda x, y, z: np.minimum(np.maximum(x, y), z),
    "fma": lambda x, y, z: x * y + z,
    "fmed3": lambda x, y, z: np.sort([x, y, z], 0)[1],
    # NVIDIA's, whose names have how they round behind them
    "add": np.add,
    "mul": np.multiply,
    "div": np.divide,
    "rcp": np.reciprocal,
    "ex2": np.exp2,
    "lg2": np.log2,
}
# What a vendor's instruction of that name does: AMD's take turns for angles, and logarithms to the base of 2.
OTHERS = {
    "llvm.amdgcn.cos": lambda x: np.cos(2 * np.pi * x),
    "llvm.amdgcn.sin": lambda x: np.sin(2 * np.pi * x),
    "llvm.amdgcn.log": np.log2,
    **dict.fromkeys(("llvm.nvvm.round", "llvm.nvvm.round.ftz", "llvm.nvvm.round.d"), np.rint),
}
NAMES = re.compile(
    r"(?:air\.(?:fast_)?|llvm\.nvvm\.|llvm\.amdgcn\.|llvm\.|asm:)(?P<stem>[a-z]+\d*)"
    r"(?P<how>(?:\.(?:approx|full|rn))?(?:\.ftz)?)(?P<type>\.d|\.f)?"
)
ARGUMENTS = {"copysign": 2, "fmax": 2, "fmin": 2, "atan2": 2, "pow": 2, "powr": 2, "add": 2, "mul": 2, "div": 2}
ARGUMENTS |= {"clamp": 3, "fma": 3, "fmed3": 3}


def functions():
    """The declared functions of floats that NumPy has: name, what it is called without its vendor, type."""
    for name, intrinsic in all_intrinsics().items():
        found = NAMES.fullmatch(name)
        if found and found["stem"] in FUNCTIONS and intrinsic.kind in ("pure", "typed"):
            yield pytest.param(name, found["stem"], found["type"] or "", id=name)


@pytest.mark.parametrize(("name", "stem", "kind"), list(functions()))
def test_a_function_gives_what_numpy_gives(name, stem, kind):
    """Of float32, or float64; an exact one bit for bit, an approximate one to the last places."""
    ty, dtype = ("double", np.float64) if kind == ".d" else ("float", np.float32)
    values = [(ty, value.astype(dtype)) for value in (X, Y, Z)[: ARGUMENTS.get(stem, 1)]]
    if stem == "clamp":
        values[2] = (ty, values[1][1] + dtype(0.5))
    vendor = name.partition(".")[0]
    target = "apple:apple-m4" if vendor == "air" else "amd:gfx942" if "amdgcn" in name else "nvidia:sm_90"
    given = ", ".join(f"{ty} %{letter}" for letter, _ in zip("abc", values, strict=False))
    if name.startswith("asm:"):
        call = f'call {ty} asm "{name.removeprefix("asm:")}.f32 $0, $1;", "=f,f"({given})'
    else:
        suffix = {"float": ".f32", "double": ".f64"}[ty]
        if "nvvm" in name:
            suffix = "" if ".full" in name else ".f"
        call = f"call {ty} @{name.removesuffix('.d') + '.d' if kind == '.d' else name + suffix}({given})"

    # No processor that is simulated has `v_tanh`.
    got = evaluate(f"%r = {call}", ty, *values, target=target, clean=name != "llvm.amdgcn.tanh")

    function = OTHERS.get(name, FUNCTIONS[stem])
    expected = function(*(value.astype(np.float64) for _, value in values)).astype(dtype)
    if all_intrinsics()[name].exact:
        np.testing.assert_array_equal(got, expected)
    else:
        np.testing.assert_allclose(got, expected, rtol=2**-11 if "tanh.approx" in name else 1e-6, atol=1e-7)


GRID, BLOCK, CLUSTER = (4, 3, 2), (8, 2, 3), (2, 1, 2)
SREG = "llvm.nvvm.read.ptx.sreg."


def spelled(register):
    """A register as assembly names it."""
    word = re.sub(r"^(cluster|lanemask|globaltimer)\.", r"\1_", register)
    return "WARP_SZ" if word == "warpsize" else f"%{word}"


REGISTERS = [name.removeprefix(SREG) for name in all_intrinsics() if name.startswith(SREG)]


def places():
    """What each register holds for each thread: in the order of blocks, x fastest, then of threads."""
    blocks = np.stack(np.meshgrid(*map(range, reversed(GRID)), indexing="ij"), -1).reshape(-1, 3)[:, ::-1]
    threads = np.stack(np.meshgrid(*map(range, reversed(BLOCK)), indexing="ij"), -1).reshape(-1, 3)[:, ::-1]
    count = len(threads)
    block, thread = np.repeat(blocks, count, 0), np.tile(threads, (len(blocks), 1))
    number = np.tile(np.arange(count), len(blocks))
    lane = number % 32
    found = {"laneid": lane, "warpid": number // 32, "nwarpid": 2048 // 32, "warpsize": 32}
    for n, axis in enumerate("xyz"):
        found |= {
            f"tid.{axis}": thread[:, n],
            f"ntid.{axis}": BLOCK[n],
            f"ctaid.{axis}": block[:, n],
            f"nctaid.{axis}": GRID[n],
            f"clusterid.{axis}": block[:, n] // CLUSTER[n],
            f"nclusterid.{axis}": GRID[n] // CLUSTER[n],
            f"cluster_ctaid.{axis}": block[:, n] % CLUSTER[n],
            f"cluster_nctaid.{axis}": CLUSTER[n],
        }
    own = block % CLUSTER
    found["cluster_ctarank"] = own[:, 0] + CLUSTER[0] * (own[:, 1] + CLUSTER[1] * own[:, 2])
    found["cluster_nctarank"] = int(np.prod(CLUSTER))
    found |= {"smid": np.repeat(np.arange(len(blocks)), count), "nsmid": 132}
    masks = {"eq": 1 << lane, "lt": (1 << lane) - 1, "le": (2 << lane) - 1}
    masks |= {"gt": ~masks["le"], "ge": ~masks["lt"]}
    return found | {f"lanemask_{name}": bits for name, bits in masks.items()}


LEFT_OPEN = {"smid", "warpid"}  # where a GPU places a warp


@pytest.mark.parametrize("open_", [False, pytest.param(True, marks=pytest.mark.simulated)])
def test_every_register_holds_where_a_thread_is(open_):
    """By its intrinsic, and as assembly moves it, in three dimensions and clusters. Clocks are tested elsewhere."""
    count, lines, declared, names = int(np.prod(GRID) * np.prod(BLOCK)), [], [], []
    known = {register: values for register, values in places().items() if (register in LEFT_OPEN) == open_}
    for register in REGISTERS:
        known_as = spelled(register).removeprefix("%").replace("WARP_SZ", "warpsize")
        if known_as not in known:
            continue
        names += [(f"{SREG}{register}", known_as), (f"mov.u32 $0, {spelled(register)};", known_as)]
        names.append((f"mov.b32 $0, {spelled(register)};", known_as))
        declared.append(f"declare i32 @{SREG}{register}()\n")
    for number, (name, _) in enumerate(names):
        at = f"%r{number}"
        call = f"@{name}()" if name.startswith(SREG) else f'asm sideeffect "{name}", "=r"()'
        lines.append(f"  {at} = call i32 {call}")
        lines.append(f"  %p{number} = getelementptr i32, ptr %row, i64 {number}")
        lines.append(f"  store i32 {at}, ptr %p{number}, align 4")
    assert {register for _, register in names} == known.keys()
    x, y, z = (f"{SREG}tid.{axis}" for axis in "xyz")
    text = f"""target triple = "nvptx64-nvidia-cuda"
{"".join(declared)}
define ptx_kernel void @k(ptr %o) {{
  %x = call i32 @{x}()
  %y = call i32 @{y}()
  %z = call i32 @{z}()
  %bx = call i32 @{SREG}ctaid.x()
  %by = call i32 @{SREG}ctaid.y()
  %bz = call i32 @{SREG}ctaid.z()
  %b0 = mul i32 %bz, {GRID[1]}
  %b1 = add i32 %b0, %by
  %b2 = mul i32 %b1, {GRID[0]}
  %b3 = add i32 %b2, %bx
  %t0 = mul i32 %b3, {BLOCK[2]}
  %t1 = add i32 %t0, %z
  %t2 = mul i32 %t1, {BLOCK[1]}
  %t3 = add i32 %t2, %y
  %t4 = mul i32 %t3, {BLOCK[0]}
  %t5 = add i32 %t4, %x
  %t6 = mul i32 %t5, {len(names)}
  %row = getelementptr i32, ptr %o, i32 %t6
{chr(10).join(lines)}
  ret void
}}
"""
    out = np.zeros((count, len(names)), np.int32)

    result = simt.launch(text, target="nvidia:sm_90", grid=GRID, block=BLOCK, cluster=CLUSTER, args=[out.reshape(-1)])

    assert result.verdict == "clean", result.findings
    for column, (name, register) in enumerate(names):
        expected = np.broadcast_to(np.asarray(known[register]).astype(np.int64).astype(np.int32), count)
        np.testing.assert_array_equal(out[:, column], expected, err_msg=name)


CLOCKS = [register for register in REGISTERS if re.search(r"clock|globaltimer", register)]
CLOCKS = [
    name
    for register in CLOCKS
    for name in (f"@{SREG}{register}", *(f"mov.{kind} $0, {spelled(register)};" for kind in ("u", "b")))
]


@pytest.mark.parametrize("name", CLOCKS)
def test_a_clock_goes_on_while_a_kernel_works(name):
    """Each lane waits until it has moved by 2000, and never sees it go back."""
    ty = "i64" if re.search("64|globaltimer(?!.lo)", name) else "i32"
    text = name.replace("mov.u", f"mov.u{ty[1:]}").replace("mov.b", f"mov.b{ty[1:]}")
    call = f"{name}()" if name[0] == "@" else f'asm sideeffect "{text}", "={"l" if ty == "i64" else "r"}"()'
    body = f"""
      %begun = call {ty} {call}
      br label %spin
    spin:
      %last = phi {ty} [ %begun, %0 ], [ %now, %spin ]
      %back = phi i32 [ 0, %0 ], [ %more, %spin ]
      call void @llvm.nvvm.nanosleep(i32 %a)
      %now = call {ty} {call}
      %step = sub {ty} %now, %last
      %wrong = icmp slt {ty} %step, 0
      %one = zext i1 %wrong to i32
      %more = add i32 %back, %one
      %passed = sub {ty} %now, %begun
      %enough = icmp ugt {ty} %passed, 2000
      br i1 %enough, label %done, label %spin
    done:
      %r = add i32 %more, 7"""

    assert evaluate(body, "i32", ("i32", [100] * 32)).tolist() == [7] * 32


def test_a_clock_of_32_bits_is_the_lower_half_of_that_of_64():
    """Also after that has passed 2^32."""
    body = f"""
      call void @llvm.nvvm.nanosleep(i32 %a)
      call void @llvm.nvvm.nanosleep(i32 %a)
      %long = call i64 @{SREG}clock64()
      %short = call i32 @{SREG}clock()
      %low = trunc i64 %long to i32
      %between = sub i32 %short, %low
      %less = sdiv i32 %short, 100000
      %before = sdiv i32 %low, 100000
      %moved = sub i32 %less, %before
      %near = icmp ult i32 %between, 100000
      %same = icmp ult i32 %moved, 2
      %both = and i1 %near, %same
      %r = zext i1 %both to i32"""

    assert evaluate(body, "i32", ("i32", [0xFFFFFFFF])).tolist() == [1]


FENCES = [name for name, intrinsic in all_intrinsics().items() if intrinsic.kind == "fence"]


@pytest.mark.parametrize("name", FENCES)
def test_a_fence_changes_no_value(name):
    """What the registry says that it orders, the observer of all launches here holds against what it does."""
    call = f"call void @{name}()"
    target = "amd:gfx942" if "amdgcn" in name else "apple:apple-m4" if name.startswith("air") else "nvidia:sm_90"
    body = f"{call}\n  %r = add i32 %a, 1"

    assert evaluate(body, "i32", ("i32", [5, 6, 7]), target=target).tolist() == [6, 7, 8]


SPACES = {
    "llvm.nvvm.isspacep.global": "global",
    "llvm.nvvm.isspacep.shared": "shared",
    "llvm.nvvm.isspacep.shared.cluster": "shared",
    "llvm.nvvm.isspacep.const": "const",
    "llvm.nvvm.isspacep.local": "local",
    "llvm.amdgcn.is.shared": "shared",
    "llvm.amdgcn.is.private": "local",
}


@pytest.mark.parametrize("name", SPACES)
def test_a_pointer_says_in_which_memory_it_points(name):
    """One into each."""
    amd = "amdgcn" in name
    triple, kind = ("amdgcn-amd-amdhsa", "amdgpu_kernel") if amd else ("nvptx64-nvidia-cuda", "ptx_kernel")
    pointers = {"global": "ptr %o", "shared": "ptr addrspace(3) @s", "const": "ptr addrspace(4) @c"}
    pointers["local"] = "ptr addrspace(5) %own" if amd else "ptr %own"
    lines = [f"%own = alloca i32, align 4{', addrspace(5)' if amd else ''}"]
    for n, pointer in enumerate(pointers.values()):
        generic = pointer if pointer.startswith("ptr %") else f"ptr %g{n}"
        if generic != pointer:
            lines.append(f"%g{n} = addrspacecast {pointer} to ptr")
        lines += [f"%e{n} = call i1 @{name}({generic})", f"%z{n} = zext i1 %e{n} to i32"]
        lines += [f"%q{n} = getelementptr i32, ptr %o, i64 {n}", f"store i32 %z{n}, ptr %q{n}"]
    text = f"""target triple = "{triple}"
@s = internal addrspace(3) global i32 undef, align 4
@c = internal addrspace(4) constant i32 7, align 4
declare i1 @{name}(ptr)
define {kind} void @k(ptr %o) {{
{chr(10).join(lines)}
ret void
}}
"""
    output = np.full(len(pointers), -1, np.int32)

    simt.launch(text, target="amd:gfx942" if amd else "nvidia:sm_90", grid=1, block=1, args=[output]).raise_for_fault()

    assert output.tolist() == [space == SPACES[name] for space in pointers]


@pytest.mark.parametrize(
    ("name", "function"),
    [("fmax", np.max), ("fmin", np.min), ("fmaximum", np.max), ("fminimum", np.min), ("fmul", np.prod)],
)
def test_elements_of_a_vector_are_joined(name, function):
    values = np.array([[1.5, -2.0, 0.25, 8.0], [-1.0, -4.0, 3.0, 0.5]], np.float32)
    first = "float 1.0, " if name == "fmul" else ""
    body = f"%r = call float @llvm.vector.reduce.{name}.v4f32({first}<4 x float> %a)"

    assert evaluate(body, "float", ("<4 x float>", values)).tolist() == function(values, 1).tolist()


@pytest.mark.parametrize(
    ("call", "target"),
    [
        ("float @llvm.canonicalize.f32(float %a)", "nvidia:sm_90"),
        ("float @llvm.ssa.copy.f32(float %a)", "nvidia:sm_90"),
        ("float @llvm.amdgcn.wqm.f32(float %a)", "amd:gfx942"),
        ("float @llvm.amdgcn.softwqm.f32(float %a)", "amd:gfx942"),
        ("float @llvm.amdgcn.strict.wwm.f32(float %a)", "amd:gfx942"),
        ("i32 @llvm.expect.i32(i32 %a, i32 1)", "nvidia:sm_90"),
        ("i32 @llvm.expect.with.probability.i32(i32 %a, i32 1, double 0.75)", "nvidia:sm_90"),
    ],
)
def test_what_only_tells_a_compiler_something_gives_its_value_back(call, target):
    ty = call.split()[0]
    values = [3, 1, -7] if ty == "i32" else [3.0, 1.5, -7.25]

    assert evaluate(f"%r = call {call}", ty, (ty, values), target=target).tolist() == values


@pytest.mark.parametrize("mode", ["bfly", "down", "idx", "up"])
def test_a_shuffle_of_floats_says_whether_its_source_is_inside(mode):
    """By one, or from lane 1."""
    lane = np.arange(32)
    source = {"bfly": lane ^ 1, "down": lane + 1, "idx": np.ones(32, int), "up": lane - 1}[mode]
    inside = (source >= 0) & (source < 32)
    values = (lane * 0.5).astype(np.float32)
    pair, clamp = "{ float, i1 }", 0 if mode == "up" else 31
    body = f"%s = call {pair} @llvm.nvvm.shfl.sync.{mode}.f32p(i32 -1, float %a, i32 1, i32 {clamp})\n"

    got = evaluate(f"{body}%r = extractvalue {pair} %s, 0", "float", ("float", values))
    said = evaluate(f"{body}%r = extractvalue {pair} %s, 1", "i1", ("float", values))

    np.testing.assert_array_equal(got, np.where(inside, values[np.clip(source, 0, 31)], values))
    assert said.tolist() == inside.astype(int).tolist()


@pytest.mark.parametrize(("name", "function"), [("fmin", np.nanmin), ("fmax", np.nanmax)])
def test_floats_of_a_warp_are_reduced(name, function):
    """Of each half of the warp, without what is no number; one that has none else gives none."""
    values = np.random.default_rng(4).standard_normal(32).astype(np.float32)
    values[3], values[16:] = np.nan, np.nan
    masks = [0xFFFF] * 16 + [-0x10000] * 16
    body = f"%r = call float @llvm.nvvm.redux.sync.{name}(float %a, i32 %b)"

    got = evaluate(body, "float", ("float", values), ("i32", masks), target="nvidia:sm_100")
    np.testing.assert_array_equal(got, [function(values[:16])] * 16 + [np.nan] * 16)
