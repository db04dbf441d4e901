"""Record what LLVM's NVPTX backend makes of atomic instructions, version by version.

    python -m tests.simt.atomic_ptx 19=llc-19 20="zig clang" ... > tests/simt/known/atomic_ptx.json

compiles every operation, type, ordering and scope for each of `MACHINES`, and writes the memory instructions of the
PTX. A command is an `llc` that has NVPTX, or a clang; a file that was recorded before stands for its versions.
`builds` in the file names those that made it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from harness.model.sources import ROOT

__all__ = ["REFUSED", "Observation", "Operation", "main", "observations", "operations", "signature"]

RECORDED = ROOT / "tests" / "simt" / "known" / "atomic_ptx.json"

# The architecture and the version of PTX: the least that has it, and a later one where that brings more atomics.
MACHINES = ((50, 50), (60, 50), (70, 60), (70, 63), (80, 70), (90, 78), (90, 83), (100, 86))
SCOPES = ("", "block", "cluster", "device")
ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
FAILURES = {"release": "monotonic", "acq_rel": "acquire"}
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("half", "bfloat", "float", "double", "<2 x half>", "<2 x bfloat>")
UPDATES = {
    **dict.fromkeys(("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"), INTEGERS),
    **dict.fromkeys(("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"), INTEGERS),
    **dict.fromkeys(("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"), FLOATS),
}
BYTES = {"i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i64": 8, "double": 8, "ptr": 8, "i128": 16}
ACCESS = re.compile(r"\b(membar|fence|atom|red|ld|st)((?:\.\w+)+)")
QUIET = {
    "LLVM_DISABLE_SYMBOLIZATION": "1",
    "LLVM_DISABLE_CRASH_REPORT": "1",
}  # of an LLVM that cannot select, in a hurry
APART = ("what", "type", "ordering")  # no backend refuses one scope of an operation and accepts another
WORDS = frozenset(
    {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "cta", "cluster", "gpu", "sys", "gl", "cas"}
)
# What is atomic in PTX. Without it a version calls a function of a library that no GPU has, as for i128, or makes a
# plain access of an unordered one.
STRONG = {"load": r"atom|ld\.", "store": r"atom|st\.", "fence": "fence|membar"}
REFUSED = "-"  # the compiler cannot read it, or selects no instruction for it


class Operation(NamedTuple):
    """An atomic instruction.

    Attributes:
        what: The operation of an `atomicrmw`, or another opcode.
    """

    what: str
    type: str
    ordering: str
    scope: str

    def function(self, name: str, *, typed: bool) -> str:
        """Return a function that executes it on its parameters.

        Args:
            typed: Whether pointers have the type of what they point to, as up to LLVM 14.
        """
        scope = f'syncscope("{self.scope}") ' if self.scope else ""
        ty = "i8*" if typed and self.type == "ptr" else self.type
        pointer = f"{ty}* %p" if typed else "ptr %p"
        end = f"{scope}{self.ordering}, align {BYTES.get(self.type, 4)}"
        failure = FAILURES.get(self.ordering, self.ordering)
        result, line = {
            "fence": ("void", f"fence {scope}{self.ordering}"),
            "store": ("void", f"store atomic {ty} %v, {pointer} {end}"),
            "load": (ty, f"%r = load atomic {ty}, {pointer} {end}"),
            "cmpxchg": (
                f"{{ {ty}, i1 }}",
                f"%r = cmpxchg {pointer}, {ty} %v, {ty} %w {scope}{self.ordering} {failure}",
            ),
        }.get(self.what, (ty, f"%r = atomicrmw {self.what} {pointer}, {ty} %v {scope}{self.ordering}"))
        parameters = f"({pointer}, {ty} %v, {ty} %w)" if ty else "()"
        back = "void" if result == "void" else f"{result} %r"
        return f"define {result} @{name}{parameters} {{\n  {line}\n  ret {back}\n}}\n"


class Observation(NamedTuple):
    """The memory instructions that a version of LLVM made of an operation for a machine; see `signature`."""

    version: int
    sm: int
    ptx: int
    operation: Operation
    signature: str


def operations(sm: int = 90) -> Iterator[list[Operation]]:
    """Yield all operations that an architecture may have, those of one opcode and type together."""
    kinds = [(what, ty, ORDERINGS) for what, types in UPDATES.items() for ty in types]
    kinds += [("xchg", ty, ORDERINGS) for ty in ("float", "double", "ptr", "i128")]
    kinds += [("cmpxchg", ty, ORDERINGS) for ty in (*INTEGERS, "i128", "ptr")]
    for ty in (*INTEGERS, "i128", "ptr", "half", "float", "double"):
        kinds += [("load", ty, ("unordered", "monotonic", "acquire", "seq_cst"))]
        kinds += [("store", ty, ("unordered", "monotonic", "release", "seq_cst"))]
    kinds += [("fence", "", ORDERINGS[1:])]
    scopes = [scope for scope in SCOPES if scope != "cluster" or sm >= 90]
    for what, ty, orderings in kinds:
        yield [Operation(what, ty, ordering, scope) for ordering in orderings for scope in scopes]


def _name(group: Sequence[Operation]) -> str:
    return f"{group[0].what} {group[0].type}".strip()


def signature(ptx: str) -> str:
    """Return the memory instructions of PTX in their order, without types, operations and accesses of parameters."""
    found = []
    for opcode, words in ACCESS.findall(ptx):
        parts = words.split(".")[1:]
        if not {"param", "local", "proxy"} & set(parts):
            found.append(".".join((opcode, *(part for part in parts if part in WORDS))))
    return " ".join(found)


def _compile(command: str, version: int, sm: int, ptx: int, some: Sequence[Operation]) -> tuple[str, str]:
    """Return the PTX of functions `f0_`, `f1_`..., empty if they are refused, and what the compiler said."""
    words = shlex.split(command)
    head = 'target triple = "nvptx64-nvidia-cuda"\n'
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
        file.write(head + "".join(one.function(f"f{n}_", typed=version < 15) for n, one in enumerate(some)))
        file.flush()
        if words[-1].endswith("clang"):
            machine = (
                word
                for value in ("-target-cpu", f"sm_{sm}", "-target-feature", f"+ptx{ptx}")
                for word in ("-Xclang", value)
            )
            words += ["--target=nvptx64-nvidia-cuda", *machine, "-w", "-x", "ir", "-S", "-O1", file.name, "-o", "-"]
        else:
            opaque = ["-opaque-pointers"] if version == 15 else []
            words += [*opaque, "-march=nvptx64", f"-mcpu=sm_{sm}", f"-mattr=+ptx{ptx}", file.name, "-o", "-"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | QUIET)
    refused = done.returncode or "is not a recognized" in done.stderr
    return "" if refused else done.stdout, done.stderr


def _observe(command: str, machine: tuple[int, int, int], some: Sequence[Operation]) -> dict[Operation, str]:
    """Return the signatures of operations, which are compiled apart where one of them is refused."""
    made, said = _compile(command, *machine, some)
    if made:
        bodies = dict(re.findall(r"\.func\b[^{]*?\bf(\d+)_\(.*?^\{(.*?)^\}", made, re.DOTALL | re.MULTILINE))
        return {operation: signature(bodies[str(n)]) for n, operation in enumerate(some)}
    apart = next((field for field in APART if len({getattr(one, field) for one in some}) > 1), None)
    if apart is None or "is not a recognized" in said:  # the compiler does not know the machine
        return dict.fromkeys(some, REFUSED)
    parts = defaultdict(list)
    for operation in some:
        parts[getattr(operation, apart)].append(operation)
    return {one: made for part in parts.values() for one, made in _observe(command, machine, part).items()}


def observations(recorded: Mapping[str, Any] | None = None) -> Iterator[Observation]:
    """Yield what is recorded, without what compilers refuse or leave to a library that no GPU has."""
    recorded = recorded or json.loads(RECORDED.read_text(encoding="utf-8"))
    for number, (version, sm, ptx) in enumerate(recorded["machines"]):
        for group in operations(sm):
            vector = recorded["groups"][_name(group)][number]
            for operation, made in zip(group, recorded["vectors"][vector].split(", "), strict=True):
                if made != REFUSED and re.search(STRONG.get(operation.what, "atom"), made):
                    yield Observation(version, sm, ptx, operation, made)


def _record(version: int, command: str) -> dict[str, Any]:
    """Return what one version makes of all operations on all machines that it knows."""
    said = subprocess.run([*shlex.split(command), "--version"], capture_output=True, text=True, check=False).stdout
    build = next(line.strip() for line in said.splitlines() if "version" in line)
    machines, vectors, groups = [], [], defaultdict(list)
    for sm, ptx in MACHINES:
        found = _observe(command, (version, sm, ptx), list(chain.from_iterable(operations(sm))))
        if set(found.values()) == {REFUSED}:
            continue
        machines.append([version, sm, ptx])
        for group in operations(sm):
            groups[_name(group)].append(len(vectors))
            vectors.append(", ".join(found[operation] for operation in group))
    return {"builds": {str(version): build}, "machines": machines, "vectors": vectors, "groups": groups}


def _merge(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return records as one, with each vector once; of a version that several have, the first one's."""
    numbers: dict[str, int] = {}
    machines, builds, groups = [], {}, defaultdict(list)
    of_version: dict[str, Mapping[str, Any]] = {}
    for record in records:
        for version in record["builds"]:
            of_version.setdefault(version, record)
    columns = [(machine, record, n) for record in records for n, machine in enumerate(record["machines"])]
    for machine, record, n in sorted(columns, key=lambda column: tuple(column[0])):
        version = str(machine[0])
        if of_version[version] is not record:
            continue
        machines.append(machine)
        builds[version] = record["builds"][version]
        for name, held in record["groups"].items():
            groups[name].append(numbers.setdefault(record["vectors"][held[n]], len(numbers)))
    return {"builds": builds, "machines": machines, "vectors": list(numbers), "groups": groups}


def main(sources: Sequence[str]) -> None:
    """Print a record of versions, each `VERSION=COMMAND` or a file recorded before, with a line for each operation."""
    records = []
    for source in sources:
        version, equals, command = source.partition("=")
        records.append(
            _record(int(version), command) if equals else json.loads(Path(source).read_text(encoding="utf-8"))
        )
    record = _merge(records)
    print('{\n"builds":', json.dumps(record["builds"]) + ',\n"machines":', json.dumps(record["machines"]))
    print(',"vectors": [')
    print(",\n".join(map(json.dumps, record["vectors"])))
    print('],\n"groups": {')
    print(",\n".join(f"{json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in record["groups"].items()))
    print("}\n}")


if __name__ == "__main__":
    main(sys.argv[1:])
