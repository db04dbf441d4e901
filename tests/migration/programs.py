"""Small programs in the manner of older releases of Mojo, each beside what a person would write for Mojo 1.2.

In a text, `⟦old→new⟧` stands for one or the other. Each program prints one line.
"""

from __future__ import annotations

import re

__all__ = ["NOT_CERTAIN", "PROGRAMS", "new", "old"]

_BOTH = re.compile(r"⟦([^→⟧]*)→([^⟧]*)⟧")
_BUFFER = """
def main() raises:
    var ctx = DeviceContext()
    var b = ctx.enqueue_create_buffer[DType.int32](32)
    ctx.enqueue_function[kernel](b, grid_dim=1, block_dim=32)
    with b.map_to_host() as h:
        print("{name}", h[5])
"""


def old(text: str) -> str:
    """Return a program as the older release has it."""
    return _BOTH.sub(r"\1", text)


def new(text: str) -> str:
    """Return a program as Mojo 1.2 has it."""
    return _BOTH.sub(r"\2", text)


def _kernel(name: str, imports: str, value: str, parameters: str = "") -> str:
    """Return a program whose kernel writes one value for each thread; it sees `i`, its index."""
    host = "" if "DeviceContext" in imports else "from max.gpu.host import DeviceContext\n"
    index = "" if re.search(r"import .*\bthread_idx\b", imports) else "from max.gpu import thread_idx\n"
    return f'''{imports}
{host}{index}

def kernel(data: UnsafePointer[Int32, MutAnyOrigin]{parameters}):
    """Old words in a string stay: std.gpu, alias, fn, InlineArray, from gpu import."""
    var i = Int(thread_idx.x)  # so do those of a comment: std.gpu, owned, fn
    data[i] = Int32({value})

{_BUFFER.format(name=name)}'''


def _host(name: str, text: str, main: str) -> str:
    """Return a program without a kernel; `main` is its last line's value."""
    return f'{text}\n\ndef main() raises:\n    print("{name}", {main})  # not fn, alias\n'


_IDS = ("block_idx.x", "block_dim.x", "grid_dim.x", "global_idx.x", "lane_id()", "warp_id()", "WARP_SIZE")
_WARP = {
    "sum": "Int32(warp_sum(Int32(i)))",
    "shuffle_xor": "shuffle_xor(Int32(i), 1)",
    "shuffle_down": "shuffle_down(Int32(i), 1)",
    "prefix_sum": "prefix_sum(Int32(i))",
}

PROGRAMS: dict[str, str] = {
    **{
        f"id_{number}": _kernel(
            f"id_{number}",
            f"from ⟦std.gpu→max.gpu⟧ import thread_idx, {word.partition('.')[0].partition('(')[0]}",
            word,
        )
        for number, word in enumerate(_IDS)
    },
    "bare_id": _kernel("bare_id", "from ⟦gpu→max.gpu⟧ import thread_idx", "i * 2"),
    "host_context": _kernel("host_context", "from ⟦std.gpu→max.gpu⟧.host import DeviceContext", "i + 1"),
    "bare_host": _kernel("bare_host", "from ⟦gpu→max.gpu⟧.host import DeviceContext", "i + 2"),
    "two_places": _kernel(
        "two_places",
        "⟦from gpu import thread_idx, DeviceContext→from max.gpu import thread_idx\n"
        "from max.gpu.host import DeviceContext⟧",
        "i + 3",
    ),
    **{
        f"warp_{name}": _kernel(
            f"warp_{name}",
            f"from ⟦std.gpu→max.gpu⟧.primitives.warp import {name}{' as warp_sum' if name == 'sum' else ''}",
            value,
        )
        for name, value in _WARP.items()
    },
    "old_warp": _kernel(
        "old_warp", "from ⟦std.gpu.warp→max.gpu.primitives.warp⟧ import shuffle_idx", "shuffle_idx(Int32(i), 3)"
    ),
    "older_warp": _kernel(
        "older_warp", "from ⟦gpu.warp→max.gpu.primitives.warp⟧ import shuffle_up", "shuffle_up(Int32(i), 1)"
    ),
    "old_ids": _kernel("old_ids", "from ⟦std.gpu.id→max.gpu.primitives.id⟧ import thread_idx", "i + 4"),
    "old_block": _kernel(
        "old_block", "from ⟦std.gpu.block→max.gpu.primitives.block⟧ import sum", "sum[block_size=32](Int32(i))"
    ),
    "whole_path": _kernel(
        "whole_path", "import ⟦std.gpu→max.gpu⟧.primitives.warp", "⟦std.gpu→max.gpu⟧.primitives.warp.sum(Int32(i))"
    ),
    "spaces": _kernel("spaces", "from ⟦std.gpu→max.gpu⟧.memory import AddressSpace", "i + 5"),
    "sync": _kernel("sync", "from ⟦std.gpu→max.gpu⟧.sync import barrier", "i + 6"),
    "semaphore": _kernel("semaphore", "from ⟦std.gpu.semaphore→max.gpu.sync.semaphore⟧ import Semaphore", "i + 7"),
    "mma": _kernel("mma", "from ⟦std.gpu.mma→max.gpu.compute.mma⟧ import ld_matrix", "i + 8"),
    "tensor_ops": _kernel(
        "tensor_ops", "from ⟦std.gpu.tensor_ops→max.gpu.compute.tensor_ops⟧ import tc_reduce", "i + 9"
    ),
    "atomics": _kernel("atomics", "from ⟦std.os.atomic→std.atomic⟧ import Atomic", "i + 10"),
    "atomic_of_os": _kernel("atomic_of_os", "from ⟦os→std.atomic⟧ import Atomic", "i + 11"),
    "dtype_index": _kernel("dtype_index", "", "Int(Scalar[⟦DType.index→DType.int⟧](i))"),
    "inline_array": _kernel(
        "inline_array", "from std.collections import ⟦InlineArray→Array⟧", "⟦InlineArray→Array⟧[Int, 2](fill=i)[1]"
    ),
    "inline_array_alone": _kernel("inline_array_alone", "", "⟦InlineArray→Array⟧[Int, 2](fill=i)[0]"),
    "type_of": _kernel("type_of", "", "⟦__type_of→type_of⟧(i)(3)"),
    "alias": _kernel("alias", "⟦alias→comptime⟧ N = 9", "N + i"),
    "kernel_twice": _kernel("kernel_twice", "", "i").replace("[kernel]", "⟦[kernel, kernel]→[kernel]⟧"),
    "checked": _kernel("checked", "", "i").replace(
        "enqueue_function[kernel]", "⟦enqueue_function_checked[kernel, kernel]→enqueue_function[kernel]⟧"
    ),
    "experimental": _kernel("experimental", "", "i + 12").replace(
        "enqueue_function[", "⟦enqueue_function_experimental→enqueue_function⟧["
    ),
    "origin": _kernel("origin", "", "i + 13").replace("MutAnyOrigin", "⟦MutableAnyOrigin→MutAnyOrigin⟧"),
    "untracked": _kernel("untracked", "", "i + 14").replace("MutAnyOrigin", "⟦MutExternalOrigin→MutUntrackedOrigin⟧"),
    "fn_kernel": _kernel("fn_kernel", "", "i + 15").replace("def kernel", "⟦fn→def⟧ kernel"),
    "parameter_if": _host(
        "parameter_if",
        "def f[n: Int]() -> Int:\n⟦    @parameter\n    if→    comptime if⟧ n == 3:\n        return 7\n"
        "    else:\n        return 8\n",
        "f[3]()",
    ),
    "parameter_for": _host(
        "parameter_for",
        "def f() -> Int:\n    var sum = 0\n⟦    @parameter\n    for→    comptime for⟧ i in range(4):\n"
        "        sum += i\n    return sum\n",
        "f()",
    ),
    "constrained": _host(
        "constrained",
        'def f[n: Int]() -> Int:\n    ⟦constrained[n > 1, "a, b"]()→comptime assert n > 1, "a, b"⟧\n    return n\n',
        "f[3]()",
    ),
    "owned": _host("owned", "def f(⟦owned→var⟧ x: Int) -> Int:\n    x += 1\n    return x\n", "f(3)"),
    "read": _host("read", "def f(⟦read→imm⟧ x: Int) -> Int:\n    return x\n", "f(4)"),
    "trivial": _host(
        "trivial",
        '⟦@register_passable("trivial")\nstruct Pair:→struct Pair(TrivialRegisterPassable):⟧\n    var x: Int\n\n'
        "    def __init__(out self, x: Int):\n        self.x = x\n",
        "Pair(5).x",
    ),
    "bare_math": _host("bare_math", "from ⟦math→std.math⟧ import ceildiv", "ceildiv(7, 2)"),
    "whole_math": _host("whole_math", "import ⟦math→std.math as math⟧", "math.ceildiv(9, 2)"),
    "copy": _host(
        "copy",
        "from std.memory import ⟦memcpy→unsafe_memcpy⟧\n\n\ndef f() -> Int:\n"
        "    var a: List[Int] = [1, 2]\n    var b: List[Int] = [0, 0]\n"
        "    ⟦memcpy→unsafe_memcpy⟧(dest=b.unsafe_ptr(), src=a.unsafe_ptr(), count=2)\n    return b[1]\n",
        "f()",
    ),
    "widths": _host("widths", "from ⟦sys→std.sys⟧ import ⟦sizeof→size_of⟧", "⟦sizeof→size_of⟧[Int32]()"),
    "numerics": _host("numerics", "from ⟦utils→std.utils⟧.numerics import max_finite", "max_finite[DType.int8]()"),
    "span": _host("span", "from ⟦std.memory→std.collections⟧ import Span", "1"),
    "index": _host("index", "from ⟦utils→std.utils⟧ import Index", "Index(1, 2)[1]"),
    "asserts": _host("asserts", "from ⟦testing→std.testing⟧ import assert_equal", "2"),
    "defined": _host(
        "defined", "from ⟦std.sys.param_env→std.sys.defines⟧ import is_defined", 'is_defined["NOWHERE"]()'
    ),
    "external": _host("external", "from ⟦std.sys.ffi→std.ffi⟧ import external_call", "3"),
}
# What is not certain: it is listed, and the text stays.
NOT_CERTAIN: dict[str, tuple[str, str]] = {
    "buffer": ("from buffer import NDBuffer\n", "NDBuffer"),
    "dimensions": ("from buffer.dimlist import DimList\n", "DimList"),
    "context": ("from std.runtime.async_value import DeviceContextPtr\n", "DeviceContextPtr"),
    "consistency": ("from std.atomic import Consistency\n", "Consistency"),
    "vendor": ("from std.sys import has_nvidia_gpu_accelerator\n", "has_nvidia_gpu_accelerator"),
    "vendor_amd": ("from std.sys import has_amd_gpu_accelerator\n", "has_amd_gpu_accelerator"),
    "vendor_apple": ("from std.sys import has_apple_gpu_accelerator\n", "has_apple_gpu_accelerator"),
    "vendor_info": ("from std.sys.info import has_nvidia_gpu_accelerator\n", "has_nvidia_gpu_accelerator"),
    "legacy": ("from std.memory import LegacyUnsafePointer\n", "LegacyUnsafePointer"),
    "load": ("from max.gpu.intrinsics import ldg\n", "ldg"),
    "loop": ("from std.utils.loop import unroll\n", "unroll"),
    "function_type": ("def f(g: fn (Int) -> Int):\n    pass\n", "fn(...)"),
    "taken": ("def f():\n    var Array = 3\n    print(InlineArray[Int, 2](fill=1)[0], Array)\n", "InlineArray"),
}
