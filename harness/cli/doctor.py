"""`doctor`: print versions, devices, compiler, cache, what the system can limit, and each vendor's backend."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from harness.build import compiler_check, registers, sdk, toolchain, versions
from harness.build.cache import Cache
from harness.cases import pipeline
from harness.errors import EnvironmentFault
from harness.model import exit_code
from harness.model.target import VENDORS
from harness.process import abilities
from harness.programs.host import faults
from harness.report import console

__all__ = ["describe_abilities", "examine"]

# By whether the program can be followed instruction by instruction, and whether a fault says that it is a write.
_ACCESSES = {
    (True, True): "page watching, single steps, reads told from writes: every access to a watched page is seen",
    (False, True): "page watching and reads told from writes, no single steps: "
    "of each page with undefined bytes only the first access is seen",
    (False, False): "page watching alone, no single steps and no lines of accesses: of each page with undefined bytes "
    "only the first access is seen, and a read followed by a write to the same place counts as a write",
}
_LIMITED = "holds, for a process and for all that it starts"
_UNLIMITED = "none: this system does not keep one; limits on time and on the size of files hold"
_ORPHANS = {
    True: "all of them, also those that leave its group or lose their parent",
    False: "those of its group at least; this system does not hand over a process that lost its parent",
}


def examine(_arguments: Namespace) -> int:
    """Print what this machine has, and which backend runs each vendor's target; exit code 3 if MAX, Mojo or a working
    compiler is missing, or the cache cannot be written, else 0.
    """
    facts = pipeline.environment()
    compiler = toolchain.find_mojo()
    unusable_compiler = _compiler_fault(compiler) if compiler else "missing"
    if compiler:
        facts["mojo compiler"] = "; ".join(filter(None, (str(compiler), unusable_compiler)))
    else:
        facts["mojo compiler"] = f"missing: {toolchain.install_advice()}"
    if tested_pair := versions.describe_installed():
        facts["tested with"] = tested_pair
    cache = Cache.default()
    files = [path for path in cache.root.rglob("*") if path.is_file()] if cache.root.is_dir() else []
    unusable = _describe_unwritable(cache)
    size = sum(path.stat().st_size for path in files)
    facts["cache"] = f"{cache.root}: {len(files)} files, {size / 1e6:.1f} MB{unusable}"
    facts |= describe_abilities()
    for vendor in VENDORS:
        plan = pipeline.plan(vendor)
        facts[f"{plan.target} runs on"] = f"{plan.device}: {plan.why}"
    console.print_facts(facts)
    missing = bool(unusable_compiler) or "missing" in (facts["max"], facts["mojo"])
    return exit_code.ENVIRONMENT if missing or unusable else exit_code.OK


def describe_abilities() -> dict[str, str]:
    """Return what this machine lets the harness observe and limit, as text by heading."""
    facts = {"accesses of the host": _ACCESSES[faults.follows_accesses(), faults.tells_writes()]}
    facts["limit on memory"] = _LIMITED if abilities.limits_memory() else _UNLIMITED
    facts["ended with a command"] = _ORPHANS[abilities.hands_over_orphans()]
    try:
        facts["registers"] = f"by {sdk.find_shared_library(registers.LIBRARY)}"
    except EnvironmentFault:
        facts["registers"] = "of AMD's kernels alone: NVIDIA's compiler of PTX is not in this system's package"
    return facts


def _compiler_fault(compiler: Path) -> str:
    """Return why the compiler cannot work here; empty if it starts and all its files are there. Starts it."""
    try:
        return compiler_check.check_start(compiler) or compiler_check.check_installation(compiler)
    except EnvironmentFault as error:
        return str(error)


def _describe_unwritable(cache: Cache) -> str:
    # Asked by writing: permissions say nothing of a full disk or of the superuser.
    try:
        cache.require_writable()
    except EnvironmentFault as error:
        return f"; {error}"
    return ""
