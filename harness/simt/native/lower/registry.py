"""Tables of the functions that emit an opcode, or an intrinsic's compiled form, and decorators that fill them."""

from collections.abc import Callable

from harness.simt.compile.graph import Op
from harness.simt.native.emit.body import Body

__all__ = ["FORMS", "LOWERINGS", "Form", "Lowering", "forms", "lowers"]

Lowering = Callable[[Body, Op], None]
LOWERINGS: dict[str, Lowering] = {}
Form = Callable[[Body, Op, str], None]
FORMS: dict[str, Form] = {}


def lowers(*opcodes: str) -> Callable[[Lowering], Lowering]:
    """Return a decorator that registers the function that emits some opcodes, in place of an earlier one."""

    def declare(lowering: Lowering) -> Lowering:
        LOWERINGS.update(dict.fromkeys(opcodes, lowering))
        return lowering

    return declare


def forms(word: str) -> Callable[[Form], Form]:
    """Return a decorator that registers the function that emits calls of intrinsics with `compiled="WORD.HOW"`.

    The function's third argument is HOW.
    """

    def declare(form: Form) -> Form:
        FORMS[word] = form
        return form

    return declare
