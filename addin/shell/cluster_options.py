"""`--cluster` and the files of its encryption, of the commands that run on a Dask cluster."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from addin.console import path_of
from addin.errors import RequestError

if TYPE_CHECKING:  # numpy, which other commands do not wait for
    from addin.simulation.cluster import Cluster


def add(sub: argparse.ArgumentParser, text: str) -> None:
    """Add the options; `text` is the help on the address."""
    sub.add_argument("--cluster", metavar="ADDRESS", help=f"{text}, such as tcp://host:8786")
    for name, what in (("ca", "the file of its authority"), ("cert", "your certificate"), ("key", "its key")):
        text = f"of a cluster with TLS (tls://host:8786): {what}, PEM"
        sub.add_argument(f"--cluster-{name}", type=path_of, metavar="FILE", help=text)


def connected(options: argparse.Namespace) -> AbstractContextManager[Cluster | None]:
    """Return the cluster that was named, to be used within `with`; None without one. Raises RequestError."""
    files = (options.cluster_ca, options.cluster_cert, options.cluster_key)
    if options.cluster is None:
        if any(files):
            raise RequestError("--cluster-ca, --cluster-cert, --cluster-key: are of a cluster. Give --cluster ADDRESS.")
        return nullcontext()
    from addin.simulation.cluster import Tls, cluster

    return cluster(options.cluster, Tls(*files))
