"""The words of printed LLVM IR, by kind."""

__all__ = ["BINARY", "CASTS", "FLAGS", "ORDERINGS"]

ORDERINGS = frozenset(
    {
        "unordered",
        "monotonic",
        "acquire",
        "release",
        "acq_rel",
        "seq_cst",
    }
)
FLAGS = frozenset(
    {
        "nuw",
        "nsw",
        "exact",
        "disjoint",
        "nneg",
        "samesign",
        "inbounds",
        "nusw",
        "volatile",
        "atomic",
        "weak",
        "fast",
        "nnan",
        "ninf",
        "nsz",
        "arcp",
        "contract",
        "afn",
        "reassoc",
        "tail",
        "musttail",
        "notail",
        "inalloca",
    }
)
BINARY = frozenset(
    {
        "add",
        "sub",
        "mul",
        "udiv",
        "sdiv",
        "urem",
        "srem",
        "shl",
        "lshr",
        "ashr",
        "and",
        "or",
        "xor",
        "fadd",
        "fsub",
        "fmul",
        "fdiv",
        "frem",
    }
)
CASTS = frozenset(
    {
        "trunc",
        "zext",
        "sext",
        "fptrunc",
        "fpext",
        "fptoui",
        "fptosi",
        "uitofp",
        "sitofp",
        "ptrtoint",
        "inttoptr",
        "bitcast",
        "addrspacecast",
        "ptrtoaddr",
    }
)
