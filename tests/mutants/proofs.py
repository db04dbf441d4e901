"""Proofs that a mutant is equivalent, by rules that hold for any kernel.

They ask a kernel that is changed once more: a probe writes to no memory of its own, and to address 0 where what the
mutant changes is seen. It is run as a mutant is, on every data set. What a probe shows of the data sets is so for all
data where it follows from the launch alone: `Flow` says of which values that is true. That no thread comes by the
instruction proves nothing: another launch may have one that does. So a proof holds for the launches at which it was
made, and at one of them a thread has to come by. The rules:

    fixed: Each address, branch, exchange and stored value that depends on the instruction is what it was.
    redundant: Without the barrier or fence no two accesses race, where what is accessed is fixed.
    unread: What is stored into a local variable is loaded nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tests.mutants.operators import IrMutant

__all__ = ["NEVER_RUN", "RULES", "Flow", "never_run", "proof", "same", "whole_proof"]

RULES = ("fixed", "redundant", "unread")
NEVER_RUN = "never-run"  # at one launch: no proof alone
Right = Callable[[str], bool]  # whether a kernel is right on every data set
NAME = re.compile(r"%[\w.]+")
DEFINED = re.compile(r"  (%[\w.]+) = (?:(?:tail|musttail|notail) )?(\w+)")
# What is the same for the same operands, and does nothing else.
_OPCODES = (
    "add sub mul sdiv udiv srem urem and or xor shl lshr ashr icmp fcmp select phi getelementptr zext sext trunc "
    "fadd fsub fmul fdiv frem fneg bitcast addrspacecast ptrtoint inttoptr sitofp uitofp fptosi fptoui fpext fptrunc "
    "freeze extractvalue insertvalue extractelement insertelement shufflevector"
)
PURE = frozenset(_OPCODES.split())
PURE_CALL = re.compile(
    r"call .*@llvm\.(nvvm\.elect\.sync\(|"  # of the same lanes it elects the same one each time
    r"(nvvm\.read\.ptx\.sreg|[su]max|[su]min|abs|ctlz|cttz|ctpop|fshl|fshr|fma|fmuladd|maxnum|minnum)\.)"
)
TYPED = r"(ptr(?: addrspace\(\d+\))?|i\d+|float|half|bfloat|double) (?:noundef )?"
HIT, WHERE = "store i8 0, ptr null, align 1", "%mutant.own"


class Flow:
    """What of a kernel follows from its launch alone.

    Args:
        text: A module with one function.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.first = next(at for at, line in enumerate(self.lines) if line.startswith("define "))
        self.last = next(at for at in range(self.first, len(self.lines)) if self.lines[at].startswith("}"))
        self.body = [line.partition(", !")[0] for line in self.lines[self.first + 1 : self.last]]
        self.defined = {match[1]: line for line in self.body if (match := DEFINED.match(line))}
        self._descriptors = set(re.findall(r" byval\(.*?\) (%\w+)", self.lines[self.first]))
        self.varying = self._varying()

    def control(self) -> bool:
        """Whether the threads go the same way whatever the data are."""
        return all(self.is_fixed(line) for line in self.body if re.match(r"  (br|switch) ", line))

    def accesses(self) -> bool:
        """Whether they come by the same memory."""
        memory = re.compile(r"\b(?:load|store|atomicrmw|cmpxchg)\b.*?\bptr(?: addrspace\(\d+\))? (%[\w.]+)")
        return all(match[1] not in self.varying for line in self.body if (match := memory.search(line)))

    def unread(self, store: str) -> bool:
        """Whether an instruction stores into a local variable of which nothing is loaded."""
        root = self._root(NAME.findall(store)[-1])
        if not root or root in self._descriptors:
            return False
        for line in self.body:
            names = NAME.findall(line.partition(" = ")[2] or line)
            if re.match(r"  store ", line):
                names = names[:-1]  # to store into it is no use of it
            elif re.match(r"  %\S+ = (load \{\},|getelementptr |addrspacecast )|  call void @llvm\.lifetime\.", line):
                continue
            if root in map(self._root, names):
                return False
        return True

    def is_fixed(self, line: str) -> bool:
        """Whether an instruction's operands follow from the launch."""
        return self.varying.isdisjoint(NAME.findall(line.partition(" = ")[2] or line))

    def _root(self, name: str) -> str:
        """The local variable, or the descriptor of an array, in which an address lies; or nothing."""
        line = self.defined.get(name, "")
        if name in self._descriptors or " = alloca " in line:
            return name
        if " = getelementptr " in line or " = addrspacecast " in line:
            return self._root(NAME.findall(line)[1]) if NAME.findall(line)[1:] else ""
        return ""

    def _varying(self) -> set[str]:
        varying: set[str] = set()
        before = -1
        control = False
        while before != len(varying):
            before = len(varying)
            for line in self.body:
                names, match = NAME.findall(line), DEFINED.match(line)
                if match is None:
                    stored = re.match(r"  store .*, ptr (%[\w.]+)", line)
                    if stored and (root := self._root(stored[1])) and not varying.isdisjoint(names[:-1]):
                        varying.add(root)
                    elif line.startswith("  call ") and "@llvm.lifetime." not in line:  # it may write to what it gets
                        varying.update(filter(None, map(self._root, names)))
                    elif re.match(r"  (br|switch) ", line):
                        control = control or not varying.isdisjoint(names)
                    continue
                if match[2] == "load":
                    wild = self._root(names[-1]) == "" or self._root(names[-1]) in varying
                elif match[2] in PURE or PURE_CALL.search(line):
                    wild = not varying.isdisjoint(names[1:]) or (match[2] == "phi" and control)
                else:
                    wild = match[2] != "alloca"
                    varying.update(filter(None, map(self._root, names[1:])) if match[2] == "call" else ())
                if wild:
                    varying.add(match[1])
        return varying


def proof(mutant: IrMutant, text: str, right: Right) -> str:
    """The rule by which a mutant that survives a launch is equivalent there, `NEVER_RUN`, or nothing.

    Args:
        text: The kernel as it was.
        right: Runs a probe.
    """
    flow = Flow(text)
    if not flow.first < mutant.line - 1 < flow.last:
        return ""
    if mutant.operator == "delete-store" and flow.unread(mutant.old):
        return "unread"
    if not flow.control():
        return ""
    if right(never_run(flow, mutant)):
        return NEVER_RUN
    if mutant.operator in ("delete-barrier", "delete-fence"):
        return "redundant" if flow.accesses() and right(mutant.text) else ""
    probe = same(flow, mutant)
    return "fixed" if probe and right(probe) else ""


def whole_proof(rules: Sequence[str]) -> str:
    """The rule by which a mutant is equivalent at all launches, by those of each launch; nothing if one has none, or if
    no thread comes by the instruction at any launch.
    """
    proved = [rule for rule in rules if rule != NEVER_RUN]
    return proved[0] if proved and all(rules) else ""


def never_run(flow: Flow, mutant: IrMutant) -> str:
    """The kernel with a write to address 0 where the mutant is changed."""
    at, lines = mutant.line - 1, flow.lines
    while " = phi " in lines[at]:
        at += 1
    return "\n".join([*lines[:at], f"  {HIT}", *lines[at:]])


def same(flow: Flow, mutant: IrMutant) -> str:
    """The kernel with what follows from the instruction and the launch computed twice, as before and as in the mutant.

    Where the two differ as others use them (to store, as an address, with data), it writes to address 0. Empty where
    the instruction's own operands vary, or what is used has a type that is not compared.
    """
    match = DEFINED.match(mutant.old if mutant.old.startswith("  ") else f"  {mutant.old}")
    twins = {match[1]: f"  {mutant.new}"} if match else {}
    if match is None or not _decided(flow, f"  {mutant.new}", twins):
        return ""
    while True:
        more = {
            name: line
            for name, line in flow.defined.items()
            if name not in twins
            and not twins.keys().isdisjoint(NAME.findall(line)[1:])
            and _pure(line)
            and _decided(flow, line, twins)
        }
        if not more:
            break
        twins |= more
    lines = [*flow.lines[: flow.first + 1]]
    start = flow.first + 1
    if re.match(r"[\w.]+:", flow.lines[start]):
        lines.append(flow.lines[start])
        start += 1
    lines.append(f"  {WHERE} = alloca i8, align 1")
    waiting: list[str] = []
    for line, plain in zip(flow.lines[start : flow.last], flow.body[start - flow.first - 1 :], strict=True):
        if " = phi " not in plain:
            lines += waiting
            waiting = []
        defined = DEFINED.match(plain)
        name = defined[1] if defined else ""
        if name not in twins or name == match[1]:
            seen = [used for used in dict.fromkeys(NAME.findall(plain.partition(" = ")[2] or plain)) if used in twins]
            for used in () if name == match[1] else seen:
                kind = re.search(TYPED + rf"(?:[^ ,]+, )?{re.escape(used)}(?![\w.])", plain)
                if kind is None:
                    return ""
                lines += _compared(kind[1], used, len(lines))
        lines.append(line)
        if name in twins:
            waiting.append(_renamed(twins[name], twins))
            if " = phi " not in plain:
                lines += waiting
                waiting = []
    return "\n".join([*lines, *flow.lines[flow.last :]])


def _pure(line: str) -> bool:
    match = DEFINED.match(line)
    return match is not None and (match[2] in PURE or PURE_CALL.search(line) is not None)


def _decided(flow: Flow, line: str, twins: dict[str, str]) -> bool:
    """Whether the launch alone decides that a value is what it was: a choice may be between any two."""
    operands = NAME.findall(line.partition(" = ")[2])
    if " = phi " in line:
        return True
    if " = select " in line:
        operands = operands[:1] if re.search(r" = select i1 %", line) else []
    return all(name not in flow.varying or name in twins for name in operands)


def _renamed(line: str, twins: dict[str, str]) -> str:
    return NAME.sub(lambda name: _twin(name[0]) if name[0] in twins else name[0], line)


def _twin(name: str) -> str:
    return f"%twin.{name[1:]}"  # a name that begins with a digit is one of those that count up


def _compared(kind: str, name: str, number: int) -> Iterator[str]:
    own, other, end = name, _twin(name), f"%mutant.{number}"
    if kind in ("float", "half", "bfloat", "double"):
        bits = "i32" if kind == "float" else "i64" if kind == "double" else "i16"
        yield f"  {end}.a = bitcast {kind} {own} to {bits}"
        yield f"  {end}.b = bitcast {kind} {other} to {bits}"
        own, other, kind = f"{end}.a", f"{end}.b", bits
    yield f"  {end}.c = icmp ne {kind} {own}, {other}"
    yield f"  {end}.d = select i1 {end}.c, ptr null, ptr {WHERE}"
    yield f"  store i8 0, ptr {end}.d, align 1"
