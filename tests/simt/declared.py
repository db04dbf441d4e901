"""Compares what instructions do with what the registry says of them."""

from harness import simt
from harness.simt.compile.declarations import Barrier, ClusterBarrier, Fence, WarpSync
from harness.simt.compile.graph import Op
from harness.simt.compile.registry import OPCODES, Intrinsic, find_intrinsic

__all__ = ["Declared", "declared"]


def declared(site):
    """What is declared of the instruction at a site."""
    instruction = site.instruction
    if instruction.opcode == "fence":
        return Intrinsic("fence", "fence", None, orders=Fence("seq_cst", "system"))
    if instruction.opcode in OPCODES:
        return Intrinsic(instruction.opcode, "stateful", None, accesses=OPCODES[instruction.opcode])
    return find_intrinsic(Op(instruction.opcode, None, instruction.type, (), site).callee)


class Declared(simt.Observer):
    """Fails where an instruction does what nobody declared."""

    def adopt(self, engine, proof):
        """Machine code calls no handlers."""
        return True

    def access(self, event):
        """An exchange that fails is a load of what is declared as an atomic."""
        kinds = {access.kind for access in declared(event.site).accesses}
        if event.operation == "cmpxchg":
            kinds.add("load")
        assert event.kind in kinds, event.site.text

    def barrier(self, event):
        """See `Barrier`."""
        for site, _ in event.groups:
            wait = declared(site).waits
            assert isinstance(wait, Barrier), site.text

    def warp_sync(self, event):
        """See `WarpSync`."""
        declaration = declared(event.site)
        assert isinstance(declaration.waits or declaration.orders, WarpSync), event.site.text

    def shuffle(self, event):
        """Values pass between lanes."""
        assert declared(event.site).exchanges, event.site.text

    def cluster(self, event):
        """See `ClusterBarrier`."""
        declaration = declared(event.site)
        own = declaration.arrives if event.kind == "arrive" else declaration.waits
        assert own == ClusterBarrier(event.order), event.site.text

    def fence(self, event):
        """See `Fence`."""
        assert isinstance(declared(event.site).orders, Fence), event.site.text
