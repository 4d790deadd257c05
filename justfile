# What a contributor runs, one line each; `just` alone lists them. PYTHON=... names another environment than .venv.
set windows-shell := ["cmd.exe", "/c"]

python := env("PYTHON", if os_family() == "windows" { ".venv\\Scripts\\python" } else { ".venv/bin/python" })

[private]
default:
    @just --list --unsorted

# The loop while you work: the tests, of all rooms or one such as tests/kernel, that need no office and little time.
fast *paths:
    {{python}} -m pytest -q -n auto --dist loadfile -m "not slow and not office" {{paths}}

# Every test, as CI runs them.
test *options:
    {{python}} -m pytest -n auto --dist loadfile {{options}}

# ruff and mypy, as CI runs them.
lint:
    {{python}} -m ruff check .
    {{python}} -m ruff format --check .
    {{python}} -m mypy

# The workbook, its text twin, the live page and the add-ins, into templates/.
build *options:
    {{python}} build.py {{options}}

# What tells a built workbook from another: nothing but version, digest and date, or a line for each difference.
same old new="templates/vdi-storage-sizing.xlsx":
    {{python}} -m tests.support.same_workbook {{old}} {{new}}
