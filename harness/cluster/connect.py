"""The way to a scheduler: whether Dask is here, which addresses are safe, and the certificates for TLS.

Whoever reaches a scheduler or a worker of Dask runs code there: it unpickles what it is sent. So without TLS nothing
here speaks to, or listens on, anything but this machine's own loopback interface.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from harness.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from distributed import Client, Security

__all__ = ["LOOPBACK", "checked", "client", "identity", "local", "require", "require_private", "security"]

LOOPBACK = "127.0.0.1"
SECONDS = 10.0  # for one answer of a scheduler
_STRANGE = "what listens there, a scheduler behind the other of tcp:// and tls:// or another program,"
_WHY = "without TLS whoever reaches a scheduler runs code as you"
_SETTINGS = "DASK_DISTRIBUTED__COMM__TLS__"


def require() -> None:
    """Finds out whether Dask is here.

    Raises:
        EnvironmentFault: It is not.
    """
    if find_spec("distributed") is None:
        raise EnvironmentFault("there is no Dask here: `pip install .[cluster]` in the project's folder has it.")


def checked(address: str) -> str:
    """The address of a scheduler, if it may be spoken to.

    Args:
        address: `tcp://HOST:PORT` on this machine, or `tls://HOST:PORT` anywhere.

    Raises:
        UsageError: It is no address, or one that needs TLS.
        EnvironmentFault: There is no such host.
    """
    scheme, _, place = address.partition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdigit():
        raise UsageError(f"{address!r} is no scheduler: give tcp://{LOOPBACK}:8786, or tls://HOST:PORT.")
    if scheme == "tcp" and not _is_loopback(host.strip("[]")):
        raise UsageError(
            f"{address} leads to another machine, and {_WHY}: use tls:// or a tunnel to {LOOPBACK} (docs/cluster.md)."
        )
    return address


def _is_loopback(host: str) -> bool:
    """Return whether a name resolves only to loopback addresses."""
    try:
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        raise EnvironmentFault(f"there is no host {host!r}.") from None
    return all(ipaddress.ip_address(address.partition("%")[0]).is_loopback for address in addresses)


def security(address: str, role: str) -> Security:
    """The certificates for an address, from Dask's own settings.

    Args:
        address: From `checked`.
        role: `client` or `worker`.

    Raises:
        UsageError: They are not set, or cannot be read.
    """
    from distributed import Security

    try:
        chosen = Security(require_encryption=address.startswith("tls://"))
        if address.startswith("tls://") and not (chosen.tls_ca_file and getattr(chosen, f"tls_{role}_cert")):
            names = (f"{_SETTINGS}CA_FILE", f"{_SETTINGS}{role.upper()}__CERT", f"{_SETTINGS}{role.upper()}__KEY")
            raise UsageError(f"{address} needs certificates: set {', '.join(names)} (docs/cluster.md).")
        chosen.get_connection_args(role)
    except (OSError, ValueError) as error:  # `ssl.SSLError` is an OSError
        held = ", ".join(str(getattr(chosen, name)) for name in ("tls_ca_file", f"tls_{role}_cert", f"tls_{role}_key"))
        raise UsageError(f"the certificates for {address} cannot be used: {error} ({held}).") from None
    return chosen


async def identity(address: str, chosen: Security, role: str) -> dict[str, Any]:
    """Return a scheduler's description of itself, read without unpickling, before anything is trusted to it.

    Raises:
        OSError: It does not answer, or something else listens there.
    """
    from distributed.comm.core import CommClosedError
    from distributed.core import rpc

    arguments = chosen.get_connection_args(role)
    try:
        async with (
            asyncio.timeout(SECONDS),  # Dask's own is for the connection alone
            rpc(address, connection_args=arguments, deserializers=["msgpack"], timeout=5) as scheduler,
        ):
            facts: dict[str, Any] = await scheduler.identity(n_workers=0)
    except CommClosedError as error:
        why = str(error.__cause__ or error).rpartition(">: ")[2]  # before it stand the ends of the connection
        raise OSError(f"{_STRANGE} hangs up: {why}") from None
    except TimeoutError:
        raise OSError(f"{_STRANGE} does not answer") from None
    return facts


def require_private(address: str, facts: dict[str, Any]) -> None:
    """Refuses a scheduler that was reached over loopback and listens to others as well, without TLS.

    Args:
        address: How it was reached.
        facts: From `identity`.

    Raises:
        UsageError: It does.
    """
    own = str(facts["address"])
    scheme, _, place = own.partition("://")
    if scheme == "tcp" and not _is_loopback(place.rpartition(":")[0].strip("[]")):
        raise UsageError(
            f"the scheduler at {address} listens on {own}, and {_WHY}: start it with `--host {LOOPBACK}` or TLS."
        )


def client(address: str, deadline: float) -> Client:
    """A client of a scheduler, which may have to be waited for.

    Args:
        address: From `checked`.
        deadline: Until when, by the clock `time.monotonic`.

    Raises:
        UsageError: The scheduler is open to others, or the certificates are missing.
        EnvironmentFault: There is none until then.
    """
    from distributed import Client

    chosen = security(address, "client")
    while True:
        try:
            facts = asyncio.run(identity(address, chosen, "client"))
            require_private(address, facts)
            return Client(address, security=chosen, timeout=SECONDS, set_as_default=False)
        except (OSError, TimeoutError) as error:
            if time.monotonic() > deadline:
                why = str(error) or type(error).__name__
                raise EnvironmentFault(f"there is no scheduler at {address} ({why}).") from None
            time.sleep(1.0)


def local(slots: int, resources: Mapping[str, float]) -> Any:
    """A scheduler and a worker in this process, behind no port that others can reach: a context manager."""
    import dask
    from distributed import LocalCluster

    with dask.config.set({"distributed.worker.http.routes": [], "distributed.scheduler.http.routes": []}):
        return LocalCluster(
            n_workers=1,
            threads_per_worker=slots,
            processes=False,
            memory_limit=0,
            dashboard_address=f"{LOOPBACK}:0",
            worker_dashboard_address=f"{LOOPBACK}:0",
            resources=dict(resources),
        )
