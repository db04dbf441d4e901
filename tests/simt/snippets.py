"""Runs a few instructions on many values at once: one lane for each value."""

import re

import numpy as np

from harness import simt
from harness.simt.ir.types import Float, Int, Vector, dtype_of, size_of

__all__ = ["Marks", "evaluate", "kernel", "recorder", "undefined"]

TID = "llvm.nvvm.read.ptx.sreg"
GEOMETRY = f"declare i32 @{TID}.tid.x()\ndeclare i32 @{TID}.ctaid.x()\ndeclare i32 @{TID}.ntid.x()\n"
HEAD = """  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b0 = mul i32 %bx, %bn
  %b1 = add i32 %b0, %t
  %i = sext i32 %b1 to i64
"""
FAST = "nnan|ninf|nsz|arcp|contract|afn|reassoc|fast"
NAMED = r'(?P<name>[\w.]+|"[^"]*")'
CALL = re.compile(rf"call (?:(?:{FAST}) )*(?P<type>.+?) @{NAMED}\((?P<args>(?:[^()]|\([^()]*\))*)\)")


def recorder(*names):
    """An observer of some hooks, and the list of (hook, event) that it fills."""
    events = []

    def hook(name):
        return lambda _self, event: events.append((name, event))

    kind = type("Recorder", (simt.Observer,), {name: hook(name) for name in names})
    return kind(), events


class _Undefined(simt.Observer):
    """Marks the lanes whose result is undefined."""

    def __init__(self, count):
        self.lanes = np.zeros(count, bool)

    def tainted(self, event):
        """See `Observer`."""
        if event.use == "output":
            ids = event.lanes.get("lane_id")
            self.lanes[ids] |= np.broadcast_to(event.taint != 0, ids.shape)


class Marks(simt.Observer):
    """The numbers of the lanes that store something undefined to an array."""

    def __init__(self):
        self.places = set()

    def tainted(self, event):
        """See `Observer`."""
        if event.use == "output":
            marked = np.broadcast_to(event.taint != 0, (event.lanes.n,))
            self.places |= set(event.lanes.get("lane_id")[marked].tolist())


def declarations(body):
    """A `declare` for each function that a body calls."""
    declared = {}
    for match in CALL.finditer(body):
        depth, parts, text = 0, [], ""
        for letter in match["args"] + ",":
            depth += (letter in "<{[") - (letter in ">}]")
            if letter == "," and not depth:
                parts.append(text.strip())
                text = ""
            else:
                text += letter
        types = [_type_text(part) for part in parts if part]
        declared[match["name"]] = f"declare {match['type']} @{match['name']}({', '.join(types)})"
    return "".join(f"{line}\n" for name, line in declared.items() if not name.startswith(TID))


def _type_text(argument):
    if argument[0] in "<{[":
        close = {"<": ">", "{": "}", "[": "]"}[argument[0]]
        return argument[: argument.index(close) + 1]
    if argument.startswith("ptr addrspace"):
        return argument[: argument.index(")") + 1]
    return argument.split()[0]


def kernel(body, params="ptr %o", globals_="", target="nvidia:sm_90"):
    """A module with one kernel, whose body may use the global index %i and %t."""
    # The index is read NVIDIA's way on every target: elsewhere the module does not say whose it is.
    triple = 'target triple = "nvptx64-nvidia-cuda"\n' if target.startswith("nvidia") else ""
    return (
        f"{triple}{globals_}{GEOMETRY}{declarations(body)}"
        f"define ptx_kernel void @k({params}) {{\n{HEAD}{body}\n  ret void\n}}\n"
    )


def type_of(text):
    """The type written as `i32`, `float` or `<4 x i8>`."""
    if text.startswith("<"):
        count, element = text[1:-1].split(" x ")
        return Vector(int(count), type_of(element))
    return Int(int(text[1:])) if text[0] == "i" and text[1:].isdigit() else Float(text)


def _store(ty, values):
    element = ty.element if isinstance(ty, Vector) else ty
    values = np.asarray(values, object if isinstance(element, Int) else None)
    if isinstance(element, Float):
        if element.name == "bfloat":
            return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return np.ascontiguousarray(values, dtype_of(element))
    size = size_of(element)
    flat = [int(v) % (1 << element.bits) for v in values.ravel()]
    data = b"".join(v.to_bytes(size, "little") for v in flat)
    return np.frombuffer(bytearray(data), np.uint8)


def _load(ty, data):
    element = ty.element if isinstance(ty, Vector) else ty
    if isinstance(element, Float):
        if element.name == "bfloat":
            result = (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        else:
            result = data.view(dtype_of(element))
    else:
        size, bits = size_of(element), element.bits
        raw = data.tobytes()
        result = []
        for at in range(0, len(raw), size):
            value = int.from_bytes(raw[at : at + size], "little") & ((1 << bits) - 1)
            result.append(value - (1 << bits) if value >> (bits - 1) and bits > 1 else value)
        result = np.array(result, object if bits > 64 else np.int64)
    return result.reshape(-1, ty.length) if isinstance(ty, Vector) else result


def evaluate(
    body,
    result,
    *inputs,
    target="nvidia:sm_90",
    block=None,
    observers=(),
    tracked=False,
    clean=True,
    options=None,
    engine=None,
):
    """Runs a body once for each element of its inputs.

    Args:
        body: Instructions over %a, %b, ... that define %r.
        result: The type of %r.
        inputs: (type, values) of %a, %b, ...
        block: Threads of a block; None for one block of all elements.
        tracked: Also return which results are undefined.
        clean: Whether the launch must be without findings.
        engine: The engine that must have run it, in place of `options`.

    Returns:
        The results, and with `tracked` which of them are undefined.
    """
    count = len(inputs[0][1])
    block = block or count
    lines, args, params = "", [], []
    for name, (text, values) in zip("abcdefgh", inputs, strict=False):
        ty = type_of(text)
        lines += f"  %p{name} = getelementptr {text}, ptr %in{name}, i64 %i\n"
        lines += f"  %{name} = load {text}, ptr %p{name}, align 1\n"
        data = _store(ty, values)
        args.append(simt.Buffer(np.ascontiguousarray(data).reshape(-1).view(np.uint8), f"in{name}"))
        params.append(f"ptr %in{name}")
    ty = type_of(result)
    output = np.zeros(count * size_of(ty), np.uint8)
    tail = f"  %po = getelementptr {result}, ptr %out, i64 %i\n  store {result} %r, ptr %po, align 1"
    text = kernel(f"{lines}{body}\n{tail}", ", ".join([*params, "ptr %out"]), target=target)
    watch = _Undefined(count)
    watchers = (*observers, watch) if tracked else observers
    options = options if engine is None else simt.Options(engine=engine)
    outcome = simt.launch(
        text, target=target, grid=count // block, block=block, args=[*args, output], observers=watchers, options=options
    )
    outcome.raise_for_fault()
    if engine is not None:
        assert bool(outcome.engine.native) == (engine == "native"), outcome.engine.why
    if clean:
        assert outcome.verdict == "clean", [str(finding) for finding in outcome.findings]
    values = _load(ty, output)
    return (values, watch.lanes) if tracked else values


def undefined(body, result, *inputs, **options):
    """Which elements of a result are undefined."""
    return evaluate(body, result, *inputs, tracked=True, **options)[1].tolist()


def run(
    body,
    output,
    *,
    block=32,
    grid=1,
    params="ptr %o",
    extra=(),
    globals_="",
    observers=(),
    target="nvidia:sm_90",
    **options,
):
    """Launches a body that works on %o."""
    return simt.launch(
        kernel(body, params, globals_),
        target=target,
        grid=grid,
        block=block,
        args=[output, *extra],
        observers=observers,
        options=simt.Options(**options),
    )


def wrap(value, bits):
    """Into the signed range."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
