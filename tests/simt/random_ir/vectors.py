"""Statements on vectors: of many widths, in registers and in memory, by constant and by variable index."""

from tests.simt.random_ir.expressions import BITS, BYTES, Expressions

WIDTHS = (1, 2, 3, 4, 5, 7, 8)
ELEMENTS = ("i8", "i16", "i32", "i64", "float")


class Vectors(Expressions):
    """Writes vectors that are put together, changed as a whole, and taken apart."""

    def _vector(self, scope, _depth):
        """A vector of any width; what is left of it shows in some elements."""
        rng = self.rng
        width, ty = rng.choice(WIDTHS), rng.choice(ELEMENTS)
        vector = self._gathered(scope, width, ty)
        for _ in range(rng.randrange(1, 5)):
            choices = [self._elementwise, self._compared, self._ordered, self._replaced, self._stored, self._part]
            choices += [self._cast, self._reinterpreted, self._extreme] if ty != "float" else []
            width, ty, vector = rng.choice(choices)(scope, width, ty, vector)
        if ty != "float" and width > 1 and rng.random() < 0.3:
            self._reduced(scope, width, ty, vector)
        for _ in range(2):
            self._keep(scope, ty, self.new(f"extractelement <{width} x {ty}> {vector}, {self._index(scope, width)}"))

    def _index(self, scope, width):
        """A number, or a value of each lane."""
        if self.rng.random() < 0.6:
            return f"i64 {self.rng.randrange(width)}"
        value = self.any(scope, "i32")
        return f"i32 {self.new(f'urem i32 {value}, {width}')}"

    def _gathered(self, scope, width, ty):
        vector = "poison" if self.rng.random() < 0.5 else "zeroinitializer"
        for number in range(width):
            vector = self.new(f"insertelement <{width} x {ty}> {vector}, {ty} {self.any(scope, ty)}, i64 {number}")
        return vector

    def _elementwise(self, scope, width, ty, vector):
        other = self._gathered(scope, width, ty)
        if ty == "float":
            operation = self.rng.choice(["fadd", "fsub", "fmul"])
        else:
            operation = self.rng.choice(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv"])
            if operation in ("shl", "lshr", "ashr"):
                most = self._constant(width, ty, BITS[ty] - 1)
                other = self.new(f"and <{width} x {ty}> {other}, {most}")
            elif operation == "udiv":
                other = self.new(f"or <{width} x {ty}> {other}, {self._constant(width, ty, 1)}")
        return width, ty, self.new(f"{operation} <{width} x {ty}> {vector}, {other}")

    @staticmethod
    def _constant(width, ty, value):
        return f"<{', '.join([f'{ty} {value}'] * width)}>"

    def _compared(self, scope, width, ty, vector):
        other = self._gathered(scope, width, ty)
        compare = "fcmp olt" if ty == "float" else f"icmp {self.rng.choice(['eq', 'slt', 'ugt', 'ule', 'sge'])}"
        taken = self.new(f"{compare} <{width} x {ty}> {vector}, {other}")
        vectors = f"<{width} x {ty}> {vector}, <{width} x {ty}> {other}"
        return width, ty, self.new(f"select <{width} x i1> {taken}, {vectors}")

    def _ordered(self, scope, width, ty, vector):
        other, wide = self._gathered(scope, width, ty), self.rng.choice(WIDTHS)
        order = ", ".join(f"i32 {self.rng.randrange(2 * width)}" for _ in range(wide))
        vectors = f"<{width} x {ty}> {vector}, <{width} x {ty}> {other}"
        return wide, ty, self.new(f"shufflevector {vectors}, <{wide} x i32> <{order}>")

    def _replaced(self, scope, width, ty, vector):
        value, index = self.any(scope, ty), self._index(scope, width)
        return width, ty, self.new(f"insertelement <{width} x {ty}> {vector}, {ty} {value}, {index}")

    def _stored(self, scope, width, ty, vector):
        """Through memory; sometimes one element is changed there."""
        align = self.rng.choice([1, BYTES[ty]])
        self.emit(f"store {self.volatile()}<{width} x {ty}> {vector}, ptr %v, align {align}")
        if self.rng.random() < 0.5:
            at = self.new(f"getelementptr {ty}, ptr %v, {self._index(scope, width)}")
            self.emit(f"store {ty} {self.any(scope, ty)}, ptr {at}, align {BYTES[ty]}")
        if width > 1 and self.rng.random() < 0.3:
            width -= 1
        return width, ty, self.new(f"load <{width} x {ty}>, ptr %v, align {align}")

    def _part(self, scope, width, ty, vector):
        """Half of a vector into the other half."""
        if width % 2:
            return width, ty, vector
        half, letter = width // 2, "f32" if ty == "float" else ty
        name = f"llvm.vector.extract.v{half}{letter}.v{width}{letter}"
        self.declared.add(f"declare <{half} x {ty}> @{name}(<{width} x {ty}>, i64)")
        start, stop = (self.rng.choice([0, half]) for _ in range(2))
        part = self.new(f"call <{half} x {ty}> @{name}(<{width} x {ty}> {vector}, i64 {start})")
        name = f"llvm.vector.insert.v{width}{letter}.v{half}{letter}"
        self.declared.add(f"declare <{width} x {ty}> @{name}(<{width} x {ty}>, <{half} x {ty}>, i64)")
        other = self._gathered(scope, width, ty)
        call = f"call <{width} x {ty}> @{name}(<{width} x {ty}> {other}, <{half} x {ty}> {part}, i64 {stop})"
        return width, ty, self.new(call)

    def _cast(self, _scope, width, ty, vector):
        other = self.rng.choice([kind for kind in ELEMENTS if kind not in (ty, "float")])
        operation = "trunc" if BITS[other] < BITS[ty] else self.rng.choice(["zext", "sext"])
        return width, other, self.new(f"{operation} <{width} x {ty}> {vector} to <{width} x {other}>")

    def _reinterpreted(self, _scope, width, ty, vector):
        """The same bits as elements of another size."""
        bits = width * BITS[ty]
        others = [kind for kind in ELEMENTS[:4] if kind != ty and bits % BITS[kind] == 0 and bits // BITS[kind] <= 8]
        if not others:
            return width, ty, vector
        other = self.rng.choice(others)
        wide = bits // BITS[other]
        return wide, other, self.new(f"bitcast <{width} x {ty}> {vector} to <{wide} x {other}>")

    def _extreme(self, scope, width, ty, vector):
        name = f"llvm.{self.rng.choice(['smax', 'umin', 'uadd.sat', 'ssub.sat'])}.v{width}{ty}"
        self.declared.add(f"declare <{width} x {ty}> @{name}(<{width} x {ty}>, <{width} x {ty}>)")
        other = self._gathered(scope, width, ty)
        call = f"call <{width} x {ty}> @{name}(<{width} x {ty}> {vector}, <{width} x {ty}> {other})"
        return width, ty, self.new(call)

    def _reduced(self, scope, width, ty, vector):
        name = f"llvm.vector.reduce.{self.rng.choice(['add', 'xor', 'and', 'smax', 'umin'])}.v{width}{ty}"
        self.declared.add(f"declare {ty} @{name}(<{width} x {ty}>)")
        self._keep(scope, ty, self.new(f"call {ty} @{name}(<{width} x {ty}> {vector})"))
