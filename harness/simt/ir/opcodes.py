"""Sets of words of printed LLVM IR: flags, orderings, binary opcodes and casts; and the scopes of `syncscope`."""

__all__ = ["ACQUIRES", "BINARY", "CASTS", "FLAGS", "ORDERINGS", "RELEASES", "scope_of"]

# LLVM's orderings that release earlier accesses, and those that acquire them.
RELEASES = frozenset({"release", "acq_rel", "seq_cst"})
ACQUIRES = frozenset({"acquire", "acq_rel", "seq_cst"})
ORDERINGS = frozenset({"unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"})
FLAGS = frozenset(
    {
        *("nuw", "nsw", "exact", "disjoint", "nneg", "samesign"),  # of integers
        *("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"),  # of floats
        *("inbounds", "nusw", "volatile", "atomic", "weak", "inalloca"),  # of addresses and memory
        *("tail", "musttail", "notail"),  # of calls
    }
)
BINARY = frozenset(
    {
        *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem"),
        *("shl", "lshr", "ashr", "and", "or", "xor"),
        *("fadd", "fsub", "fmul", "fdiv", "frem"),
    }
)
CASTS = frozenset(
    {
        *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
        *("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"),
    }
)
# LLVM's `syncscope`, without `-one-as`, to ours.
SCOPES = {
    "": "system",
    "singlethread": "thread",
    "wavefront": "warp",
    "workgroup": "block",
    "block": "block",
    "cluster": "cluster",
    "agent": "device",
    "device": "device",
}


def scope_of(name: str) -> str:
    """Return the scope of a `syncscope`; an unknown one is the whole system."""
    return SCOPES.get(name.removesuffix("-one-as"), "system")
