"""Keep a worker's pools of sandboxes from one order to the next: `get_pool` makes them, `close` ends them."""

from __future__ import annotations

import atexit

from harness.process.box import SandboxPool, choose_sandbox

__all__ = ["close", "get_pool"]

_pools: dict[str, SandboxPool] = {}


def get_pool(kind: str) -> SandboxPool:
    """Return this process's pool of sandboxes of a kind (`auto`, `bwrap`, `limits`, `off`), for any thread.

    The first call of a kind makes the pool; after `close`, the next call makes another one. `close` also runs at exit.

    Raises:
        UsageError: There is no such kind.
        EnvironmentFault: `bwrap` is asked for and does not work here, or `auto` by the superuser without it.
    """
    pool = _pools.get(kind)
    return pool or _pools.setdefault(kind, SandboxPool(choose_sandbox(kind)))


@atexit.register
def close() -> None:
    """End the idle boxes."""
    while _pools:
        _pools.popitem()[1].close()
