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
                self.rng.choice([self._shuffle_half, self._vote_half])(inner, mask)
            if self.rng.random() < 0.5:
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
