"""`python -m addin install | uninstall | doctor`: the add-in in Excel and in Calc; none of them takes a workbook."""

from __future__ import annotations

import argparse

from addin.console import program

NAMES = ("install", "uninstall", "doctor")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the three commands to a command line."""
    text = "Put the ribbon add-in where Excel loads it, or the Calc extension into LibreOffice."
    sub = commands.add_parser("install", help=text, description=text, epilog=f"example: {program()} install --calc")
    sub.add_argument("--calc", action="store_true", help="the extension of LibreOffice Calc instead of Excel's add-in")
    text = "Remove what install made, and nothing else."
    commands.add_parser("uninstall", help=text, description=text, epilog=f"example: {program()} uninstall")
    text = "Check Python, packages, folders, policies and LibreOffice: a line each; exit 1 when something is wrong."
    commands.add_parser("doctor", help=text, description=text, epilog=f"example: {program()} doctor")


def run(options: argparse.Namespace) -> int:
    """Run one of the three and print its lines. Raises InstallError on failure."""
    from addin.install.doctor import examine
    from addin.install.install import install_calc, install_excel, uninstall
    from addin.install.machine import this_machine

    machine = this_machine()
    if options.command == "doctor":
        checks = examine(machine)
        print("\n".join(map(str, checks)))
        return 1 if any(check.advice for check in checks) else 0
    if options.command == "install":
        lines = install_calc(machine) if options.calc else install_excel(machine)
    else:
        lines = uninstall(machine)
    print("\n".join(lines))
    return 0
