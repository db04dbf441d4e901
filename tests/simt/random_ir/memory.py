"""Statements that use memory: variables, structs, calls, atomics, arguments and copies that are waited for later."""

from tests.simt.random_ir.aggregates import Aggregates
from tests.simt.random_ir.vectors import Vectors

# Of %record: the place of each part, as `insertvalue` has it.
FIELDS = {"0": "i32", "1, 0": "i32", "1, 1": "i64", "2": "i8", "3, 0": "i16", "3, 1": "i16"}

# Addresses of eight bytes that are written, and of eight that may be, each with its space.
MOVED = {
    "of": (("p0", "%local"), ("p1", "%intp"), ("p3", "%cell")),
    "to": (("p0", "%local"), ("p1", "%spare"), ("p3", "%cell")),
}
ATOMICS = ("add", "sub", "and", "or", "xor", "xchg", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap")


class Memory(Aggregates, Vectors):
    """Writes what a lane does with memory of its own."""

    def _assign(self, scope, _depth):
        place = self.rng.randrange(len(scope.variables))
        ty = scope.variables[place][0]
        for _ in range(self.rng.randrange(3)):
            self.expression(scope, self.rng.choice(self.kinds))
        self._keep(scope, ty, self.expression(scope, ty), place)

    def _further(self, scope, _depth):
        """Several values by the makers beside the usual ones, each of which shows in the output."""
        for _ in range(self.rng.randrange(2, 7)):
            ty = self.rng.choice(list(self.more))
            value = self.rng.choice(self.more[ty])(self, scope, ty)
            self._keep(scope, ty, value) if self.rng.random() < 0.6 else scope.values[ty].append(value)

    def _keep(self, scope, ty, value, place=None):
        """Mixes a value into a variable, so that it shows in the output."""
        scope.values[ty].append(value)
        if place is None:
            places = [n for n, (kind, _) in enumerate(scope.variables) if kind == ty]
            place = self.rng.choice(places)
        if ty != "float":
            op = self.rng.choice(["add", "xor", "sub"])
            value = self.new(f"{op} {ty} {scope.variables[place][1]}, {value}")
        scope.variables[place] = (ty, value)

    def _store(self, scope, _depth):
        ty = self.rng.choice(["i8", "i16", "i32"])
        self.emit(f"store {self.volatile()}{ty} {self.any(scope, ty)}, ptr addrspace(1) %spare, align 4")

    def _local(self, scope, _depth):
        """Writes and reads a private array."""
        index = self.new(f"and i32 {self.any(scope, 'i32')}, 3")
        at = self.new(f"getelementptr [4 x i32], ptr %local, i32 0, i32 {index}")
        self.emit(f"store i32 {self.any(scope, 'i32')}, ptr {at}, align 4")
        index = self.new(f"and i32 {self.any(scope, 'i32')}, 3")
        at = self.new(f"getelementptr i32, ptr %local, i32 {index}")
        self._keep(scope, "i32", self.new(f"load i32, ptr {at}, align 4"))

    def _helper(self, scope, _depth):
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        self._keep(scope, "i32", self.new(f"call i32 @helper(i32 {a}, i32 {b})"))

    def _struct(self, scope, _depth):
        """A struct in registers, sometimes through memory as a whole."""
        record = "zeroinitializer"
        for place in (*FIELDS, *self.rng.sample(list(FIELDS), 2)):
            ty = FIELDS[place]
            record = self.new(f"insertvalue %record {record}, {ty} {self.any(scope, ty)}, {place}")
        if self.rng.random() < 0.5:
            self.emit(f"store %record {record}, ptr %place, align 8")
            record = self.new("load %record, ptr %place, align 8")
        for place in self.rng.sample(list(FIELDS), 2):
            self._keep(scope, FIELDS[place], self.new(f"extractvalue %record {record}, {place}"))

    def _by_value(self, scope, _depth):
        """The function changes its copy; the caller's struct stays."""
        record = "zeroinitializer"
        for place, ty in FIELDS.items():
            record = self.new(f"insertvalue %record {record}, {ty} {self.any(scope, ty)}, {place}")
        self.emit(f"store %record {record}, ptr %place, align 8")
        given = f"ptr byval(%record) align 8 %place, i32 {self.any(scope, 'i32')}"
        callee = "@change"
        if not self.plain and self.rng.random() < 0.3:
            callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr @change, ptr @keep")
        self._keep(scope, "i32", self.new(f"call i32 {callee}({given})"))
        which = self.rng.choice(["0", "1, i32 0"])
        at = self.new(f"getelementptr %record, ptr %place, i32 0, i32 {which}")
        self._keep(scope, "i32", self.new(f"load i32, ptr {at}, align 4"))

    def _pointer(self, scope, _depth):
        """Each lane may call another function."""
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr @helper, ptr @recurse")
        if self.rng.random() < 0.5:
            which = self.new(f"and i32 {self.any(scope, 'i32')}, 3")
            at = self.new(f"getelementptr [4 x ptr], ptr addrspace(4) @table, i64 0, i32 {which}")
            callee = self.new(f"load ptr, ptr addrspace(4) {at}, align 8")
        if self.rng.random() < 0.5:
            callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr {callee}, ptr @helper")
        self._keep(scope, "i32", self.new(f"call i32 {callee}(i32 {a}, i32 {b})"))

    def _recursion(self, scope, _depth):
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        self._keep(scope, "i32", self.new(f"call i32 @recurse(i32 {a}, i32 {b})"))

    def _copies(self, scope, _depth):
        """Copies to places of the lane's own, a group each; some are waited for, read, then all are."""
        count = self.rng.randrange(1, 4)
        for number in range(count):
            size = self.rng.choice([4, 8])
            at = self.new(f"getelementptr i64, ptr addrspace(3) %own, i32 {number}")
            which = self.new(f"urem i32 {self.any(scope, 'i32')}, %ntid")
            source = self.new(f"getelementptr i64, ptr addrspace(1) %ints, i32 {which}")
            filled, given = self.rng.choice([("", ""), (".s", ", i32 ")])
            if filled:
                given += self.new(f"and i32 {self.any(scope, 'i32')}, {size - 1}")
            places = f"ptr addrspace(3) {at}, ptr addrspace(1) {source}{given}"
            self.emit(f"call void @llvm.nvvm.cp.async.ca.shared.global.{size}{filled}({places})")
            self.emit("call void @llvm.nvvm.cp.async.commit.group()")
        left = self.rng.randrange(count)
        self.emit(f"call void @llvm.nvvm.cp.async.wait.group(i32 {left})")
        for number in range(count - left):
            at = self.new(f"getelementptr i64, ptr addrspace(3) %own, i32 {number}")
            self._keep(scope, "i32", self.new(f"load i32, ptr addrspace(3) {at}, align 8"))
        self.emit("call void @llvm.nvvm.cp.async.wait.all()")

    def _atomic(self, scope, _depth):
        """On a place of the lane's own, so that what was there before is known."""
        ty = self.rng.choice(["i32", "i64"])
        place = self.rng.choice(["ptr addrspace(1) %spare", "ptr addrspace(3) %cell"])
        value = self.any(scope, ty)
        if self.rng.random() < 0.3:
            expected = self.any(scope, ty)
            if self.rng.random() < 0.7:
                expected = self.new(f"load {ty}, {place}, align 8")
            both = self.new(f"cmpxchg {place}, {ty} {expected}, {ty} {value} monotonic monotonic, align 8")
            self._keep(scope, ty, self.new(f"extractvalue {{ {ty}, i1 }} {both}, 0"))
            self._keep(scope, "i1", self.new(f"extractvalue {{ {ty}, i1 }} {both}, 1"))
        else:
            operation = self.rng.choice(ATOMICS)
            self._keep(scope, ty, self.new(f"atomicrmw {operation} {place}, {ty} {value} monotonic, align 8"))
        self._keep(scope, ty, self.new(f"load {ty}, {place}, align 8"))

    def _aliased(self, scope, _depth):
        """What one argument's array was given is read through another argument that begins within it."""
        ty = self.rng.choice(["i8", "i16", "i32", "i64"])
        self.emit(f"store {self.volatile()}{ty} {self.any(scope, ty)}, ptr addrspace(1) %spare, align 8")
        other = self.new("getelementptr i8, ptr addrspace(1) %mirror, i64 %mirrored")
        self._keep(scope, ty, self.new(f"load {self.volatile()}{ty}, ptr addrspace(1) {other}, align 8"))
        if self.rng.random() < 0.5:
            self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(1) {other}, align 8")
            self._keep(scope, ty, self.new(f"load {ty}, ptr addrspace(1) %spare, align 8"))

    def _bytes(self, scope, _depth):
        """Some bytes are copied to a place of the lane's own, or filled, and one of them is read."""
        size = self.rng.choice([1, 2, 4, 8])
        (to, target), (of, source) = (self.rng.choice(MOVED[role]) for role in ("to", "of"))
        to_at, of_at = (self.rng.randrange(9 - size) for _ in range(2))
        space = "" if to == "p0" else f" addrspace({to[1:]})"
        given = f"ptr{space} {self.new(f'getelementptr i8, ptr{space} {target}, i64 {to_at}')}"
        if self.rng.random() < 0.3:
            name, other = f"@llvm.memset.{to}.i64", f"i8 {self.any(scope, 'i8')}"
            self.declared.add(f"declare void {name}(ptr{space}, i8, i64, i1)")
        else:
            near = "" if of == "p0" else f" addrspace({of[1:]})"
            other = f"ptr{near} {self.new(f'getelementptr i8, ptr{near} {source}, i64 {of_at}')}"
            name = f"@llvm.{self.rng.choice(['memcpy', 'memmove'])}.{to}.{of}.i64"
            if target == source:  # a copy's places must not overlap
                name = name.replace("memcpy", "memmove")
            self.declared.add(f"declare void {name}(ptr{space}, ptr{near}, i64, i1)")
        self.emit(f"call void {name}({given}, {other}, i64 {size}, i1 false)")
        self._keep(scope, "i8", self.new(f"load i8, {given}, align 1"))

    def _given(self, scope, _depth):
        """A struct that the kernel was given by value: every lane has its own, and may change it."""
        place = self.rng.choice(list(FIELDS))
        indices = ", ".join(f"i32 {number}" for number in place.split(", "))
        at = self.new(f"getelementptr %record, ptr %given, i64 0, {indices}")
        if self.rng.random() < 0.5:
            self.emit(f"store {FIELDS[place]} {self.any(scope, FIELDS[place])}, ptr {at}, align 2")
        self._keep(scope, FIELDS[place], self.new(f"load {FIELDS[place]}, ptr {at}, align 2"))

    def _view(self, scope, _depth):
        """An array that is found through a struct of the kernel's arguments."""
        start = self.new("load ptr, ptr %view, align 8")
        at = self.new("getelementptr { ptr, [2 x i32] }, ptr %view, i64 0, i32 1, i32 1")
        size = self.new(f"load i32, ptr {at}, align 4")
        index = self.new(f"urem i32 {self.any(scope, 'i32')}, {size}")
        at = self.new(f"getelementptr i64, ptr {start}, i32 {index}")
        self._keep(scope, "i64", self.new(f"load i64, ptr {at}, align 8"))

    def _pointer_in_memory(self, scope, _depth):
        """A pointer is stored, loaded and followed, of each lane another one."""
        chosen = self.new(f"select i1 {self.any(scope, 'i1')}, ptr %local, ptr %l2")
        self.emit(f"store ptr {chosen}, ptr %kept, align 8")
        again = self.new(f"load {self.volatile()}ptr, ptr %kept, align 8")
        self.emit(f"store i32 {self.any(scope, 'i32')}, ptr {again}, align 4")
        index = self.new(f"and i32 {self.any(scope, 'i32')}, 1")
        at = self.new(f"getelementptr i32, ptr {again}, i32 {index}")
        self._keep(scope, "i32", self.new(f"load i32, ptr {at}, align 4"))
