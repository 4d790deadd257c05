"""The same bytes from a real Dask cluster as from threads, one of its workers killed in the middle of the run."""

import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest

import addin.simulation.cluster
from addin.errors import RequestError
from addin.shell.main import main
from addin.simulation.cluster import Cluster, cluster
from addin.simulation.montecarlo import simulate
from addin.workbook.book import open_book
from tests.simulation.test_joint_rows import MIXES, RATIOS, measured
from tests.support import needed
from tests.support.dask_cluster import WAIT, scheduler, worker
from tests.support.reports import as_json
from tests.support.small_workbook import UNIFORM, save

ROOT = Path(__file__).resolve().parents[2]
TRIALS = 1 << 21  # 128 chunks, several tasks for each worker


@pytest.fixture(autouse=True)
def distributed() -> None:
    """Skip without the package; on CI that is a failure."""
    needed.package("distributed", "cluster")
    addin.simulation.cluster.sources.cache_clear()  # of a tree that is being worked on


@pytest.fixture
def known(tmp_path: Path) -> Path:
    results = {"sum": "={x}+{y}", "share": "=1/ROUNDDOWN({x}*4,0)", "part": "={x}*4+{y}"}
    return save(tmp_path / "known.xlsx", {"x": UNIFORM, "y": UNIFORM}, results, {("x", "y"): 0.5})


def killed_when_busy(executor: Cluster, victim: subprocess.Popen[bytes], stuck: list[int]) -> None:
    """Kill a frozen worker as soon as chunks are assigned to it: those are lost for certain."""
    (address,) = (a for a, about in executor.client.scheduler_info()["workers"].items() if about["name"] == "victim")
    end = time.monotonic() + WAIT
    while time.monotonic() < end and not stuck:
        count = len(executor.client.processing()[address])
        stuck += [count] * (count > 0)
        time.sleep(0.05)
    victim.kill()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_a_killed_worker_changes_no_byte(known: Path, tmp_path: Path) -> None:
    book = open_book(known)
    expected = as_json(book, simulate(book, TRIALS, seed=7, workers=2))
    stuck: list[int] = []
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        victim = worker(stack, tmp_path, address, "victim")
        worker(stack, tmp_path, address, "other")
        executor = stack.enter_context(cluster(address))
        executor.client.wait_for_workers(2, timeout=WAIT)
        killers: list[Thread] = []
        seen: list[int] = []

        def progress(done: int, total: int) -> None:
            seen.append(done)
            if not killers:
                assert done < total
                victim.send_signal(signal.SIGSTOP)
                killers.append(Thread(target=killed_when_busy, args=(executor, victim, stuck)))
                killers[0].start()

        actual = as_json(book, simulate(book, TRIALS, seed=7, executor=executor, workers=4, progress=progress))
        killers[0].join()
        assert [about["name"] for about in executor.client.scheduler_info()["workers"].values()] == ["other"]
    assert stuck, "no chunk was on the worker that was killed"
    assert seen == sorted(seen)
    assert seen[-1] == TRIALS
    assert actual == expected


@pytest.mark.slow
def test_the_command_on_a_cluster_prints_what_it_prints_on_threads(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        worker(stack, tmp_path, address, "one")
        arguments = ["simulate", str(known), "--trials", "131072", "--json"]
        assert main([*arguments, "--cluster", address]) == 0
        assert main(arguments) == 0
        first, second = capsys.readouterr().out.split("\n}\n{\n")
        assert "{\n" + second == first + "\n}\n"
        monkeypatch.setattr("numpy.__version__", "1.0")
        line = error([*arguments, "--cluster", address], capsys)
        assert f"--cluster {address}: the scheduler has numpy " in line
        assert line.endswith("here it is 1.0, so that figures might differ. Install the same version there.\n")


@pytest.mark.slow
def test_joint_rows_on_a_cluster_give_the_bytes_of_threads(tmp_path: Path) -> None:
    """Each trial has phases, read share and block size of one row of Measured, wherever it is computed."""
    book = measured(RATIOS, mixes=MIXES)
    keys = ("arrays_required", "login_iops")
    expected = as_json(book, simulate(book, 1 << 17, seed=3, workers=2, outputs=keys))
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        for name in ("one", "two"):
            worker(stack, tmp_path, address, name)
        executor = stack.enter_context(cluster(address))
        executor.client.wait_for_workers(2, timeout=WAIT)
        actual = as_json(book, simulate(book, 1 << 17, seed=3, executor=executor, workers=4, outputs=keys))
    assert actual == expected


def test_the_job_travels_once_and_a_task_is_small() -> None:
    sent: list[tuple[object, ...]] = []

    class Recorded:
        """A client that writes down what it is asked to send."""

        def get_executor(self, **_: object) -> "Recorded":
            return self

        def submit(self, *arguments: object, **_: object) -> str:
            sent.append(arguments)
            return f"task {len(sent)}"

    from addin.simulation.chunks import run_chunks
    from addin.simulation.sampling import Dimensions, plan
    from addin.simulation.trials import Job, Model

    model = Model("", {}, {f"name {n}": "cell" for n in range(10_000)}, (), frozenset(), (), (), {}, {})
    job = Job(model, (), (), None, Dimensions(), plan(1024), 1, "sobol")
    executor = Cluster(Recorded(), 1)  # type: ignore[arg-type]  # as much of a client as it uses
    for number in range(3):
        executor.submit(run_chunks, job, number, number + 1)
    (unpack, packed), *chunks = sent
    assert callable(unpack)
    assert unpack(packed).model == model
    assert chunks == [(run_chunks, "task 1", number, number + 1) for number in range(3)]
    assert all(len(pickle.dumps(chunk)) < 200 for chunk in chunks)


def test_the_digest_covers_every_module_that_computes_a_chunk() -> None:
    modules = "addin.computing.formualizer_engine, addin.simulation.chunks, addin.simulation.native.loop"
    script = f"import {modules}, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    names = {name for name in done.stdout.split() if name.startswith("addin.") and name.count(".") > 1}
    chunk = {f"addin.simulation.{name}" for name in addin.simulation.cluster.COMPUTING}
    whole_folders = ("addin.kernel.", "addin.computing.", "addin.simulation.native")
    assert {name for name in names if not name.startswith(whole_folders)} == chunk


def error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that cannot be met, return its one line."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere.invalid:8786", "127.0.0.1", "moon://base:1", ""])
def test_an_address_that_does_not_answer_is_one_line(
    known: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(addin.simulation.cluster, "PATIENCE", 1)
    line = error(["simulate", str(known), "--cluster", address], capsys)
    assert line.startswith(f"error: --cluster {address}: no Dask scheduler answers within 1 s (")
    assert line.endswith("Give its address, such as tcp://host:8786.\n")


def test_a_port_that_takes_the_call_and_says_nothing_is_one_line_in_seconds(
    known: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addin.simulation.cluster, "PATIENCE", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        start = time.monotonic()
        line = error(["simulate", str(known), "--cluster", address], capsys)
        assert time.monotonic() - start < 10
    assert line.startswith(f"error: --cluster {address}: no Dask scheduler answers within 1 s (")


@pytest.mark.slow
def test_a_cluster_without_workers_is_one_line(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addin.simulation.cluster, "PATIENCE", 2)
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        line = error(["simulate", str(known), "--cluster", address], capsys)
    assert line == f"error: --cluster {address}: no worker within 2 s. Start one: dask worker {address}.\n"


@pytest.mark.slow
def test_a_scheduler_that_ends_in_the_middle_is_one_line(known: Path, tmp_path: Path) -> None:
    book = open_book(known)
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path)
        worker(stack, tmp_path, address, "one")
        with pytest.raises(RequestError, match="the scheduler was lost during the run"), cluster(address) as executor:
            simulate(book, TRIALS, executor=executor, progress=lambda done, total: stack.close())


def test_without_the_extra_the_line_says_what_to_install(
    known: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = error(["simulate", str(known), "--cluster", "tcp://127.0.0.1:1"], capsys)
    assert line == "error: --cluster needs the package distributed. Install the extra: pip install -e '.[cluster]'.\n"


def test_threads_of_this_machine_and_a_cluster_exclude_each_other(
    known: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = error(["simulate", str(known), "--cluster", "tcp://127.0.0.1:1", "--workers", "2"], capsys)
    assert line.startswith("error: --workers: counts threads of this machine")


def certificates(folder: Path) -> tuple[Path, Path, Path]:
    """Write an authority, a certificate for 127.0.0.1 and its key, and return the files."""
    ca, ca_key, cert, key, asked = (folder / name for name in ("ca.pem", "ca.key", "cert.pem", "key.pem", "asked.pem"))
    program = needed.program("openssl", "openssl")
    new = "req -newkey rsa:2048 -nodes -subj /CN=cluster -addext subjectAltName=IP:127.0.0.1 -keyout"
    steps = (
        f"{new} {ca_key} -x509 -days 2 -out {ca}",
        f"{new} {key} -out {asked}",
        f"x509 -req -days 2 -copy_extensions copy -CA {ca} -CAkey {ca_key} -CAcreateserial -in {asked} -out {cert}",
    )
    for step in steps:
        subprocess.run([program, *step.split()], check=True, capture_output=True)
    return ca, cert, key


@pytest.mark.slow
def test_a_cluster_with_tls_takes_who_shows_its_certificate_and_nobody_else(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ca, cert, key = certificates(tmp_path)
    tls = ("--tls-ca-file", str(ca), "--tls-cert", str(cert), "--tls-key", str(key))
    files = ["--cluster-ca", str(ca), "--cluster-cert", str(cert), "--cluster-key", str(key)]
    with ExitStack() as stack:
        address = scheduler(stack, tmp_path, "--protocol", "tls", *tls)
        worker(stack, tmp_path, address, "one", *tls)
        assert address.startswith("tls://")
        assert main(["simulate", str(known), "--trials", "1024", "--cluster", address, *files]) == 0
        capsys.readouterr()
        line = error(["simulate", str(known), "--cluster", address], capsys)
    assert line == f"error: --cluster {address}: needs a certificate. Give --cluster-ca and --cluster-cert.\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--cluster tls://h:1 --cluster-ca CA", "--cluster-ca: needs --cluster-cert too. Give the authority's file"),
        ("--cluster tls://h:1 --cluster-key CA", "--cluster-key: needs --cluster-ca too."),
        ("--cluster-ca CA --cluster-cert CA", "--cluster-ca, --cluster-cert, --cluster-key: are of a cluster."),
        ("--cluster tcp://h:1 --cluster-ca CA --cluster-cert CA", "--cluster tcp://h:1: is not encrypted."),
        ("--cluster tls://h:1 --cluster-ca none --cluster-cert CA", "--cluster-ca none: cannot be read ("),
        ("--cluster tls://h:1 --cluster-ca CA --cluster-cert CA", "CA: no certificate and key in PEM format ("),
    ],
)
def test_files_of_tls_that_cannot_be_used_are_one_line(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str, said: str
) -> None:
    (tmp_path / "ca.pem").write_text("no certificate", "utf-8")
    words = [str(tmp_path / "ca.pem") if word == "CA" else word for word in given.split()]
    assert said.replace("CA:", f"{tmp_path / 'ca.pem'}:") in error(["simulate", str(known), *words], capsys)
