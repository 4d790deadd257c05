"""Run the chunks of a simulation, or read files, on a Dask cluster: an executor like any other, the extra [cluster].

The job (the workbook's cells and the spreads) travels once: it is a task of its own, a few hundred kilobytes packed,
whose result Dask passes from worker to worker and makes again when the workers that hold it are lost. A chunk task is
then a reference and two numbers. Lost chunks are run again by Dask; the report is the same bytes as on threads.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import pickle
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from addin.errors import RequestError
from addin.simulation.trials import Job

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

P = ParamSpec("P")
T = TypeVar("T")
COMPUTING = (
    *("chunks", "correlation", "exact_sums", "quantiles", "sampling", "sensitivity"),
    *("sobol_directions", "spreads", "summaries", "trials"),
)  # the modules of this folder that a chunk is computed with, beside those of kernel, computing and native
PATIENCE = 6  # seconds for an address to answer, and for a first worker: a silent one is said within ten


class Cluster(Executor):
    """Chunks as tasks of a Dask cluster with `threads` threads; Dask decides where, and again where a worker is lost.

    A Job among the arguments is sent once and then named.
    """

    def __init__(self, client: Client, threads: int) -> None:
        self.client, self.threads = client, threads
        self._executor = client.get_executor(pure=False)
        self._sent: dict[int, tuple[Job, Any]] = {}

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Send one task."""
        short = [self._reference(arg) if isinstance(arg, Job) else arg for arg in args]
        future: Future[T] = self._executor.submit(function, *short, **kwargs)
        return future

    def _reference(self, job: Job) -> object:
        sent = self._sent.get(id(job))
        if sent is None:
            sent = self._sent[id(job)] = (job, self.client.submit(unpack, pack(job), pure=False))
        return sent[1]


def pack(job: Job) -> bytes:
    """Return a job as few bytes."""
    return zlib.compress(pickle.dumps(job), 1)


def unpack(packed: bytes) -> Job:
    """Return the job again, on the worker."""
    job: Job = pickle.loads(zlib.decompress(packed))
    return job


@cache  # asked first when the modules are first loaded: a worker that outlives an upgrade is detected
def sources() -> str:
    """Return the digest of the modules that compute a chunk or read a file."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    folders = (*(here.parent / name for name in ("kernel", "computing", "measured")), here / "native")
    paths = [path for folder in folders for path in folder.rglob("*.py")]
    for path in sorted([*paths, *(here / f"{name}.py" for name in COMPUTING)]):
        digest.update(path.relative_to(here.parent).as_posix().encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:12]


def versions() -> dict[str, str]:
    """Return what must be the same everywhere for the same figures: our sources, numpy, the compiler."""
    return {
        "addin": sources(),
        "numpy": np.__version__,
        "llvmlite": "installed" if importlib.util.find_spec("llvmlite") else "not installed",
    }


class Tls(NamedTuple):
    """The files with which a TLS cluster is reached, in PEM format: its authority, this side's certificate and key.

    The key may stand in the file of the certificate.
    """

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None


@contextmanager
def cluster(address: str, tls: Tls | None = None) -> Iterator[Cluster]:
    """Connect to the scheduler at an address and give an executor; everything is let go at the end.

    With `tls` the connection is encrypted, and both sides show certificates of that authority. Raises RequestError,
    one line, without the extra, for files that are no certificates, for an address that does not answer within PATIENCE
    seconds, for a cluster without workers or with other versions, and for one that is lost during the run.
    """
    if importlib.util.find_spec("distributed") is None:
        raise RequestError("--cluster needs the package distributed. Install the extra: pip install -e '.[cluster]'.")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the user reads one line, from this program
    client = _connected(address, _security(address, tls or Tls()))
    try:
        yield Cluster(client, _threads(client, address))
    except (OSError, CancelledError) as error:
        raise RequestError(
            f"--cluster {address}: the scheduler was lost during the run ({_line(error)}). Start it and run again."
        ) from error
    except _worker_errors() as error:
        raise RequestError(
            f"--cluster {address}: {_line(error)}. Look at the workers' logs, or leave --cluster out."
        ) from error
    finally:
        client.close(timeout=PATIENCE)


def _connected(address: str, security: Security | None = None) -> Client:
    """Return a client of the scheduler at an address.

    A process that listens there and does not answer blocks `Client` for minutes, whatever its own limit: so a thread
    waits for it.
    """
    from distributed import Client

    outcome: list[Client | Exception] = []

    def connect() -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of versions that differ: those that matter are looked at later
                outcome.append(Client(address, timeout=PATIENCE, set_as_default=False, security=security))
        except Exception as error:  # it is raised below
            outcome.append(error)

    attempt = threading.Thread(target=connect, daemon=True)
    attempt.start()
    attempt.join(PATIENCE)
    result = outcome[0] if outcome else TimeoutError("it takes the call and says nothing")
    if isinstance(result, OSError | ValueError | ImportError):  # TimeoutError is an OSError
        raise RequestError(
            f"--cluster {address}: no Dask scheduler answers within {PATIENCE} s ({_line(result)}). "
            "Give its address, such as tcp://host:8786."
        ) from result
    if isinstance(result, Exception):
        raise result
    return result


def _security(address: str, tls: Tls) -> Security | None:
    """Return how the connection is encrypted; None without files: then Dask's own configuration counts."""
    given = {f"--cluster-{name}": path for name, path in tls._asdict().items() if path is not None}
    from distributed.security import Security

    if not given:
        if address.startswith("tls://") and not Security().get_connection_args("client").get("ssl_context"):
            raise RequestError(f"--cluster {address}: needs a certificate. Give --cluster-ca and --cluster-cert.")
        return None
    if tls.ca is None or tls.cert is None:
        missing = "--cluster-ca" if tls.ca is None else "--cluster-cert"
        raise RequestError(f"{next(iter(given))}: needs {missing} too. Give the authority's file and a certificate.")
    if not address.startswith("tls://"):
        raise RequestError(
            f"--cluster {address}: is not encrypted. Give its address with TLS, such as tls://host:8786."
        )
    security = Security(
        tls_ca_file=str(tls.ca),
        tls_client_cert=str(tls.cert),
        tls_client_key=None if tls.key is None else str(tls.key),
        require_encryption=True,
    )
    for option, path in given.items():
        try:
            path.open("rb").close()
        except OSError as error:
            raise RequestError(
                f"{option} {path}: cannot be read ({error.strerror}). Name a file in PEM format."
            ) from None
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:  # SSLError is an OSError
        files = ", ".join(f"{option} {path}" for option, path in given.items())
        raise RequestError(f"{files}: no certificate and key in PEM format ({_line(error)}). Name others.") from None
    return security


def _threads(client: Client, address: str) -> int:
    """Return the threads of the cluster once scheduler and workers have shown the versions of this process."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise RequestError(
            f"--cluster {address}: no worker within {PATIENCE} s. Start one: dask worker {address}."
        ) from error
    own = versions()
    members: dict[str, object] = {"the scheduler": _on_scheduler(client)}
    members |= {f"worker {name}": reply for name, reply in client.run(versions, on_error="return").items()}
    for member, reply in members.items():
        if not isinstance(reply, dict):
            raise RequestError(
                f"--cluster {address}: {member} cannot run this program ({reply}). Install it there, the same version."
            )
        for name, here in own.items():
            if reply[name] != here:
                raise RequestError(
                    f"--cluster {address}: {member} has {name} {reply[name]}, here it is {here}, so that figures might "
                    "differ. Install the same version there."
                )
    return sum(client.nthreads().values())


def _on_scheduler(client: Client) -> object:
    """Return the versions of the scheduler, or the error: it takes tasks apart, so it needs this package too."""
    try:
        return client.run_on_scheduler(versions)
    except Exception as error:  # whatever the scheduler's own import of this package raises
        return _line(error)


def _worker_errors() -> tuple[type[Exception], ...]:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    return (KilledWorker, FutureCancelledError)


def _line(error: BaseException) -> str:
    """Return the first line of an error, or its kind where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
