"""Statements that part lanes and bring them together: ifs, switches, loops, early exits."""

from tests.simt.random_ir.expressions import Expressions


class Control(Expressions):
    """Writes branches; `body` writes what is in them."""

    def _merge(self, scope, arms):
        """Phis for the variables that differ between (label, scope) arms."""
        for place, (ty, _) in enumerate(scope.variables):
            names = [arm.variables[place][1] for _, arm in arms]
            if len(set(names)) == 1:
                scope.variables[place] = (ty, names[0])
                continue
            ways = ", ".join(f"[{name}, %{label}]" for name, (label, _) in zip(names, arms, strict=True))
            scope.variables[place] = (ty, self.new(f"phi {ty} {ways}"))

    def _branches(self, scope, depth, condition, uniform=False):
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        both = self.rng.random() < 0.6
        before = self.label
        self.emit(f"br i1 {condition}, label %{yes}, label %{no if both else end}")
        arms = []
        for label in (yes, no) if both else (yes,):
            self.start(label)
            inner = scope.copy()
            self.body(inner, depth + 1, uniform, self.rng.randrange(1, 4))
            arms.append((self.label, inner))
            self.jump(end)
        if not both:
            arms.append((before, scope.copy()))
        self.start(end)
        self._merge(scope, arms)

    def _if(self, scope, depth):
        self._branches(scope, depth, self.expression(scope, "i1"))

    def _uniform_if(self, scope, depth):
        odd = self.new(f"and i32 %{self.rng.choice(['ctaid', 'count'])}, 1")
        self._branches(scope, depth, self.new(f"icmp eq i32 {odd}, 0"), uniform=True)

    def _switch(self, scope, depth):
        ty = self.rng.choice(["i8", "i32", "i64"])
        value = self.new(f"and {ty} {self.any(scope, ty)}, 7")
        cases = self.rng.sample(range(8), self.rng.randrange(1, 5))
        labels = [self.fresh("case") for _ in cases]
        if len(labels) > 2:
            labels[-1] = labels[0]
        end = self.fresh("end")
        listed = " ".join(f"{ty} {case}, label %{label}" for case, label in zip(cases, labels, strict=True))
        before = self.label
        self.emit(f"switch {ty} {value}, label %{end} [{listed}]")
        arms = [(before, scope.copy())]
        for label in dict.fromkeys(labels):
            self.start(label)
            inner = scope.copy()
            self.body(inner, depth + 1, False, self.rng.randrange(1, 3))
            arms.append((self.label, inner))
            self.jump(end)
        self.start(end)
        self._merge(scope, arms)

    def _loop(self, scope, depth):
        """A loop whose lanes go round 0 to 5 times, or leave in the middle."""
        trips = self.new(f"urem i32 {self.any(scope, 'i32')}, 6")
        self._turns(scope, depth, trips, uniform=False)

    def _uniform_loop(self, scope, depth):
        trips = self.rng.choice(["%count", "2", "3"])
        self._turns(scope, depth + 1, trips, uniform=True)

    def _turns(self, scope, depth, trips, uniform):
        head, inside, step, end = map(self.fresh, ("head", "inside", "step", "end"))
        leave = not uniform and self.rng.random() < 0.4
        again = not uniform and self.rng.random() < 0.3
        before = self.label
        self.jump(head)
        self.start(head)
        where = len(self.lines)
        outer = [name for _, name in scope.variables]
        names = [self.fresh("%x") for _ in outer]
        counter, following = self.fresh("%i"), self.fresh("%n")
        scope.variables = [(ty, name) for (ty, _), name in zip(scope.variables, names, strict=True)]
        go = self.new(f"icmp slt i32 {counter}, {trips}")
        self.emit(f"br i1 {go}, label %{inside}, label %{end}")
        exits = [(head, scope.copy())]
        self.start(inside)
        inner = scope.copy()
        inner.values["i32"].append(counter)
        self.body(inner, depth + 1, uniform, self.rng.randrange(1, 4))
        steps = []
        if leave:
            condition, stay = self.expression(inner, "i1"), self.fresh("stay")
            exits.append((self.label, inner.copy()))
            self.emit(f"br i1 {condition}, label %{end}, label %{stay}")
            self.start(stay)
        if again:
            condition, stay = self.expression(inner, "i1"), self.fresh("stay")
            steps.append((self.label, inner.copy()))
            self.emit(f"br i1 {condition}, label %{step}, label %{stay}")
            self.start(stay)
            self.body(inner, depth + 1, False, 1)
        steps.append((self.label, inner.copy()))
        self.jump(step)
        self.start(step)
        self._merge(inner, steps)
        self.emit(f"{following} = add i32 {counter}, 1")
        self.jump(head)
        phis = [f"  {counter} = phi i32 [0, %{before}], [{following}, %{step}]"]
        phis += [
            f"  {name} = phi {ty} [{first}, %{before}], [{last}, %{step}]"
            for name, first, (ty, last) in zip(names, outer, inner.variables, strict=True)
        ]
        self.lines[where:where] = phis
        self.start(end)
        self._merge(scope, exits)

    def _early(self, scope, _depth):
        """Some lanes end here."""
        gone, stay = self.fresh("gone"), self.fresh("stay")
        first = self.expression(scope, "i1")
        second = self.new(f"icmp ugt i32 {self.any(scope, 'i32')}, 1000")
        both = self.new(f"and i1 {first}, {second}")
        self.emit(f"br i1 {both}, label %{gone}, label %{stay}")
        self.start(gone)
        self.finish(scope)
        self.start(stay)
