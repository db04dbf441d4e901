"""`python -m harness.cluster.member ADDRESS OFFER`: one Dask worker, which awaits its scheduler and ends with it.

OFFER is JSON: `name`, `slots`, `resources`, and the `port` that it listens on, 0 for any. It ends when it has lost its
scheduler, since Dask's workers do not come back to one that was restarted; whoever started it starts another.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

from harness.cluster import connect
from harness.errors import EnvironmentFault, HarnessError
from harness.model import exit_code

__all__ = ["main"]

WAIT_SECONDS = 2.0  # between two tries to reach a scheduler


def main() -> int:
    """Run the worker that `sys.argv` describes until its scheduler is gone; return 0, or an exit code after an error.

    It waits without limit for a scheduler that does not answer. A `HarnessError` is printed to stderr. Its code is 2 if
    the scheduler is unsafe or certificates are missing, and 3 if the scheduler refuses the certificate.
    """
    address, offer = sys.argv[1], json.loads(sys.argv[2])
    try:
        asyncio.run(_serve(connect.check_address(address), offer))
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr, flush=True)
        return exit_code.code_of_error(error)
    return exit_code.OK


async def _serve(address: str, offer: dict[str, Any]) -> None:
    """Wait for the scheduler, then work for it until it is gone; HarnessError if it must not be served."""
    import dask
    from distributed import Worker

    logging.getLogger("distributed").setLevel(logging.WARNING)
    security = connect.load_security(address, "worker")
    connect.require_private(address, await _await_scheduler(address, security))
    with dask.config.set({"distributed.worker.http.routes": []}):
        worker = Worker(
            address,
            nthreads=offer["slots"],
            name=offer["name"],
            resources=offer["resources"],
            security=security,
            # Without TLS it can be reached from this machine alone.
            host=connect.LOOPBACK if address.startswith("tcp://") else None,
            port=offer["port"],
            dashboard_address=f"{connect.LOOPBACK}:0",
            memory_limit=0,  # what takes memory is in a box, which has a limit
        )
    async with worker:
        print(f"{offer['name']} works for {address}", file=sys.stderr, flush=True)
        await worker.finished()


async def _await_scheduler(address: str, security: Any) -> dict[str, Any]:
    """Wait until the scheduler answers, and return its description of itself.

    Tries for ever, and prints once that it waits. Raises EnvironmentFault if the certificate is refused.
    """
    is_reported = False
    while True:
        try:
            return await connect.fetch_identity(address, security, "worker")
        except (OSError, TimeoutError) as error:
            if any(word in str(error).lower() for word in ("certificate", "unknown ca")):
                raise EnvironmentFault(f"{address} refuses this certificate: {error}.") from None
            if not is_reported:
                print(f"waiting for a scheduler at {address}", file=sys.stderr, flush=True)
                is_reported = True
            await asyncio.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
