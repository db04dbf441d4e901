"""Decode LLVM IR text, validated and printed by llvmlite, into a `Module`: kernels, functions, globals, triple.

llvmlite, which no other module of `ir` imports, upgrades old forms and prints one canonical text. All else is read from
it, because the binding hides predicates, flags, masks and switch cases. Bodies are decoded when first requested.
"""

import re
from dataclasses import replace
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any

import llvmlite.binding as llvm

from harness.simt.errors import DecodeError
from harness.simt.ir.atomic_orders import AtomicOrders
from harness.simt.ir.constants import read_operand
from harness.simt.ir.debug import DebugInfo
from harness.simt.ir.function_table import FunctionTable, lines_of
from harness.simt.ir.indices import find_indices
from harness.simt.ir.instructions import DEBUG, read_instruction
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Block, Function, Global, Instruction, Param, VariableNames
from harness.simt.ir.producers import compilers_in, producer_of
from harness.simt.ir.types import Type
from harness.simt.ir.upgrade import check_atomics, to_accepted
from harness.simt.ir.variables import read_names, read_record

__all__ = ["Module", "canonicalise", "decode"]

ATTRIBUTE = re.compile(r'"([^"]*)"(?:="([^"]*)")?')
KERNEL_WORDS = ("ptx_kernel", "amdgpu_kernel", "spir_kernel")
DEFINED = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
# A name that is not called: if it is a function's, its address is taken.
VALUE = re.compile(r'@(?:"[^"]*"|[-\w.$]+)(?![-\w.$(])')
LABEL = re.compile(r'^(?:([-\w.$]+)|"([^"]*)"):')


class _Types(dict[str, Type]):
    """The named types of a module, each read when first requested: one may name a later one.

    Attributes:
        texts: Those that are not read yet.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}

    def __missing__(self, name: str) -> Type:
        self[name] = Cursor(self.texts.pop(name), self).type()
        return self[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.texts


class Module:
    """A decoded module.

    Attributes:
        globals: Global variables by name, with the `@`.
        shared_names: Of functions decoded by now: the source's names of memory, by the name of its global or `alloca`.
        outside: The functions without a body, by name with the `@`.
        triple, layout: The target triple and the data layout string.
        digest: Of its text.
        programs: A cache of programs compiled from this module, by the kernel's requested name and the target.
        variables: Whether to decode debug records of named variables, which observers then get as events.
    """

    def __init__(self, text: str, variables: bool = False) -> None:
        self.triple = self.layout = self._source = ""
        self.digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        self.variables = variables
        self.globals: dict[str, Global] = {}
        self.shared_names: dict[str, str] = {}
        self.programs: dict[tuple[str | None, str], Any] = {}
        self.outside: set[str] = set()
        self._named = _Types()
        self._bodies: dict[str, tuple[str, list[str]]] = {}
        self._functions: dict[tuple[str, bool], Function] = {}
        self._globals: list[str] = []
        self._groups: dict[str, str] = {}
        self._metadata: dict[int, str] = {}
        self._debug = DebugInfo(self._metadata)
        self._lists: dict[str, str] = {}
        self._split(text)
        producer = producer_of(compilers_in(self._lists, self._metadata), self._source)
        self._orders = AtomicOrders(self.triple, producer, self._groups.values())

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the kernels, without the `@`."""
        return tuple(name[1:] for name in self._bodies if self.function(name, body=False).is_kernel)

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of the functions that have a body, with the `@`."""
        return tuple(self._bodies)

    @cached_property
    def functions(self) -> FunctionTable:
        """The addresses of all functions; the text that they depend on is read when one is requested."""
        names = (*self._bodies, *sorted(self.outside.difference(self._bodies)))
        return FunctionTable(names, partial(lines_of, self._bodies, self._globals))

    @cached_property
    def names_in_code(self) -> frozenset[str]:
        """The names, with the `@`, that any function in the module uses as a value."""
        return frozenset(name for _, lines in self._bodies.values() for line in lines for name in VALUE.findall(line))

    def defines(self, name: str) -> bool:
        """Return whether the module has a body for this function."""
        return name in self._bodies

    def line_of(self, name: str) -> str:
        """Return the first line of a function that has a body."""
        return self._bodies[name][0]

    def function(self, name: str, *, body: bool = True) -> Function:
        """Return a function by its name with the `@`, cached; without blocks and names of variables if not `body`.

        Decoding a body adds its names of memory to `shared_names`; older entries stay. Raises KeyError if the module
        has no body for it, and DecodeError or Unsupported if that cannot be read.
        """
        function = self._functions.get((name, body))
        if function is None:
            function = self._decode_function(name, body)
            self._functions[name, body] = function
        return function

    def _split(self, text: str) -> None:
        """Fill the fields from a module's lines; bodies stay text. DecodeError or Unsupported for a global variable."""
        body: list[str] | None = None
        for line in text.split("\n"):
            if body is not None:
                if line == "}":
                    body = None
                elif line:
                    body.append(line)
            elif line.startswith("!"):
                number, _, rest = line.partition(" = ")
                if number[1:].isdigit():
                    self._metadata[int(number[1:])] = rest
                else:
                    self._lists[number[1:]] = rest
            elif line.startswith("define"):
                body = []
                self._bodies[DEFINED.findall(line)[0]] = (line, body)
            elif line.startswith("declare"):
                self.outside.update(DEFINED.findall(line)[:1])
            elif line.startswith("attributes #"):
                number, _, rest = line.partition(" = ")
                self._groups[number.split()[1]] = rest
            elif line.startswith("@"):
                self._globals.append(line)
            elif line.startswith("%"):
                self._name_type(line)
            elif line.startswith("source_filename"):
                self._source = line.partition(" = ")[2].strip('"')
            elif line.startswith("target"):
                kind, _, value = line.partition(" = ")
                if kind.endswith("triple"):
                    self.triple = value.strip('"')
                else:
                    self.layout = value.strip('"')
        for line in self._globals:
            self._read_global(line)

    def _name_type(self, line: str) -> None:
        name, _, rest = line.partition(" = type ")
        if rest and rest != "opaque":
            self._named.texts[name] = rest

    def _read_global(self, line: str) -> None:
        cursor = Cursor(line, self._named)
        name = cursor.next()
        cursor.expect("=")
        space, external = 0, False
        while cursor.token not in ("global", "constant"):
            word = cursor.next()
            external |= word in ("external", "extern_weak")
            if word in ("", "alias", "ifunc", "thread_local"):  # of the last, no GPU has any
                return
            if word == "addrspace":
                cursor.expect("(")
                space = int(cursor.next())
                cursor.expect(")")
            elif cursor.token == "(":
                cursor.skip_balanced()
        constant = cursor.next() == "constant"
        ty = cursor.type()
        initial = None
        if not external and cursor.token not in (",", ""):
            initial = read_operand(cursor, ty)
        align = 1
        while cursor.token:
            if cursor.next() == "align":
                align = int(cursor.next())
        match = DEBUG.search(line)
        variable = self._debug.variable_of(int(match[1])) if match else ""
        self.globals[name] = Global(name, ty, space, constant, initial, align, variable)

    def _decode_function(self, name: str, body: bool) -> Function:
        line, lines = self._bodies[name]
        head, _, tail = line.rpartition("!dbg !")
        number = tail.split()[0] if head else None
        cursor = Cursor(line, self._named)
        is_kernel = False
        while cursor.token != name:
            if cursor.at_type():
                mark = cursor.index
                returns = cursor.type()
                if cursor.token == name:
                    break
                cursor.index = mark + 1
                continue
            is_kernel |= cursor.next() in KERNEL_WORDS
        cursor.next()
        params = self._params(cursor)
        attributes = {}
        while cursor.token:
            word = cursor.next()
            for key, value in ATTRIBUTE.findall(self._groups.get(word, "")):
                attributes[key] = value
        is_kernel |= attributes.get("metal.kernel") == "true"
        unnamed = sum(param.name[1:].isdigit() for param in params)
        named = read_names(lines, self._debug) if body else VariableNames()
        blocks = self._blocks(lines, unnamed, named) if body else ()
        place = self._debug.subprogram(int(number)) if number else None
        self.shared_names = named.memory | self.shared_names
        return Function(name, returns, params, blocks, attributes, is_kernel, place, named)

    def _params(self, cursor: Cursor) -> tuple[Param, ...]:
        cursor.expect("(")
        params: list[Param] = []
        while not cursor.accept(")"):
            if cursor.accept("..."):
                continue
            ty = cursor.type()
            typed: dict[str, Type] = {}
            while cursor.token not in (",", ")") and not cursor.token.startswith("%"):
                before = cursor.index
                typed.update(cursor.skip_attributes())
                if cursor.index == before:
                    raise DecodeError(f"unexpected {cursor.token!r} in {cursor.text}")
            name = f"%{len(params)}"
            if cursor.token.startswith("%"):
                name = cursor.next()
            cursor.accept(",")
            indirect = typed.get("byval") or typed.get("byref")
            params.append(Param(name, ty, indirect, "byval" in typed))
        return tuple(params)

    def _blocks(self, lines: list[str], unnamed: int, named: VariableNames) -> tuple[Block, ...]:
        blocks = []
        label = f"%{unnamed}"
        current: list[Instruction] = []
        pending: str | None = None
        indices = find_indices(lines, self._named, self._debug) if self.variables else {}
        for line in lines:
            if pending is not None:
                pending += line
                if line.strip().startswith("]"):
                    current.append(self._instruction(pending))
                    pending = None
                continue
            if not line.startswith(" "):
                match = LABEL.match(line)
                if match:
                    if current:
                        blocks.append(Block(label, tuple(current)))
                    plain, quoted = match.groups()
                    label = f"%{plain}" if plain else f'%"{quoted}"'
                    current = []
                continue
            stripped = line.lstrip()
            if stripped.startswith(("#dbg", ";")):
                if self.variables and (
                    decoded := indices.pop(stripped, None) or read_record(stripped, self._named, self._debug)
                ):
                    current.append(decoded)
                continue
            if stripped.startswith("switch") and "]" not in line:
                pending = line
                continue
            decoded = self._instruction(line)
            if decoded.opcode == "alloca" and decoded.name in named.memory:
                decoded = replace(decoded, attrs={**decoded.attrs, "called": named.memory[decoded.name]})
            current.append(decoded)
        blocks.append(Block(label, tuple(current)))
        return tuple(blocks)

    def _instruction(self, line: str) -> Instruction:
        return self._orders.apply(read_instruction(line, self._named, self._debug.locate))


def decode(text: str, *, variables: bool = False) -> Module:
    """Validate and decode LLVM IR text; bodies of functions are decoded only when they are requested.

    If `variables`, observers get the source's named variables; a debug build (`-g2`) has them. Raises DecodeError if
    LLVM does not accept the text, and DecodeError or Unsupported for its global variables.
    """
    return Module(canonicalise(text), variables)


def canonicalise(text: str) -> str:
    """Return a module, first rewritten by `to_accepted`, in the form that LLVM prints and that `Module` reads.

    Raises:
        DecodeError: LLVM does not accept the text. On some malformed texts LLVM ends the process instead.
    """
    if "atomicrmw" in text or "cmpxchg" in text:
        check_atomics(text)
    try:
        with llvm.parse_assembly(to_accepted(text), context=llvm.create_context()) as parsed:
            parsed.verify()
            return str(parsed)
    except RuntimeError as error:
        raise DecodeError(f"LLVM does not accept the text: {error}") from error
