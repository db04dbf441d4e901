"""Statements that use memory: variables, structs, calls, vectors and copies that are waited for later."""

from tests.simt.random_ir.expressions import Expressions

# Of %record: the place of each part, as `insertvalue` has it.
FIELDS = {"0": "i32", "1, 0": "i32", "1, 1": "i64", "2": "i8", "3, 0": "i16", "3, 1": "i16"}


class Memory(Expressions):
    """Writes what a lane does with memory of its own."""

    def _assign(self, scope, _depth):
        place = self.rng.randrange(len(scope.variables))
        ty = scope.variables[place][0]
        for _ in range(self.rng.randrange(3)):
            self.expression(scope, self.rng.choice(self.kinds))
        self._keep(scope, ty, self.expression(scope, ty), place)

    def _keep(self, scope, ty, value, place=None):
        """Mixes a value into a variable, so that it shows in the output."""
        scope.values[ty].append(value)
        if place is None:
            places = [n for n, (one, _) in enumerate(scope.variables) if one == ty]
            place = self.rng.choice(places)
        if ty != "float":
            op = self.rng.choice(["add", "xor", "sub"])
            value = self.new(f"{op} {ty} {scope.variables[place][1]}, {value}")
        scope.variables[place] = (ty, value)

    def _store(self, scope, _depth):
        ty = self.rng.choice(["i8", "i16", "i32"])
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(1) %spare, align 4")

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
        if self.rng.random() < 0.3:
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

    def _vector(self, scope, _depth):
        """A vector is put together, changed as a whole, and taken apart."""
        rng, vector = self.rng, "zeroinitializer"
        for number in range(4):
            vector = self.new(f"insertelement <4 x i32> {vector}, i32 {self.any(scope, 'i32')}, i64 {number}")
        other = vector
        for _ in range(rng.randrange(1, 4)):
            match rng.randrange(4):
                case 0:
                    vector = self.new(f"{rng.choice(['add', 'sub', 'mul', 'xor'])} <4 x i32> {vector}, {other}")
                case 1:
                    order = ", ".join(f"i32 {rng.randrange(8)}" for _ in range(4))
                    vector = self.new(f"shufflevector <4 x i32> {vector}, <4 x i32> {other}, <4 x i32> <{order}>")
                case 2:
                    value = self.any(scope, "i32")
                    vector = self.new(f"insertelement <4 x i32> {vector}, i32 {value}, i64 {rng.randrange(4)}")
                case 3:
                    start, stop = rng.choice([0, 2]), rng.choice([0, 2])
                    name = "llvm.vector.extract.v2i32.v4i32"
                    part = self.new(f"call <2 x i32> @{name}(<4 x i32> {other}, i64 {start})")
                    name = "llvm.vector.insert.v4i32.v2i32"
                    vector = self.new(f"call <4 x i32> @{name}(<4 x i32> {vector}, <2 x i32> {part}, i64 {stop})")
        for number in rng.sample(range(4), 2):
            self._keep(scope, "i32", self.new(f"extractelement <4 x i32> {vector}, i64 {number}"))
