"""An authority of one's own and a certificate from it, as docs/cluster.md makes them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["certificates", "documented"]


def documented() -> str:
    """The commands of the document."""
    (commands,) = re.findall(r"```sh\n(openssl .*?)```", (ROOT / "docs" / "cluster.md").read_text(), re.DOTALL)
    return commands


def certificates(folder: Path, *, make: bool = True) -> dict[str, str]:
    """Dask's settings for the certificates in a folder, which the documented commands make there."""
    if make:
        subprocess.run(["bash", "-euc", documented()], cwd=folder, check=True, capture_output=True, timeout=60)
    names = {"distributed.comm.tls.ca-file": "ca.pem"}
    for role in ("scheduler", "worker", "client"):
        names |= {f"distributed.comm.tls.{role}.cert": "cluster.pem", f"distributed.comm.tls.{role}.key": "cluster.key"}
    return {name: str(folder / file) for name, file in names.items()}
