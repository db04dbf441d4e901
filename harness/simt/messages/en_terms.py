"""English texts for values of parameters in messages: accesses, causes, remedies; labels of a shown finding.

`harness.simt.messages` says how they are looked up.
"""

from __future__ import annotations

from harness.simt.messages.en_engine import ENGINE

__all__ = ["TERMS"]

_ACCESS = {
    "load": "Read",
    "store": "Write",
    "atomic": "Atomic",
    "volatile-load": "Volatile read",
    "volatile-store": "Volatile write",
}
# What Mojo calls what lanes do together, by the compiler's names.
_SHUFFLES = {"idx": "idx", "up": "up", "down": "down", "bfly": "xor"}
_OPERATIONS = {
    **{f"shfl.{name}": f"`shuffle_{mojo}`" for name, mojo in _SHUFFLES.items()},
    **{f"llvm.nvvm.shfl.sync.{name}.{{type}}": f"`shuffle_{mojo}`" for name, mojo in _SHUFFLES.items()},
    "llvm.nvvm.bar.warp.sync": "`syncwarp`",
    "llvm.nvvm.vote.{kind}.sync": "`vote`",
}
_GUARD = "let only threads that have an element come here"
_NEIGHBOUR = "let only threads that have this neighbour come here: each has an element of its own, but `{written}` is"
_NEGATIVE = f"{_NEIGHBOUR} negative for thread {{thread}}"
_PAST = f"{_NEIGHBOUR} past the end for thread {{thread}}"
TERMS: dict[str, dict[str, str]] = {
    "operation": _OPERATIONS,
    "access": {"load": "read", "store": "write", "atomic": "atomic"},
    "act": {"load": "reads", "store": "writes", "atomic": "updates", "exchange": "gets"},
    "first": _ACCESS,
    "second": _ACCESS,
    "role": {
        "load": "read",
        "store": "write",
        "atomic": "atomic access",
        "volatile-load": "volatile read",
        "volatile-store": "volatile write",
        "use": "used",
        "free": "freed",
        "copy": "copied",
    },
    # How to order two accesses of threads that lie so far apart.
    "level": {
        "warp": "call `barrier()` between the two",
        "if": "call `barrier()` between the two, outside the `if` of line {opened}: end that `if` before it, and open "
        "it again after it; declare what both parts use before the first `if`",
        "statement": "read into a variable first, call `barrier()`, and write after it{again}",
        "statement-if": "read into a variable first, declared before any `if`, end the `if` of line {opened}, call "
        "`barrier()` outside it, and write in an `if` after it{again}",
        "step": "call `barrier()` at the end of each step of the loop, where every thread of the block reaches it",
        "round": "call `barrier()` at the end of each step of the loop of line {loop}: after line {last}, and outside "
        "any `if`",
        "phase": "wait between the two until the phase of the arrivals completes, with `mbarrier_test_wait` in a loop",
        "ticket": "call `barrier()` between the write and the block's atomic: it publishes what the block's other "
        "threads wrote only if they have come to that barrier",
        "block": "call `barrier()` between the two, where every thread of the block reaches it",
        "cluster": "call `cluster_sync()` between the two",
        "grid": "use atomics, or leave the second step to another launch: blocks do not wait for one another",
    },
    # Whether the next step of a loop reads again what was written.
    "again": {"loop": "; call `barrier()` again before the next step", "none": ""},
    # Who is to write what several threads write.
    "writers": {
        "one": "let one thread write each element, such as the first one by `if local_i == 0:`",
        "several": "let one thread write each element, or {level}",
    },
    # How to order volatile accesses: of blocks, which do not wait for one another, the level names atomics itself.
    "volatile": {"blocks": "{level}", "block": "use atomics, or {level}"},
    # How to wait for a copy before what it fills is read.
    "awaited": {
        "group": "call `async_copy_wait_all()` between the copy and the access, and then `barrier()` where other "
        "threads read what this one copied",
        "barrier": "call `barrier()` between the two, after `async_copy_wait_all()`: a thread waits for its own copies "
        "alone",
        "other": "wait for the copy first, and let a barrier follow where other threads read",
    },
    # What to do about memory that is read before anything is written to it, by its origin.
    "write": {
        **dict.fromkeys(
            ("argument", "shared", "local"),
            "write {source}{cell} before it is read, on every path to the read",
        ),
        "stray": "correct the index of the write: it writes {instead}, which must stay unchanged, and not all elements "
        "that are read",
        **dict.fromkeys(
            ("inactive-lane", "undef", "poison"), "write the value before it is used, on every path to its use"
        ),
        **dict.fromkeys(
            ("width", "lowest", "range", "promise"), "correct the operands: with these the result is undefined"
        ),
    },
    # How to mend an index that is outside of its array.
    "fix": {
        "outside": "keep the index inside of the shape: check its computation, and which threads and steps come here",
        "guard": f"{_GUARD}: compare the index with the length before",
        "guard-each": f"{_GUARD}: compare the row and the column before, each with its own length",
        "guard-line": f"{_GUARD}: the condition of line {{guard}} lets others pass too",
        "guard-line-each": f"{_GUARD}: the condition of line {{guard}} lets others pass too; it must compare the row "
        "and the column, each with its own length",
        "guard-equal": f"{_GUARD}: with `<=`, line {{guard}} lets one index too many pass",
        "guard-before": f"{_NEGATIVE}; put this access alone under `if {{condition}}:`",
        "guard-before-line": f"{_NEGATIVE}; the condition of line {{guard}} must ask for `{{condition}}`",
        "guard-after": f"{_PAST}; put this access alone under an `if` that compares `{{written}}` with the length",
        "guard-after-line": f"{_PAST}; the condition of line {{guard}} must compare `{{written}}` with the length",
        "guard-beyond": "let only threads that have an element load and write: {beyond} has none, yet it writes "
        "{wanted}; compare the row and the column, each with its own length",
        "index": "correct the index: it is outside of {argument} for threads that have an element",
        "index-missing": "correct the index: {wanted} needs {missing}{lies}",
        "index-foreign": "correct the index: {wanted} includes {foreign} now",
        "index-other": "correct the index: {wanted} needs {missing}{lies}, and includes {foreign} now",
        "start": "begin the loop with a smaller value: in its first step no thread is inside of {argument}",
        "end": "end the loop one step earlier: in its last step no thread is inside of {argument}",
        "size": "make room in {argument} for {needed:element}: all of them are used",
    },
    # How far past the end of an array an access begins.
    "gap": {"adjacent": "just past", "apart": "{distance:byte} after"},
    # What an array without elements lacks.
    "room": {
        "longer": "make it as long as the kernel takes it to be, or compare the index with the length before the "
        "access",
        "needs": "give the kernel what it is to read in place of {argument}: {wanted} needs {missing}",
    },
    # Where a block has an element that it needs.
    "lies": {"block": ", which its block holds in {held}"},
    # Whom barriers wait for.
    "waits": {
        "living": "the target GPU waits only for threads that still run; others may not, and Mojo promises neither",
        "all": "what the target GPU does then is not defined",
    },
    "way": {
        "return": "put the work under a condition instead of a `return` before the barrier",
        "branch": "put it outside the condition or loop that some skip",
        "branches": "put it after the branches",
        "if": "end the `if` of line {opened} before it, so that it stands outside, and open the `if` again "
        "after it; declare what both parts use before the first `if`",
    },
    # What an endless loop lacks, by whether it has a condition.
    "exit": {
        "none": "no path leaves it",
        "unchanged": "nothing in it changes {unchanged}, which line {loop} reads",
    },
    "ends": {
        "none": "let a condition end the loop",
        "unchanged": "change {unchanged} in the loop, until the condition of line {loop} is false",
    },
    "origin": {
        "argument": "{source}, not initialised",
        "shared": "{source}{cell}: shared memory, not initialised",
        "local": "{source}, which each thread has for itself, not initialised",
        "inactive-lane": "{source} from an inactive lane",
        "undef": "literal undef",
        "poison": "literal poison",
        "width": "{source} by at least the width in bits",
        "lowest": "{source} of the smallest integer by -1",
        "range": "{source} out of range",
        "promise": "{source} that does not hold",
    },
    "severity": {"error": "", "warning": "Warning: ", "information": "Information: "},
    # How a finding is laid out.
    "shown": {
        "fail-on": "Fails because of {count:finding} of severity `{fail_on}` or worse: `fail-on` is `{fail_on}`.",
        "heading": "{severity}{title} ({id})",
        "site": "at {place}{inside}{doer}",
        "site-more": "and {place}{inside}{doer}",
        "site-waiting": "waiting at {place}{inside}",
        "site-ended": "ended at {place}{inside}",
        "site-role": "{role} at {place}{inside}{doer}",
        "nowhere": "an unknown source line",
        "inside": " in {function}",
        "doer": " by {lane}",
        "lane": "thread ({thread}) in block ({block}), warp {warp} lane {number}",
        "pair": "{first} and {second}",
        "by": "by {lane}",
        "at": "at {places}",
        "and": " and ",
        "clause": ", ",
        "shortened": "{listed}, ...",
        "also": "also {lane}",
        "more": "and {more} more like this",
        "also-launches": "also in {launches:other launch/other launches}",
        "also-buffers": "also of {buffers}",
        "order": "in another order of the threads: seed {seed}",
        "remedy": "Remedy: {remedy}.",
        "times": "{count} times",
        "summary": "ERROR SUMMARY: {errors:error} ({hazards} times), {warnings:warning}, {information} for information",
        "incomplete": "INCOMPLETE: {reason}",
    },
    **ENGINE,
}
