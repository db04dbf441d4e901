"""Call graph: which functions are outlined (recursive, or called by pointer); save live values around their calls.

All other calls are inlined. Here lanes save live values in a frame, jump to the function's shared copy, and return by
the number of the call. Instructions that LLVM does not have do it: `call.target` finds the function that a pointer
names, `call.enter` saves values in a new frame, `call.leave` ends the frame and gives the call's number, `call.saved`
restores a value.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from harness.simt.compile.graph import BasicBlock, ControlFlowGraph, Op, Ref, global_names_in, value_numbers
from harness.simt.ir.module import Const, Expr, Function, GlobalRef, Instruction, Local
from harness.simt.ir.parse import Module
from harness.simt.ir.types import Int, Type, leaves

__all__ = [
    "CallGraph",
    "Signature",
    "save_live_values",
    "signature_of",
    "signature_text",
]

# The type that a function returns, and those of its parameters.
Signature: TypeAlias = tuple[Type, tuple[Type, ...]]


def signature_of(called: Function | Instruction) -> Signature:
    """Return (result type, parameter types) of a function, or of a call, from its result and operands."""
    if isinstance(called, Function):
        return called.returns, tuple(param.type for param in called.params)
    return called.type, tuple(operand.type for operand in called.operands)


def signature_text(signature: Signature) -> str:
    """Return a signature in LLVM's syntax for function types."""
    returns, takes = signature
    return f"{returns} ({', '.join(map(str, takes))})"


@dataclass(slots=True)
class CallGraph:
    """The functions that a kernel may call, directly or through pointers.

    Attributes:
        outlined: The functions that are not inlined.
        targets: The functions that a call through a pointer may reach, by signature. An earlier launch may have stored
            any function's address, so these are all whose address is taken anywhere in the module.
    """

    outlined: frozenset[str] = frozenset()
    targets: Mapping[Signature, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, kernel: Function) -> "CallGraph":
        """Build the call graph of all functions that a kernel can reach.

        `outlined` gets the name, with `@`, of each function that a call through a pointer may reach, or that may call
        itself, also by way of others. `targets` maps each signature called through a pointer to the sorted names of
        the functions that such a call may reach, an empty tuple if there are none.
        """
        walk = _CallWalk(module)
        walk.visit(kernel.name)
        targets: dict[Signature, tuple[str, ...]] = {}
        by_signature = _address_taken_by_signature(module)
        while new := {every for signatures in walk.pointers.values() for every in signatures}.difference(targets):
            for signature in new:  # functions that are called through pointers may call others through pointers
                targets[signature] = tuple(sorted(by_signature.get(signature, ())))
                for name in targets[signature]:
                    walk.visit(name)
        calls = {
            name: walk.direct[name].union(*(targets[signature] for signature in walk.pointers[name]))
            for name in walk.visited
        }
        outlined = {name for names in targets.values() for name in names}
        outlined |= {name for name in calls if name in _reachable(calls, calls[name])}
        return cls(frozenset(outlined), targets)


def _address_taken_by_signature(module: Module) -> dict[Signature, list[str]]:
    """Return, by signature, the unsorted names of functions with a body whose address code or a global holds."""
    names = set(module.names_in_code)
    for variable in module.globals.values():
        if not variable.name.startswith("@llvm."):  # lists for the linker, which no kernel reads
            names.update(global_names_in(variable.initializer))
    functions: defaultdict[Signature, list[str]] = defaultdict(list)
    for name in filter(module.defines, names):
        functions[signature_of(module.function(name, body=False))].append(name)
    return functions


class _CallWalk:
    """Collects the functions that may run, what each calls, and the functions whose address is taken.

    Attributes:
        direct: By function, the functions that it calls by name.
        pointers: By function, the signatures that it calls through pointers.
        address_taken: The functions whose address is a value somewhere.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self.visited: set[str] = set()
        self.direct: defaultdict[str, set[str]] = defaultdict(set)
        self.pointers: defaultdict[str, set[Signature]] = defaultdict(set)
        self.address_taken: set[str] = set()
        self._globals: set[str] = set()

    def visit(self, name: str) -> None:
        """Collect, in `visited`, a function and all functions with a body that it may call directly or whose address is
        taken, and theirs.

        Calls through pointers are only recorded in `pointers`, not followed. Raises KeyError if the function has no
        body.
        """
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in self.visited:
                continue
            self.visited.add(name)
            for block in self._module.function(name).blocks:
                for instruction in block.instructions:
                    for operand in instruction.operands:
                        self._note(operand)
                    if instruction.opcode == "call":
                        self._call(name, instruction)
            waiting += self.direct[name] | self.address_taken

    def _call(self, name: str, instruction: Instruction) -> None:
        callee = instruction.attrs["callee"]
        if isinstance(callee, GlobalRef):
            if self._module.defines(callee.name):
                self.direct[name].add(callee.name)
        elif isinstance(callee, Local | Const | Expr):
            self._note(callee)
            self.pointers[name].add(signature_of(instruction))

    def _note(self, operand: object) -> None:
        for name in global_names_in(operand):
            if self._module.defines(name):
                self.address_taken.add(name)
            elif name in self._module.globals and name not in self._globals:
                self._globals.add(name)
                self._note(self._module.globals[name].initializer)


def _reachable(calls: Mapping[str, set[str]], start: set[str]) -> set[str]:
    """Return all functions that calls from `start` can reach, `start` included."""
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += calls.get(name, ())
    return reached


def save_live_values(graph: ControlFlowGraph) -> None:
    """Make calls of functions that are not inlined save the values that are live after them, and restore them on
    return.

    The graph changes in place: values become operands of `call.enter`, and a block where a call returns begins with
    `call.saved`. The code in between may run again before they return, and would overwrite the values.
    """
    needed: dict[int, set[int]] = {}
    alive: dict[int, set[int]] = {id(block): set() for block in graph.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(graph.blocks):
            before = needed.get(block.resumes[0]) if block.resumes else None
            live = _live_at_entry(block, alive, needed)
            # The saved values are live where the call is; it is visited later in this pass, or in the next one.
            if live != alive[id(block)] or (block.resumes and needed[block.resumes[0]] != before):
                alive[id(block)] = live
                changed = True
    order = {number: sorted(values) for number, values in needed.items()}
    for block in graph.blocks:
        for place, op in enumerate(block.ops):
            if op.opcode == "call.enter":
                (number,) = op.operands
                assert isinstance(number, Const)
                saved = order.get(number.value, ())
                block.ops[place] = replace(op, operands=(number, *(Ref(value, graph.types[value]) for value in saved)))
        if block.resumes is not None:
            call, site = block.resumes
            restores, leaf = [], 0
            for value in order.get(call, ()):
                where = Const(Int(32), call), Const(Int(32), leaf)
                restores.append(Op("call.saved", value, graph.types[value], where, site))
                leaf += len(leaves(graph.types[value]))
            block.ops[:0] = restores


def _live_at_entry(block: BasicBlock, alive: Mapping[int, set[int]], needed: dict[int, set[int]]) -> set[int]:
    """Return the numbers of the values that are live where a block begins, given those of its successors in `alive`.

    If a call returns to the block, the numbers go to `needed`, under the call's number, since the call's frame saves
    the values; the result is then empty. The keys of `alive` are `id(block)`.
    """
    live: set[int] = set(value_numbers((block.condition, *(value for edge in block.edges for value in edge.moves))))
    for edge in block.edges:
        live |= alive[id(edge.target)]
    for op in reversed(block.ops):
        live.discard(op.result if op.result is not None else -1)
        live.update(value_numbers(op.operands))
        if op.opcode == "call.enter":
            (number,) = op.operands
            assert isinstance(number, Const)
            live |= needed.get(number.value, set())
    live -= {number for number, _ in block.phis}
    if block.resumes is not None:
        needed[block.resumes[0]], live = live, set()
    return live
