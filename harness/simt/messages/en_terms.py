"""The English words for what messages name; `harness.simt.messages` says how they are looked up."""

from __future__ import annotations

from harness.simt.messages.en_engine import ENGINE

__all__ = ["TERMS"]

TERMS: dict[str, dict[str, str]] = {
    "access": {"load": "read", "store": "write", "atomic": "atomic"},
    "act": {"load": "reads", "store": "writes", "atomic": "updates", "exchange": "gets"},
    "first": {"load": "Read", "store": "Write", "atomic": "Atomic"},
    "second": {"load": "Read", "store": "Write", "atomic": "Atomic"},
    "role": {
        "load": "read",
        "store": "write",
        "atomic": "atomic access",
        "use": "used",
        "free": "freed",
        "copy": "copied",
    },
    # How to order two accesses of threads that lie so far apart.
    "level": {
        "warp": "call `barrier()` between the two",
        "statement": "read into a variable first, call `barrier()`, write, and call `barrier()` again before the next",
        "block": "call `barrier()` between the two, where every thread of the block reaches it",
        "cluster": "call `cluster_sync()` between the two",
        "grid": "use atomics, or leave the second step to another launch: blocks do not wait for one another",
    },
    # Whom barriers wait for.
    "waits": {
        "living": "this GPU waits for the others alone, but not every GPU does, and Mojo does not promise it",
        "all": "what this GPU does then is not defined",
    },
    "way": {
        "return": "put the work under a condition instead of a `return` before the barrier",
        "branch": "put it outside the condition or loop that some skip",
    },
    "origin": {
        "argument": "{source}, not initialised",
        "shared": "{source}: shared memory, not initialised",
        "local": "{source}, which each thread has for itself, not initialised",
        "inactive-lane": "{source} from an inactive lane",
        "undef": "literal undef",
        "poison": "literal poison",
        "width": "{source} by the width or more",
        "lowest": "{source} of the smallest number by -1",
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
        "site-role": "{role} at {place}{inside}{doer}",
        "nowhere": "a place without a source line",
        "inside": " in {function}",
        "doer": " by {lane}",
        "lane": "thread ({thread}) in block ({block}), warp {warp} lane {number}",
        "pair": "{first} and {second}",
        "by": "by {lane}",
        "at": "at {places}",
        "and": " and ",
        "also": "also {lane}",
        "more": "and {more:more time}",
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
