"""Functions whose code stands once: those called through a pointer, and those that call themselves.

Other calls are spliced in. Here lanes jump to the one copy, keep what they need afterwards in a frame of
their own, and come back by the number of the call. Three instructions that LLVM does not have do it:
`call.target` finds the function that a pointer names, `call.enter` puts a call's values into a new frame,
`call.leave` ends the frame and gives the call's number, `call.saved` gives back a value.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from harness.simt.compile.graph import FlatBlock, Graph, Op, Ref, names_in, numbers_of
from harness.simt.ir.module import Const, Expr, Function, GlobalRef, Instruction, Local
from harness.simt.ir.parse import Module
from harness.simt.ir.types import Int, Type, leaves

__all__ = [
    "CallGraph",
    "Signature",
    "keep_values",
    "signature_of",
    "signature_text",
]

# What a function returns and takes.
Signature: TypeAlias = tuple[Type, tuple[Type, ...]]


def signature_of(called: Function | Instruction) -> Signature:
    """That of a function, or the one that a call expects."""
    if isinstance(called, Function):
        return called.returns, tuple(param.type for param in called.params)
    return called.type, tuple(operand.type for operand in called.operands)


def signature_text(signature: Signature) -> str:
    """As LLVM writes the type of a function."""
    returns, takes = signature
    return f"{returns} ({', '.join(map(str, takes))})"


@dataclass(slots=True)
class CallGraph:
    """Who may call whom, from a kernel on.

    Attributes:
        kept: The functions whose code stands once.
        targets: What a call through a pointer may reach, by signature. A launch before may have stored the address
            of any function, so each one counts whose address is taken anywhere in the module.
    """

    kept: frozenset[str] = frozenset()
    targets: Mapping[Signature, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, kernel: Function) -> "CallGraph":
        """Walks all that a kernel can reach."""
        walk = _Walk(module)
        walk.visit(kernel.name)
        targets: dict[Signature, tuple[str, ...]] = {}
        by_signature = _taken_by_signature(module)
        while new := {every for signatures in walk.pointers.values() for every in signatures}.difference(targets):
            for signature in new:  # functions that are called through pointers may call others through pointers
                targets[signature] = tuple(sorted(by_signature.get(signature, ())))
                for name in targets[signature]:
                    walk.visit(name)
        calls = {
            name: walk.direct[name].union(*(targets[signature] for signature in walk.pointers[name]))
            for name in walk.seen
        }
        kept = {name for names in targets.values() for name in names}
        kept |= {name for name in calls if name in _reached(calls, calls[name])}
        return cls(frozenset(kept), targets)


def _taken_by_signature(module: Module) -> dict[Signature, list[str]]:
    """Return the functions whose address the code or a global variable of a module holds, by signature."""
    names = set(module.names_in_code)
    for variable in module.globals.values():
        if not variable.name.startswith("@llvm."):  # lists for the linker, which no kernel reads
            names.update(names_in(variable.initializer))
    found: defaultdict[Signature, list[str]] = defaultdict(list)
    for name in filter(module.defines, names):
        found[signature_of(module.function(name, body=False))].append(name)
    return found


class _Walk:
    """All functions that may run, what they call, and whose address they know.

    Attributes:
        direct: The functions that one calls by name.
        pointers: The signatures that one calls through pointers.
        taken: The functions whose address is a value somewhere.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self.seen: set[str] = set()
        self.direct: defaultdict[str, set[str]] = defaultdict(set)
        self.pointers: defaultdict[str, set[Signature]] = defaultdict(set)
        self.taken: set[str] = set()
        self._globals: set[str] = set()

    def visit(self, name: str) -> None:
        """Follows a function, and all that is new in it."""
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in self.seen:
                continue
            self.seen.add(name)
            for block in self._module.function(name).blocks:
                for instruction in block.instructions:
                    for operand in instruction.operands:
                        self._note(operand)
                    if instruction.opcode == "call":
                        self._call(name, instruction)
            waiting += self.direct[name] | self.taken

    def _call(self, name: str, instruction: Instruction) -> None:
        callee = instruction.attrs["callee"]
        if isinstance(callee, GlobalRef):
            if self._module.defines(callee.name):
                self.direct[name].add(callee.name)
        elif isinstance(callee, Local | Const | Expr):
            self._note(callee)
            self.pointers[name].add(signature_of(instruction))

    def _note(self, operand: object) -> None:
        for name in names_in(operand):
            if self._module.defines(name):
                self.taken.add(name)
            elif name in self._module.globals and name not in self._globals:
                self._globals.add(name)
                self._note(self._module.globals[name].initializer)


def _reached(calls: Mapping[str, set[str]], start: set[str]) -> set[str]:
    """The functions that some call, they themselves, and so on."""
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += calls.get(name, ())
    return reached


def keep_values(graph: Graph) -> None:
    """Lets calls of functions that stand once keep what is needed after them.

    The code in between may run again before they come back, and make each value anew.
    """
    needed: dict[int, set[int]] = {}
    alive: dict[int, set[int]] = {id(block): set() for block in graph.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(graph.blocks):
            before = needed.get(block.resumes[0]) if block.resumes else None
            live = _live(block, alive, needed)
            # What a call keeps is needed where it is made: there it is looked at in this round, or in the next.
            if live != alive[id(block)] or (block.resumes and needed[block.resumes[0]] != before):
                alive[id(block)] = live
                changed = True
    order = {number: sorted(values) for number, values in needed.items()}
    for block in graph.blocks:
        for place, op in enumerate(block.ops):
            if op.opcode == "call.enter":
                (number,) = op.operands
                assert isinstance(number, Const)
                kept = order.get(number.value, ())
                block.ops[place] = replace(op, operands=(number, *(Ref(value, graph.types[value]) for value in kept)))
        if block.resumes is not None:
            call, site = block.resumes
            begin, leaf = [], 0
            for value in order.get(call, ()):
                where = Const(Int(32), call), Const(Int(32), leaf)
                begin.append(Op("call.saved", value, graph.types[value], where, site))
                leaf += len(leaves(graph.types[value]))
            block.ops[:0] = begin


def _live(block: FlatBlock, alive: Mapping[int, set[int]], needed: dict[int, set[int]]) -> set[int]:
    """What is needed where a block begins; where a call comes back, that is put aside for its frame."""
    live: set[int] = set(numbers_of((block.condition, *(value for edge in block.edges for value in edge.moves))))
    for edge in block.edges:
        live |= alive[id(edge.target)]
    for op in reversed(block.ops):
        live.discard(op.result if op.result is not None else -1)
        live.update(numbers_of(op.operands))
        if op.opcode == "call.enter":
            (number,) = op.operands
            assert isinstance(number, Const)
            live |= needed.get(number.value, set())
    live -= {number for number, _ in block.phis}
    if block.resumes is not None:
        needed[block.resumes[0]], live = live, set()
    return live
