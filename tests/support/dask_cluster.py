"""A Dask cluster on this machine: a scheduler and workers, each a process with this project on its path."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAIT = 30.0  # seconds until a process is up


@contextmanager
def process(log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Dask command with this project on its path, what it prints in a file; killed at the end."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false"}
    with log.open("wb") as out:
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:], "--no-dashboard"]
        started = subprocess.Popen(
            command, cwd=log.parent, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            yield started
        finally:
            started.kill()
            started.wait()


def scheduler(stack: ExitStack, folder: Path, *tls: str) -> str:
    """Start a scheduler on a free port of this machine and return its address."""
    file, log = folder / "scheduler.json", folder / "scheduler.log"
    arguments = ("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file), *tls)
    started = stack.enter_context(process(log, *arguments))
    end = time.monotonic() + WAIT
    while time.monotonic() < end and started.poll() is None:
        if file.is_file() and '"address"' in (text := file.read_text(encoding="utf-8")):
            return text.split('"address": "')[1].split('"')[0]
        time.sleep(0.05)
    raise AssertionError(f"no scheduler:\n{log.read_text(encoding='utf-8')}")


def worker(stack: ExitStack, folder: Path, address: str, name: str, *tls: str) -> subprocess.Popen[bytes]:
    """Start a worker of one thread, without a nanny that would bring it back."""
    arguments = ("dask_worker", address, "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--name", name, *tls)
    return stack.enter_context(process(folder / f"{name}.log", *arguments))
