"""Kernels whose blocks are joined at random."""

import random

from tests.simt.random_ir.kernel import ENTRY, HEAD, SIGNATURE, Kernel, inputs


def graph(seed):
    """Blocks joined at random; each counts who came by."""
    rng = random.Random(seed)
    block, grid = rng.choice([1, 17, 32, 40]), rng.choice([1, 2])
    count = rng.randrange(3, 12)
    names = [f"at{n}" for n in range(count)]
    ways, bodies = {name: [] for name in names}, {}
    ways["at0"].append(("entry", "%small", "%tid", str(rng.randrange(8, 30))))
    ends = []
    for number, name in enumerate(names):
        a, b = rng.randrange(1, 1 << 20) | 1, rng.randrange(1 << 20)
        lines = [
            f"%a{number}.1 = mul i32 %a{number}, {a}",
            f"%a{number}.2 = add i32 %a{number}.1, %b{number}",
            f"%b{number}.1 = xor i32 %b{number}, {b}",
            f"%r{number} = lshr i32 %a{number}.2, {rng.randrange(1, 9)}",
            f"%f{number}.1 = sub i32 %f{number}, 1",
            f"%p{number} = getelementptr i32, ptr addrspace(1) %counters, i64 {number}",
            f"atomicrmw add ptr addrspace(1) %p{number}, i32 1 monotonic, align 4",
            f"%o{number} = icmp sgt i32 %f{number}, 0",
            f"br i1 %o{number}, label %{name}.go, label %end",
        ]
        # Sometimes a phi takes another's value of the turn before.
        values = (
            rng.choice([f"%a{number}.2", f"%a{number}.2", f"%b{number}"]),
            rng.choice([f"%b{number}.1", f"%b{number}.1", f"%a{number}"]),
            f"%f{number}.1",
        )
        ends.append((name, *values))
        kind = rng.choice(["jump", "branch", "branch", "switch"])
        targets = [rng.choice(names) for _ in range(4)]
        lines.append("")
        if kind == "jump":
            targets = targets[:1]
            lines.append(f"br label %{targets[0]}")
        elif kind == "branch":
            targets = targets[:2]
            lines.append(f"%c{number} = trunc i32 %r{number} to i1")
            lines.append(f"br i1 %c{number}, label %{targets[0]}, label %{targets[1]}")
        else:
            lines.append(f"%c{number} = and i32 %r{number}, 3")
            listed = " ".join(f"i32 {n}, label %{target}" for n, target in enumerate(targets[1:]))
            lines.append(f"switch i32 %c{number}, label %{targets[0]} [{listed}]")
        for target in targets:
            ways[target].append((f"{name}.go", *values))
        bodies[name] = lines
    text = [HEAD, SIGNATURE, ENTRY + "  br label %at0"]
    for number, name in enumerate(names):
        text.append(f"{name}:")
        if not ways[name]:  # nobody comes here
            ways[name] = [(f"{name}.in", "0", "0", "0")]
            text[-1] = f"{name}.in:\n  br label %{name}\n{name}:"
        text += _phis("abf", number, ways[name])
        for line in bodies[name]:
            text.append(f"  {line}" if line else f"{name}.go:")
    text.append("end:")
    text += _phis("abf", count, ends)
    for place, letter in enumerate("abf"):
        text.append(
            f"  %q{place} = getelementptr i32, ptr addrspace(1) %slot, i64 {place}\n"
            f"  store i32 %{letter}{count}, ptr addrspace(1) %q{place}, align 4"
        )
    text.append("  ret void\n}\n")
    return Kernel("\n".join(text), grid, block, *inputs(rng, grid * block), 1)


def _phis(letters, number, ways):
    for place, letter in enumerate(letters):
        listed = ", ".join(f"[{way[1 + place]}, %{way[0]}]" for way in ways)
        yield f"  %{letter}{number} = phi i32 {listed}"
