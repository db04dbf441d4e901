"""Wrong kernels from a right one: the text of its LLVM IR, changed in one place.

Operators:
    delete-barrier, delete-fence, delete-store: The instruction is left out.
    delete-shuffle: A lane keeps its own value.
    negate-comparison: The opposite predicate.
    shift-comparison: The predicate that differs where both sides are equal.
    change-constant: An integer becomes one more, a float one more, a truth its opposite.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["OPERATORS", "IrMutant", "mutants"]

OPERATORS = (
    "delete-barrier",
    "delete-fence",
    "delete-store",
    "delete-shuffle",
    "negate-comparison",
    "shift-comparison",
    "change-constant",
)
BARRIER = re.compile(r"call void @(llvm\.nvvm\.bar|llvm\.amdgcn\.s\.barrier|(llvm\.)?air\.(wg|simdgroup)\.barrier)")
EXCHANGE = re.compile(
    r"call (\w+) @(llvm\.nvvm\.shfl\.sync|llvm\.amdgcn\.ds\.bpermute|llvm\.amdgcn\.update\.dpp"
    r"|llvm\.amdgcn\.permlanex?\w+|(?:llvm\.)?air\.simd_shuffle)[\w.]*\((.*)\)"
)
# Which argument an exchange passes on.
GIVEN = {"llvm.nvvm.shfl.sync": 1, "llvm.amdgcn.ds.bpermute": 1, "llvm.amdgcn.update.dpp": 1}
INTEGERS = {"eq": "ne", "slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt"}
FLOATS = {"oeq": "une", "olt": "uge", "ole": "ugt", "ogt": "ule", "oge": "ult", "ord": "uno"}
NEGATED = {
    opcode: table | {after: before for before, after in table.items()}
    for opcode, table in (("icmp", INTEGERS), ("fcmp", FLOATS))
}
SHIFTED = {"slt": "sle", "sgt": "sge", "ult": "ule", "ugt": "uge", "olt": "ole", "ogt": "oge"}
SHIFTED |= {after: before for before, after in SHIFTED.items()}
COMPARISON = re.compile(r"\b([if]cmp) (?:\w+ )*?([a-z]{2,3}) (?=[if<]|half|float|double)")
TAIL = re.compile(r", (align \d+|![\w.]+ ![\w()]+).*$")
NUMBER = re.compile(r"(?<=[ \[])(-?\d+)(?=[,)\s]|$)")
FLOAT = re.compile(r"(?<= )(-?\d\.\d+e[+-]\d+)")
TRUTH = re.compile(r"(?<=i1 )(true|false)")
FIXED = ("extractvalue", "insertvalue", "alloca", "declare", "br ", "switch", "ret ")


@dataclass(frozen=True, slots=True)
class IrMutant:
    """A kernel changed in one place.

    Attributes:
        line: The line's number in the text, from 1.
        old: The instruction, without its metadata.
        new: What stands in its place; empty when it is left out.
        text: The whole changed text.
    """

    operator: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.operator}: {self.old} -> {self.new or 'nothing'}"


def mutants(text: str, of_line: int = 0) -> Iterator[IrMutant]:
    """Every mutant of a module's kernels, in the order of their lines; or those of one line, by its number from 1."""
    lines = text.split("\n")
    inside = False
    for number, line in enumerate(lines):
        if line.startswith("define "):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and line.startswith("  ") and of_line in (0, number + 1):
            head = TAIL.sub("", line)
            for operator, changed in _changes(head):
                tail = line[len(head) :] if changed else ""
                whole = [*lines[:number], changed + tail, *lines[number + 1 :]]
                yield IrMutant(operator, number + 1, head.strip(), changed.strip(), "\n".join(whole))


def _changes(head: str) -> Iterator[tuple[str, str]]:
    if BARRIER.search(head):
        yield "delete-barrier", ""
        return
    if head.startswith("  fence "):
        yield "delete-fence", ""
        return
    if head.startswith("  store "):
        yield "delete-store", ""
    if match := EXCHANGE.search(head):
        arguments = match[3].split(", ")
        own = arguments[GIVEN.get(match[2], 0)]
        yield "delete-shuffle", head[: match.start()] + f"select i1 true, {own}, {own}"
    if match := COMPARISON.search(head):
        start, stop = match.span(2)
        for operator, table in (("negate", NEGATED[match[1]]), ("shift", SHIFTED)):
            if match[2] in table:
                changed = head[:start] + table[match[2]] + head[stop:]
                yield f"{operator}-comparison", changed
    yield from _constants(head)


def _constants(head: str) -> Iterator[tuple[str, str]]:
    if any(word in head for word in FIXED) and "select" not in head:
        return
    for match in NUMBER.finditer(head):
        before = head[: match.start()]
        if before.endswith((" x ", "[")) and " phi " not in before:
            continue
        yield "change-constant", before + str(int(match[1]) + 1) + head[match.end() :]
    for match in FLOAT.finditer(head):
        value = f"{float(match[1]) + 1:e}"
        yield "change-constant", head[: match.start()] + value + head[match.end() :]
    for match in TRUTH.finditer(head):
        other = "false" if match[1] == "true" else "true"
        yield "change-constant", head[: match.start()] + other + head[match.end() :]
