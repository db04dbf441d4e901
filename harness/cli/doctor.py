"""`doctor`: what this machine has, and what would run on what."""

from __future__ import annotations

from argparse import Namespace

from harness.build import toolchain, versions
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
    facts["mojo compiler"] = str(compiler) if compiler else f"missing: {toolchain.install()}"
    if said := versions.describe():
        facts["tested with"] = said
    cache = Cache.default()
    files = [path for path in cache.root.rglob("*") if path.is_file()] if cache.root.is_dir() else []
    unusable = _unusable(cache)
    size = sum(path.stat().st_size for path in files)
    facts["cache"] = f"{cache.root}: {len(files)} files, {size / 1e6:.1f} MB{unusable}"
    for vendor in VENDORS:
        plan = pipeline.plan(vendor)
        facts[f"{plan.target} runs on"] = f"{plan.device}: {plan.why}"
    console.facts(facts)
    missing = compiler is None or "missing" in (facts["max"], facts["mojo"])
    return exit_code.ENVIRONMENT if missing or unusable else exit_code.OK


def _unusable(cache: Cache) -> str:
    # Asked by writing: permissions say nothing of a full disk or of the superuser.
    try:
        cache.require_writable()
    except EnvironmentFault as error:
        return f"; {error}"
    return ""
