"""Statements on structs and arrays of a type that is drawn for each kernel: nested, packed or padded."""

from dataclasses import dataclass

from tests.simt.random_ir.expressions import BYTES, Expressions

SCALARS = ("i8", "i16", "i32", "i64", "float")


@dataclass(frozen=True)
class Type:
    """A type: a scalar by name, a struct of parts, or an array of one part.

    Attributes:
        count: Of an array's elements; 0 for a struct or a scalar.
    """

    name: str = ""
    parts: tuple = ()
    count: int = 0
    packed: bool = False

    @property
    def children(self):
        return self.parts * (self.count or 1)

    def __str__(self):
        if self.name:
            return self.name
        if self.count:
            return f"[{self.count} x {self.parts[0]}]"
        inner = ", ".join(map(str, self.parts))
        return f"<{{ {inner} }}>" if self.packed else f"{{ {inner} }}"

    @property
    def alignment(self):
        if self.name:
            return BYTES[self.name]
        return 1 if self.packed else max(part.alignment for part in self.parts)

    @property
    def size(self):
        if self.name:
            return BYTES[self.name]
        if self.count:
            return self.count * self.parts[0].size
        end = 0
        for part in self.parts:
            end = _up(end, 1 if self.packed else part.alignment) + part.size
        return _up(end, self.alignment)

    def leaves(self, path=()):
        """(path, scalar) of each scalar in it."""
        if self.name:
            yield path, self.name
        for number, part in enumerate(self.children):
            yield from part.leaves((*path, number))

    def arrays(self, path=()):
        """(path, type) of each array in it."""
        if self.count:
            yield path, self
        for number, part in enumerate(self.children):
            yield from part.arrays((*path, number))


def _up(value, step):
    return -(-value // step) * step


def drawn(rng):
    """A struct of two to twelve scalars, in up to three levels."""
    while True:
        found = _struct(rng, 0)
        if 2 <= len(list(found.leaves())) <= 12:
            return found


def _struct(rng, depth):
    parts = tuple(_part(rng, depth) for _ in range(rng.randrange(1, 5)))
    return Type(parts=parts, packed=rng.random() < 0.3)


def _part(rng, depth):
    kind = rng.random()
    if depth < 2 and kind < 0.2:
        return _struct(rng, depth + 1)
    if depth < 2 and kind < 0.4:
        return Type(parts=(_part(rng, depth + 1),), count=rng.randrange(1, 4))
    return Type(rng.choice(SCALARS))


class Aggregates(Expressions):
    """Writes what uses `%mixed`, the type that was drawn, in registers and at %m0 and %m1."""

    mixed: Type

    def _mixed(self, scope, _depth):
        """Some parts are written, the whole is copied with its undefined bytes, and those parts are read."""
        leaves = list(self.mixed.leaves())
        written = self.rng.sample(leaves, self.rng.randrange(1, len(leaves) + 1))
        written = leaves if self.plain else written
        here, there = self.rng.sample(["%m0", "%m1"], 2)
        if len(written) == len(leaves) and self.rng.random() < 0.7:
            whole = "zeroinitializer"
            for path, ty in leaves:
                whole = self._inserted(whole, ty, self.any(scope, ty), path)
            self.emit(f"store %mixed {whole}, ptr {here}, align 8")
        else:
            for path, ty in written:
                place = self._place(here, path)
                self.emit(f"store {self.volatile()}{ty} {self.any(scope, ty)}, ptr {place}, align {self._align(ty)}")
        self._indexed(scope, here, written)
        self._moved(here, there)
        self._read(scope, there, written)

    def _set(self, scope, _depth):
        """All bytes are one; only integers are read, since a NaN has many forms."""
        self.declared.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        octet = self.any(scope, "i8")
        self.emit(f"call void @llvm.memset.p0.i64(ptr %m0, i8 {octet}, i64 {self.mixed.size}, i1 false)")
        if integers := [leaf for leaf in self.mixed.leaves() if leaf[1] != "float"]:
            self._read(scope, "%m0", integers)
        for path, ty in self.mixed.leaves():  # a later statement takes no float out of these bytes
            if ty == "float":
                self.emit(f"store float {self.any(scope, ty)}, ptr {self._place('%m0', path)}, align 1")

    def _moved(self, here, there):
        """Copies a whole struct in one of the ways that there are."""
        way = self.rng.choice(["memcpy", "memmove", "load", "parts"])
        if way == "load":
            self.emit(f"store %mixed {self.new(f'load %mixed, ptr {here}, align 8')}, ptr {there}, align 8")
        elif way == "parts":
            whole, part = "poison", self.new(f"load %mixed, ptr {here}, align 8")
            for number, inner in enumerate(self.mixed.parts):
                element = self.new(f"extractvalue %mixed {part}, {number}")
                whole = self.new(f"insertvalue %mixed {whole}, {inner} {element}, {number}")
            self.emit(f"store %mixed {whole}, ptr {there}, align 8")
        else:
            self.declared.add(f"declare void @llvm.{way}.p0.p0.i64(ptr, ptr, i64, i1)")
            size = self.mixed.size
            self.emit(f"call void @llvm.{way}.p0.p0.i64(ptr {there}, ptr {here}, i64 {size}, i1 false)")

    def _indexed(self, scope, here, written):
        """A part of an array by an index that each lane has for itself."""
        known = {path for path, _ in written}
        whole = [
            (path, array)
            for path, array in self.mixed.arrays()
            if array.parts[0].name and all((*path, number) in known for number in range(array.count))
        ]
        if not whole:
            return
        path, array = self.rng.choice(whole)
        ty = array.parts[0].name
        places = []
        for _ in range(2):
            index = self.new(f"urem i32 {self.any(scope, 'i32')}, {array.count}")
            start = self._place(here, path)
            places.append(self.new(f"getelementptr {array}, ptr {start}, i64 0, i32 {index}"))
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr {places[0]}, align {self._align(ty)}")
        value = self.new(f"load {ty}, ptr {places[1]}, align {self._align(ty)}")
        self._keep(scope, ty, value)

    def _read(self, scope, place, leaves):
        """Some of the parts, from memory or from the whole in a register."""
        for path, ty in self.rng.sample(leaves, min(2, len(leaves))):
            if self.rng.random() < 0.4:
                value = self.new(f"load %mixed, ptr {place}, align 8")
                cut = self.rng.randrange(len(path))  # in one step or in two
                if cut:
                    outer = ", ".join(map(str, path[:cut]))
                    value = self.new(f"extractvalue %mixed {value}, {outer}")
                inner = self._inner(path[:cut]) if cut else "%mixed"
                value = self.new(f"extractvalue {inner} {value}, {', '.join(map(str, path[cut:]))}")
            else:
                at = self._place(place, path)
                value = self.new(f"load {self.volatile()}{ty}, ptr {at}, align {self._align(ty)}")
            self._keep(scope, ty, value)

    def _inner(self, path):
        found = self.mixed
        for number in path:
            found = found.children[number]
        return found

    def _inserted(self, whole, ty, value, path):
        return self.new(f"insertvalue %mixed {whole}, {ty} {value}, {', '.join(map(str, path))}")

    def _place(self, pointer, path):
        indices = ", ".join(f"i32 {number}" for number in path)
        return self.new(f"getelementptr %mixed, ptr {pointer}, i64 0, {indices}")

    def _align(self, ty):
        packed = "<{" in str(self.mixed)
        return 1 if packed else BYTES[ty]
