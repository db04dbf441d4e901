"""Pointers, and what lies in memory: the bytes of numbers, vectors, structs and pointers."""

import struct
from typing import NamedTuple

from harness.simt.ir.types import Array, Float, Pointer, Struct, Vector, field_offset, size_of

__all__ = ["FORMAT", "Address", "Memory", "NotModelledError", "replaced"]

FORMAT = {"float": "<f", "half": "<e", "double": "<d"}
OFFSET_BITS = 40


class NotModelledError(Exception):
    """Something this interpreter does not do, or that a kernel must not."""


class Address(NamedTuple):
    """A pointer: a buffer (a bytearray or a memoryview) and an offset in bytes."""

    buffer: object
    offset: int


class Memory:
    """Reads and writes values of every type; a pointer lies there as the number of its buffer and its offset."""

    def __init__(self):
        self._buffers = []

    def read(self, address, ty):
        """The value of a type that lies somewhere."""
        if isinstance(ty, Struct | Array | Vector):
            return tuple(self.read(Address(address.buffer, address.offset + at), part) for part, at in _parts(ty))
        raw = bytes(address.buffer[address.offset : address.offset + size_of(ty)])
        if address.offset < 0 or len(raw) != size_of(ty):
            raise NotModelledError(f"{size_of(ty)} bytes at {address.offset}: out of bounds")
        if isinstance(ty, Float):
            return struct.unpack(FORMAT[ty.name], raw)[0]
        number = int.from_bytes(raw, "little")
        return self._pointer(number) if isinstance(ty, Pointer) else number & (1 << ty.bits) - 1

    def write(self, address, ty, value):
        """Puts a value somewhere."""
        if isinstance(ty, Struct | Array | Vector):
            for (part, at), element in zip(_parts(ty), value, strict=True):
                self.write(Address(address.buffer, address.offset + at), part, element)
            return
        if isinstance(ty, Float):
            raw = struct.pack(FORMAT[ty.name], value)
        else:
            number = self._number(value) if isinstance(ty, Pointer) else value & (1 << ty.bits) - 1
            raw = number.to_bytes(size_of(ty), "little")
        self.put(address, raw)

    def put(self, address, raw):
        """Puts bytes somewhere."""
        end = address.offset + len(raw)
        if address.offset < 0 or end > len(address.buffer):
            raise NotModelledError(f"{len(raw)} bytes at {address.offset}: out of bounds")
        address.buffer[address.offset : end] = raw

    def _number(self, pointer):
        """A function is a name, and has no offset."""
        buffer, offset = (pointer, 0) if isinstance(pointer, str) else pointer
        number = next((place for place, known in enumerate(self._buffers) if known is buffer), len(self._buffers))
        if number == len(self._buffers):
            self._buffers.append(buffer)
        return number + 1 << OFFSET_BITS | offset

    def _pointer(self, number):
        which, offset = (number >> OFFSET_BITS) - 1, number & (1 << OFFSET_BITS) - 1
        if not 0 <= which < len(self._buffers):
            raise NotModelledError(f"no pointer was stored as {number:#x}")
        buffer = self._buffers[which]
        return buffer if isinstance(buffer, str) else Address(buffer, offset)


def _parts(ty):
    """(type, offset) of each part of a struct, an array or a vector."""
    if isinstance(ty, Struct):
        return [(part, field_offset(ty, number)) for number, part in enumerate(ty.fields)]
    return [(ty.element, number * size_of(ty.element)) for number in range(ty.length)]


def replaced(whole, indices, value):
    """A struct with another part in one place."""
    if not indices:
        return value
    first, *rest = indices
    return (*whole[:first], replaced(whole[first], rest, value), *whole[first + 1 :])
