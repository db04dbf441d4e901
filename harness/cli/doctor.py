"""`doctor`: what this machine has, and what would run on what."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from harness.build import compiler_check, toolchain
from harness.build.cache import Cache
from harness.cases import pipeline
from harness.errors import EnvironmentFault
from harness.model import exit_code
from harness.model.target import VENDORS
from harness.report import console

__all__ = ["examine"]


def examine(_arguments: Namespace) -> int:
    """Prints the examination; exit code 3 when something that every run needs is missing."""
    facts = pipeline.environment()
    compiler = toolchain.find()
    unusable_compiler = _compiler_fault(compiler) if compiler else "missing"
    if compiler:
        facts["mojo compiler"] = "; ".join(filter(None, (str(compiler), unusable_compiler)))
    else:
        facts["mojo compiler"] = f"missing: {toolchain.install()}"
    cache = Cache.default()
    files = [path for path in cache.root.rglob("*") if path.is_file()] if cache.root.is_dir() else []
    unusable = _unusable(cache)
    size = sum(path.stat().st_size for path in files)
    facts["cache"] = f"{cache.root}: {len(files)} files, {size / 1e6:.1f} MB{unusable}"
    for vendor in VENDORS:
        plan = pipeline.plan(vendor)
        facts[f"{plan.target} runs on"] = f"{plan.device}: {plan.why}"
    console.facts(facts)
    missing = bool(unusable_compiler) or "missing" in (facts["max"], facts["mojo"])
    return exit_code.ENVIRONMENT if missing or unusable else exit_code.OK


def _compiler_fault(compiler: Path) -> str:
    """Return why the compiler cannot work here; nothing if it starts and all its files are there."""
    try:
        return compiler_check.start_fault(compiler) or compiler_check.installation_fault(compiler)
    except EnvironmentFault as error:
        return str(error)


def _unusable(cache: Cache) -> str:
    # Asked by writing: permissions say nothing of a full disk or of the superuser.
    try:
        cache.require_writable()
    except EnvironmentFault as error:
        return f"; {error}"
    return ""
