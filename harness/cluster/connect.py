"""Connect to a Dask scheduler, only on loopback or by TLS with certificates, or start one in this process.

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

__all__ = [
    "LOOPBACK",
    "check_address",
    "connect_client",
    "fetch_identity",
    "load_security",
    "require_dask",
    "require_private",
    "start_local_cluster",
]

LOOPBACK = "127.0.0.1"
SECONDS = 10.0  # for one answer of a scheduler
_UNKNOWN_LISTENER = "what listens there, a scheduler behind the other of tcp:// and tls:// or another program,"
_RISK = "without TLS whoever reaches a scheduler runs code as you"
_SETTINGS = "DASK_DISTRIBUTED__COMM__TLS__"


def require_dask() -> None:
    """Raise an error if Dask is not installed.

    Raises:
        EnvironmentFault: It is not.
    """
    if find_spec("distributed") is None:
        raise EnvironmentFault("there is no Dask here: `pip install .[cluster]` in the project's folder has it.")


def check_address(address: str) -> str:
    """Return a scheduler's address unchanged if it is safe to connect to; only a `tcp` host is resolved.

    Args:
        address: `tcp://HOST:PORT` on this machine, or `tls://HOST:PORT` anywhere.

    Raises:
        UsageError: It is no address, or one that needs TLS.
        EnvironmentFault: The host of a `tcp` address does not resolve.
    """
    scheme, _, authority = address.partition("://")
    host, _, port = authority.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdigit():
        raise UsageError(f"{address!r} is no scheduler: give tcp://{LOOPBACK}:8786, or tls://HOST:PORT.")
    if scheme == "tcp" and not _is_loopback(host.strip("[]")):
        raise UsageError(
            f"{address} leads to another machine, and {_RISK}: use tls:// or a tunnel to {LOOPBACK} (docs/cluster.md)."
        )
    return address


def _is_loopback(host: str) -> bool:
    """Return whether a name resolves only to loopback addresses; EnvironmentFault if it does not resolve."""
    try:
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        raise EnvironmentFault(f"there is no host {host!r}.") from None
    return all(ipaddress.ip_address(address.partition("%")[0]).is_loopback for address in addresses)


def load_security(address: str, role: str) -> Security:
    """Load the certificates for an address from Dask's own settings; `tcp://` needs none, but reads those that are set.

    Args:
        address: From `check_address`.
        role: `client` or `worker`.

    Raises:
        UsageError: For `tls://`, the CA's or the role's certificate is not set. Or a file that is set cannot be read,
            or Dask refuses its settings.
    """
    from distributed import Security

    try:
        settings = Security(require_encryption=address.startswith("tls://"))
    except (OSError, ValueError) as error:
        raise UsageError(f"Dask's settings of encryption cannot be used: {error}.") from None
    try:
        if address.startswith("tls://") and not (settings.tls_ca_file and getattr(settings, f"tls_{role}_cert")):
            names = (f"{_SETTINGS}CA_FILE", f"{_SETTINGS}{role.upper()}__CERT", f"{_SETTINGS}{role.upper()}__KEY")
            raise UsageError(f"{address} needs certificates: set {', '.join(names)} (docs/cluster.md).")
        settings.get_connection_args(role)
    except (OSError, ValueError) as error:  # `ssl.SSLError` is an OSError
        files = ", ".join(
            str(getattr(settings, name)) for name in ("tls_ca_file", f"tls_{role}_cert", f"tls_{role}_key")
        )
        raise UsageError(f"the certificates for {address} cannot be used: {error} ({files}).") from None
    return settings


async def fetch_identity(address: str, settings: Security, role: str) -> dict[str, Any]:
    """Return a scheduler's description of itself, read without unpickling, before anything is trusted to it.

    Raises:
        OSError: It does not answer, or something else listens there.
    """
    from distributed.comm.core import CommClosedError
    from distributed.core import rpc

    arguments = settings.get_connection_args(role)
    try:
        async with (
            asyncio.timeout(SECONDS),  # Dask's own is for the connection alone
            rpc(address, connection_args=arguments, deserializers=["msgpack"], timeout=5) as scheduler,
        ):
            facts: dict[str, Any] = await scheduler.identity(n_workers=0)
    except CommClosedError as error:
        why = str(error.__cause__ or error).rpartition(">: ")[2]  # before it stand the ends of the connection
        raise OSError(f"{_UNKNOWN_LISTENER} hangs up: {why}") from None
    except TimeoutError:
        raise OSError(f"{_UNKNOWN_LISTENER} does not answer") from None
    return facts


def require_private(address: str, facts: dict[str, Any]) -> None:
    """Refuse a scheduler that listens by `tcp` on more than the loopback interface; any other passes.

    Args:
        address: How it was reached; only for the message.
        facts: From `fetch_identity`: its `address` is where it listens.

    Raises:
        UsageError: It listens to other machines without TLS.
        EnvironmentFault: The name of the host on which it listens does not resolve.
    """
    listening = str(facts["address"])
    scheme, _, authority = listening.partition("://")
    if scheme == "tcp" and not _is_loopback(authority.rpartition(":")[0].strip("[]")):
        raise UsageError(
            f"the scheduler at {address} listens on {listening}, and {_RISK}: start it with `--host {LOOPBACK}` or TLS."
        )


def connect_client(address: str, deadline: float) -> Client:
    """Connect a client to a scheduler; wait for it until a deadline.

    Args:
        address: From `check_address`.
        deadline: Until when, by the clock `time.monotonic`.

    Raises:
        UsageError: The scheduler is open to others, or the certificates are missing.
        EnvironmentFault: There is none until then.
    """
    from distributed import Client

    settings = load_security(address, "client")
    while True:
        try:
            facts = asyncio.run(fetch_identity(address, settings, "client"))
            require_private(address, facts)
            return Client(address, security=settings, timeout=SECONDS, set_as_default=False)
        except (OSError, TimeoutError) as error:
            if time.monotonic() > deadline:
                why = str(error) or type(error).__name__
                raise EnvironmentFault(f"there is no scheduler at {address} ({why}).") from None
            time.sleep(1.0)


def start_local_cluster(slots: int, resources: Mapping[str, float]) -> Any:
    """Start a scheduler and a worker in this process, and return their `LocalCluster`; its `with` statement ends them.

    No other machine can reach them. The worker has `slots` threads, no limit on memory, and these resources.
    """
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
