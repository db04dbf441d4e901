"""LLVM IR that the compiled engine cannot read has no machine code; no launch fails because of that."""

from __future__ import annotations

import pytest

from harness.simt.declined import Missing, Reason
from harness.simt.native.jit.compiler import compile_module

USED_BEFORE = """define i64 @run(ptr %a, i64 %b, i64 %c) {
  %x = add i64 %y, 1
  %y = add i64 %b, 1
  ret i64 %x
}
"""


@pytest.mark.parametrize("text", ["no module", USED_BEFORE], ids=["not parsed", "not valid"])
def test_a_module_that_llvm_refuses_is_missing(text):
    with pytest.raises(Missing) as missing:
        compile_module(text, None, 0)

    assert missing.value.cause.reason is Reason.UNREADABLE
