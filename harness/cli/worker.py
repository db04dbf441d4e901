"""`worker`: check address, certificates and cache, print what this host offers, and serve a Dask scheduler."""

from __future__ import annotations

import sys
from argparse import Namespace

from harness.build.cache import Cache
from harness.cli.grade import exit_on_sigterm
from harness.cluster import connect, resources, worker
from harness.errors import EnvironmentFault
from harness.grading import local

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Serve the scheduler until the process is ended; never returns.

    Raises:
        UsageError: The address is wrong, or its certificates cannot be read.
        EnvironmentFault: Dask or the host is missing, the cache cannot be written, or there is nothing to offer.
    """
    connect.require_dask()
    address = connect.check_address(arguments.scheduler)
    connect.load_security(address, "worker")
    slots = local.default_workers() if arguments.simulators is None else arguments.simulators
    offers = resources.list_offers(slots, arguments.devices)
    if not offers:
        raise EnvironmentFault("this host has no GPU, and --simulators 0 leaves nothing else to offer.")
    Cache.default().require_writable()
    for offer in offers:
        print(f"offers {offer.what}, {offer.slots} at a time ({offer.device})", file=sys.stderr)
    with exit_on_sigterm():
        worker.serve(address, offers, arguments.port, lambda line: print(line, file=sys.stderr))
    raise AssertionError("it serves until it is ended")
