"""Addresses of functions that one launch stores and another one calls."""

from __future__ import annotations

import gc
from weakref import WeakValueDictionary

import numpy as np
import pytest

from harness import simt
from harness.simt.ir import function_table

pytestmark = pytest.mark.slow  # together they take seconds

ENGINES = pytest.mark.parametrize("engine", ["reference", "native"])
TEXT = """target triple = "nvptx64-nvidia-cuda"
@table = addrspace(4) constant [2 x ptr] [ptr @{one}, ptr @{other}]
define i32 @{one}(i32 %v) {{
  %r = {operation} i32 %v, 3
  ret i32 %r
}}
define i32 @{other}(i32 %v) {{
  %r = sub i32 %v, 3
  ret i32 %r
}}
define i32 @chosen(i32 %v) {{
  %at = getelementptr ptr, ptr addrspace(4) @table, i64 1
  %f = load ptr, ptr addrspace(4) %at
  %r = call i32 %f(i32 %v)
  ret i32 %r
}}
define float @halve(float %v) {{
  %r = fmul float %v, 5.0e-1
  ret float %r
}}
define ptx_kernel void @store_direct(ptr %slot) {{
  store ptr @{one}, ptr %slot
  ret void
}}
define ptx_kernel void @store_of_a_table(ptr %slot) {{
  %f = load ptr, ptr addrspace(4) @table
  store ptr %f, ptr %slot
  ret void
}}
define ptx_kernel void @store_what_calls_on(ptr %slot) {{
  store ptr @chosen, ptr %slot
  ret void
}}
define ptx_kernel void @store_table(ptr %slot) {{
  store ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr %slot
  ret void
}}
define ptx_kernel void @store_another_signature(ptr %slot) {{
  store ptr @halve, ptr %slot
  ret void
}}
define ptx_kernel void @use(ptr %slot, ptr %out) {{
  %f = load ptr, ptr %slot
  %r = call i32 %f(i32 7)
  store i32 %r, ptr %out
  ret void
}}
define ptx_kernel void @use_table(ptr %slot, ptr %out) {{
  %t = load ptr, ptr %slot
  %f = load ptr, ptr %t
  %r = call i32 %f(i32 7)
  store i32 %r, ptr %out
  ret void
}}
"""
ADDS = TEXT.format(one="add_three", other="take_three", operation="add")
TRIPLES = TEXT.format(one="triple", other="take_three", operation="mul")


class _Memory:
    """A device with a place for an address and one for a result, on which kernels are launched."""

    def __init__(self, engine):
        self.device, self.engine = simt.Device(), engine
        self.buffers = [self.device.allocate(size, name) for size, name in ((8, "slot"), (4, "out"))]

    def launch(self, module, kernel):
        buffers = self.buffers if kernel.startswith("use") else self.buffers[:1]
        return simt.launch_on(
            self.device,
            module,
            kernel=kernel,
            target="nvidia:sm_90",
            grid=1,
            block=1,
            parameters=[buffer.base.to_bytes(8, "little") for buffer in buffers],
            observers=simt.observers(counters=False),
            options=simt.Options(engine=self.engine),
        )

    @property
    def out(self):
        return int(self.buffers[1].data.view(np.int32)[0])


@ENGINES
@pytest.mark.parametrize(
    ("store", "use", "expected"),
    [
        ("store_direct", "use", 10),
        ("store_of_a_table", "use", 10),
        ("store_what_calls_on", "use", 4),
        ("store_table", "use_table", 10),
    ],
)
@pytest.mark.parametrize("decoded", ["once", "for each launch"])
def test_a_launch_calls_what_one_before_stored(engine, store, use, expected, decoded):
    """`use` itself takes no address; a module that is decoded again has the same addresses."""
    memory, module = _Memory(engine), simt.decode(ADDS)
    stored = memory.launch(module, store)
    used = memory.launch(module if decoded == "once" else ADDS, use)

    assert (stored.verdict, used.verdict, memory.out) == ("clean", "clean", expected), used.findings
    assert used.engine.native == (engine == "native"), used.engine


@ENGINES
def test_what_is_stored_by_another_signature_is_told_by_its_name(engine):
    memory, module = _Memory(engine), simt.decode(ADDS)
    memory.launch(module, "store_another_signature")

    finding = memory.launch(module, "use").fault.finding

    assert (finding.id, finding.values["function"]) == ("call.signature", "halve")


@ENGINES
def test_a_function_of_another_module_is_not_taken_for_one_of_this(engine):
    """Both have a function at that place of the table; the one that is meant is named, and none is called."""
    memory, adds, triples = _Memory(engine), simt.decode(ADDS), simt.decode(TRIPLES)
    memory.launch(adds, "store_direct")
    result = memory.launch(triples, "use")

    assert result.verdict == "incomplete"
    assert str(result.fault) == "a call of add_three, a function of another module, is not supported"
    assert memory.launch(adds, "use").verdict == "clean"
    assert memory.out == 10


@ENGINES
def test_a_function_of_a_module_that_is_gone_is_no_function(engine):
    memory, module = _Memory(engine), simt.decode(ADDS.replace("sub i32 %v, 3", "sub i32 %v, 31"))
    memory.launch(module, "store_direct")
    del module
    gc.collect()

    assert memory.launch(TRIPLES, "use").fault.finding.id == "call.nowhere"


def test_modules_have_addresses_of_their_own_though_their_numbers_would_be_the_same(monkeypatch):
    monkeypatch.setattr(function_table, "MODULES", 2)
    monkeypatch.setattr(function_table, "_loaded", WeakValueDictionary())
    modules = [simt.decode(text) for text in (ADDS, TRIPLES, ADDS)]
    adds, triples, again = (module.functions.address("@halve") for module in modules)

    assert adds == again != triples
    assert function_table.function_at(adds) == "halve"
    with pytest.raises(simt.Unsupported):
        simt.decode(ADDS.replace("sub", "xor")).functions.address("@halve")
