"""Statements by which lanes tell one another: barriers, shuffles, votes."""

from tests.simt.random_ir.memory import Memory


class Lanes(Memory):
    """Writes what only lanes that come together can do."""

    def _exchange(self, scope, _depth):
        """Through shared memory, between two barriers."""
        ty = self.rng.choice(["i32", "i64", "float", "i16"])
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(3) %cell, align 8")
        self.emit(barrier)
        far = self.new(f"add i32 %tid, {self.rng.randrange(1, self.block + 1)}")
        far = self.new(f"urem i32 {far}, %ntid")
        at = self.new(f"getelementptr [128 x i64], ptr addrspace(3) @shared, i32 0, i32 {far}")
        self._keep(scope, ty, self.new(f"load {ty}, ptr addrspace(3) {at}, align 8"))
        self.emit(barrier)

    def _exchange_copied(self, scope, _depth):
        """Each lane waits for its own copy, and reads another's behind a barrier."""
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        places = "ptr addrspace(3) %own, ptr addrspace(1) %intp"
        self.emit(f"call void @llvm.nvvm.cp.async.ca.shared.global.8({places})")
        self.emit("call void @llvm.nvvm.cp.async.wait.all()")
        self.emit(barrier)
        far = self.new(f"add i32 %tid, {self.rng.randrange(1, self.block + 1)}")
        far = self.new(f"urem i32 {far}, %ntid")
        far = self.new(f"mul i32 {far}, 4")
        at = self.new(f"getelementptr i64, ptr addrspace(3) @copied, i32 {far}")
        self._keep(scope, "i64", self.new(f"load i64, ptr addrspace(3) {at}, align 8"))
        self.emit(barrier)

    def _shuffle(self, scope, _depth, mask=-1, width=32):
        mode = self.rng.choice(["up", "down", "bfly", "idx", "f32"])
        clamp = (32 - width << 8) | (0 if mode == "up" else 31)
        distance = self.rng.randrange(width)
        if mode == "f32":
            call = f"call float @llvm.nvvm.shfl.sync.bfly.f32(i32 {mask}, float"
            value = self.any(scope, "float")
            value = self.new(f"{call} {value}, i32 {distance}, i32 {clamp})")
            self._keep(scope, "float", value)
            return
        if mode == "idx" and self.rng.random() < 0.5:
            distance = self.new(f"and i32 {self.any(scope, 'i32')}, {width - 1}")
        call = f"call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 {mask}, i32"
        value = self.any(scope, "i32")
        value = self.new(f"{call} {value}, i32 {distance}, i32 {clamp})")
        self._keep(scope, "i32", value)

    def _tally(self, scope, _depth):
        """Everybody adds to one place of shared memory, and reads the sum."""
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        place = (
            f"ptr addrspace(3) getelementptr ([4 x i32], ptr addrspace(3) @tally, i32 0, i32 {self.rng.randrange(4)})"
        )
        if self.plain:
            begins, begin, begun = self.new("icmp eq i32 %tid, 0"), self.fresh("begin"), self.fresh("begun")
            self.emit(f"br i1 {begins}, label %{begin}, label %{begun}")
            self.start(begin)
        self.emit(f"store i32 0, {place}, align 4")
        if self.plain:
            self.jump(begun)
            self.start(begun)
        self.emit(barrier)
        operation = self.rng.choice(["add", "sub", "xor", "or", "umax", "max"])
        order = self.rng.choice(["monotonic", 'syncscope("block") acq_rel'])
        self.new(f"atomicrmw {operation} {place}, i32 {self.any(scope, 'i32')} {order}, align 4")
        self.emit(barrier)
        self._keep(scope, "i32", self.new(f"load i32, {place}, align 4"))
        self.emit(barrier)

    def _phases(self, scope, _depth):
        """Each tells another by a barrier in memory, twice: that the value is there, and that it was read."""
        ty = self.rng.choice(["i32", "i64", "i16"])
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(3) %cell, align 8")
        self._phase()
        far = self.new(f"add i32 %tid, {self.rng.randrange(1, self.block + 1)}")
        far = self.new(f"urem i32 {far}, %ntid")
        at = self.new(f"getelementptr [128 x i64], ptr addrspace(3) @shared, i32 0, i32 {far}")
        self._keep(scope, ty, self.new(f"load {ty}, ptr addrspace(3) {at}, align 8"))
        self._phase()

    def _phase(self):
        again, gone = self.fresh("again"), self.fresh("gone")
        token = self.new("call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)")
        self.jump(again)
        self.start(again)
        done = self.new(f"call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 {token})")
        self.emit(f"br i1 {done}, label %{gone}, label %{again}")
        self.start(gone)

    def _redux(self, scope, _depth, mask=-1):
        name = self.rng.choice(["add", "umax", "min", "and", "or", "xor"])
        self.declared.add(f"declare i32 @llvm.nvvm.redux.sync.{name}(i32, i32)")
        call = f"call i32 @llvm.nvvm.redux.sync.{name}(i32 {self.any(scope, 'i32')}, i32 {mask})"
        self._keep(scope, "i32", self.new(call))

    def _match(self, scope, _depth, mask=-1):
        self.declared.add("declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)")
        value = self.new(f"and i32 {self.any(scope, 'i32')}, {self.rng.choice([1, 3, 7])}")
        self._keep(scope, "i32", self.new(f"call i32 @llvm.nvvm.match.any.sync.i32(i32 {mask}, i32 {value})"))

    def _vote(self, scope, _depth, mask=-1):
        bit, kind = self.any(scope, "i1"), self.rng.choice(["ballot", "any", "all"])
        ty = "i32" if kind == "ballot" else "i1"
        call = f"call {ty} @llvm.nvvm.vote.{kind}.sync(i32 {mask}, i1 {bit})"
        self._keep(scope, ty, self.new(call))

    def _halves(self, scope, _depth):
        """Each half of a warp shuffles and votes for itself, at its own place."""
        low, high, end = map(self.fresh, ("low", "high", "end"))
        here = self.new("icmp ult i32 %lane, 16")
        self.emit(f"br i1 {here}, label %{low}, label %{high}")
        arms = []
        for label, mask in ((low, 0xFFFF), (high, -0x10000)):
            self.start(label)
            inner = scope.copy()
            for _ in range(self.rng.randrange(1, 4)):
                self.rng.choice([self._shuffle_half, self._vote_half, self._redux_half])(inner, mask)
            if self.rng.random() < 0.5 and not self.plain:
                self.emit(f"call void @llvm.nvvm.bar.warp.sync(i32 {mask})")
            self._assign(inner, 0)
            arms.append((self.label, inner))
            self.jump(end)
        self.start(end)
        self._merge(scope, arms)

    def _shuffle_half(self, scope, mask):
        self._shuffle(scope, 0, mask, self.rng.choice([16, 8, 4]))

    def _vote_half(self, scope, mask):
        self._vote(scope, 0, mask)

    def _redux_half(self, scope, mask):
        self.rng.choice([self._redux, self._match])(scope, 0, mask)
