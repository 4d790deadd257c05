"""What is installed works: the wheel alone in an empty folder, and lock files that anyone can install from."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest

from model.provenance import provenance

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
PACKED = [path for path in sorted(TEMPLATES.glob("*.*")) if path.suffix != ".txt"]  # not the text twin, of 4 MB
LOCKS = ("requirements.lock", "requirements-fast.lock", "requirements-slides.lock", "requirements-test.lock")
EXTRAS = ("cluster", "fast", "plot", "slides", "test")
LOCKED = list(zip(LOCKS, ((), ("fast",), ("slides",), EXTRAS), strict=True))
PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\$")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command and return what it printed; show everything when it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": ""} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def pins(lock: str) -> set[tuple[str, str]]:
    """Return (name, version) of every pin of a lock file."""
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return {(match[1], match[2]) for line in lines if (match := PINNED.match(line))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the sources, built with the pinned setuptools and without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    for name in names:
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    run(*pip, "--wheel-dir", folder, source, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds nothing but the installed wheel."""
    folder = tmp_path_factory.mktemp("installed") / "packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    run(*pip, "--target", folder, wheel, cwd=folder.parent)
    return folder


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with nothing but the wheel and, linked, the packages of requirements.lock."""
    folder = tmp_path_factory.mktemp("empty") / "environment"
    venv.create(folder)
    names = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", names))
    for name in {name for name, _ in pins("requirements.lock")}:
        with suppress(metadata.PackageNotFoundError):  # what another system needs
            package = metadata.distribution(name)
            for top in {file.parts[0] for file in package.files or ()} - {".."}:
                (packages / top).symlink_to(Path(str(package.locate_file(top))))
    programs = Path(sysconfig.get_path("scripts", "venv", names))
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--quiet", "--python", programs / "python"]
    run(*pip, "install", "--no-index", "--no-deps", wheel, cwd=folder)
    run(*pip, "check", cwd=folder)
    return programs


@pytest.mark.slow
def test_the_installed_packages_import_outside_the_checkout(installed, tmp_path):
    script = "import model, addin.kernel; print(model.__file__); print(addin.kernel.__file__)"
    printed = run(sys.executable, "-P", "-c", script, cwd=tmp_path, PYTHONPATH=str(installed)).splitlines()
    assert [Path(line).is_relative_to(installed) for line in printed] == [True, True]


@pytest.mark.slow
def test_the_installed_kernel_finds_its_functions_and_the_model_its_data(installed, tmp_path):
    script = "from addin.kernel import safe_functions; from model.reading.read import read; safe_functions(); read()"
    run(sys.executable, "-P", "-c", script, cwd=tmp_path, PYTHONPATH=str(installed))


@pytest.mark.slow
def test_the_installed_shell_command_shows_its_help(installed, tmp_path):
    printed = run(sys.executable, "-P", "-m", "addin", "--help", cwd=tmp_path, PYTHONPATH=str(installed))
    assert "usage" in printed.lower()


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as package:
        packed = {name for name in package.namelist() if ".dist-info/" not in name}
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "model", "addin", cwd=ROOT)
    modules = {name for name in listed.splitlines() if (ROOT / name).is_file()}
    assert packed == modules | {f"addin/templates/{path.name}" for path in PACKED}


@pytest.mark.slow
def test_the_wheel_holds_the_built_files_to_the_byte(wheel):
    with zipfile.ZipFile(wheel) as package:
        assert [path.name for path in PACKED if package.read(f"addin/templates/{path.name}") != path.read_bytes()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vdi-storage-sizing", "vdi-sizing"])
def test_the_wheel_installs_the_shell_under_the_name_of_the_package_and_the_older_one(empty, tmp_path, name):
    assert run(empty / name, "--help", cwd=tmp_path).startswith(f"usage: {name} ")


@pytest.mark.slow
def test_new_size_simulate_and_handoff_work_from_an_empty_environment_with_the_wheel(empty, tmp_path):
    """Outside the checkout, with the packages of requirements.lock and no others."""
    program = empty / "vdi-storage-sizing"
    new = run(program, "new", "my-deal.xlsx", cwd=tmp_path)
    assert new == "Wrote my-deal.xlsx\nNext: vdi-storage-sizing size my-deal.xlsx --set desktops=2200\n"
    assert (tmp_path / "my-deal.xlsx").read_bytes() == (TEMPLATES / "vdi-storage-sizing.xlsx").read_bytes()
    assert "Arrays required" in run(program, "size", "my-deal.xlsx", "--set", "desktops=2200", cwd=tmp_path)
    simulated = run(program, "simulate", "my-deal.xlsx", "--trials", "1024", "--seed", "1", cwd=tmp_path)
    assert "my-deal.xlsx: 1,024 trials" in simulated
    assert "Hand-off written" in run(program, "handoff", "my-deal.xlsx", cwd=tmp_path, VDI_BROWSER="")
    assert (tmp_path / "my-deal hand-off" / "design.html").is_file()
    refused = subprocess.run([program, "new", "my-deal.xlsx"], cwd=tmp_path, capture_output=True, text=True)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_an_install_finds_the_built_files_and_makes_the_addins_of_templates(empty, tmp_path):
    script = (
        "from pathlib import Path; from addin.diff.since_build import SHIPPED; from addin.leaving.marks import BUILT; "
        "from addin.hosts.calc import make as calc; from addin.hosts.ribbon import make as ribbon; "
        "ribbon.write_ribbon(Path(ribbon.FILE)); calc.write_extension(Path(calc.FILE)); print(SHIPPED); print(BUILT)"
    )
    found = [Path(line) for line in run(empty / "python", "-c", script, cwd=tmp_path).splitlines()]
    assert [(path.parent.parts[-2:], path.name, path.is_file()) for path in found] == [
        (("addin", "templates"), f"vdi-storage-sizing.{kind}", True) for kind in ("xlsx", "marks")
    ]
    for name in ("vdi-sizing.xlam", "vdi-sizing.oxt"):
        assert (tmp_path / name).read_bytes() == (TEMPLATES / name).read_bytes()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_has_hashes_and_says_nothing_of_where_packages_come_from(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    unknown = [
        line
        for line in text.splitlines()
        if line not in ("", "--only-binary llvmlite")
        and not PINNED.match(line)
        and not re.match(r"^    --hash=sha256:\w{64}", line)
    ]
    assert unknown == []
    entries = re.split(r"\n(?=\S)", text.strip().removeprefix("--only-binary llvmlite\n\n"))
    assert [entry.splitlines()[0] for entry in entries if "--hash" not in entry] == []


def test_tests_run_on_the_versions_that_users_install():
    for lock in LOCKS[1:-1]:
        assert pins("requirements.lock") < pins(lock) < pins("requirements-test.lock")


def test_the_fast_lock_adds_llvmlite_alone_where_wheels_exist():
    """No Intel Mac, where the marker leaves it out; no musl, where pip finds no wheel and builds none."""
    assert {name for name, _ in pins("requirements-fast.lock") - pins("requirements.lock")} == {"llvmlite"}
    text = (ROOT / "requirements-fast.lock").read_text(encoding="utf-8")
    assert text.startswith("--only-binary llvmlite\n")
    assert "; platform_machine == 'arm64' or sys_platform != 'darwin' \\" in text


def test_the_lock_of_slides_adds_python_pptx_and_what_it_needs():
    added = {name for name, _ in pins("requirements-slides.lock") - pins("requirements.lock")}
    assert added == {"python-pptx", "pillow", "typing-extensions", "xlsxwriter"}
    text = (ROOT / "requirements-slides.lock").read_text(encoding="utf-8")
    assert re.search(r"^lxml==\S+ \\$", text, re.MULTILINE)  # on every system, not on macOS alone


@pytest.mark.parametrize(("lock", "extras"), LOCKED)
def test_every_declared_dependency_is_pinned(lock, extras):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(item for extra in extras for item in project["optional-dependencies"][extra]),
    ]
    names = {re.split(r"[^A-Za-z0-9-]", item)[0].lower() for item in declared}
    assert names - {name for name, _ in pins(lock)} == set()


@pytest.mark.parametrize("name", ["run", "test"])
def test_readme_has_each_command_once_and_the_same_for_windows(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"<!-- command: {name} -->\n```sh\n(.*?)\n```\n", readme, flags=re.DOTALL)
    assert len(blocks) == 1, f"README.md needs one sh block marked <!-- command: {name} -->, .ci/run runs it"
    steps = blocks[0].replace("\n", " ").split("&&")
    windows = [" ".join(step.replace("python3", "py -3").replace("/bin/", "\\Scripts\\").split()) for step in steps]
    shell = (ROOT / "docs" / "shell.md").read_text(encoding="utf-8")
    assert [line for line in windows if line not in shell] == []


def test_every_file_names_the_version_of_the_newest_entry_of_the_changelog():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    extension = (ROOT / "addin" / "hosts" / "calc" / "description.xml").read_text(encoding="utf-8")
    assert {declared, *re.findall(r'<version value="([^"]+)"', extension)} == {provenance().version}
