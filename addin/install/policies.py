"""Policies of Windows that stand between a button in Excel and Python, as far as the registry shows them.

Office: macro settings of a user or of an administrator. Defender: two rules of attack surface reduction, which group
policies and Intune store in different places; what a cloud service adds cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from addin.console import program

Registry = Callable[[str, str], int | str | None]
SHELL_WAY = f"The same commands work from a shell: {program()} --help"
ASK_IT = f"Ask your administrator for an exception. {SHELL_WAY}"
SIGN = "Sign a copy with your organisation's certificate: docs/where.md says how."
CHILD_PROCESSES = (
    "d4f940ab-401b-4efc-aadc-ad5f3c50688a"  # "Block all Office applications from creating child processes"
)
WIN32_CALLS = "92e97fa1-2edf-4476-bdd6-9dd0b4dddc7b"  # "Block Win32 API calls from Office macros"
BLOCK, AUDIT, WARN = 1, 2, 6  # modes of a rule

_OFFICE = r"Software\{}Microsoft\Office\16.0\Excel\Security"
_COMMON = r"Software\Policies\Microsoft\Office\16.0\Common"
_POLICIES = "Policies\\"
_DEFENDER = r"Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
_INTUNE = r"HKLM\SOFTWARE\Policies\Microsoft\Windows Defender\Policy Manager"
_SCRIPT_HOST = r"Software\Microsoft\Windows Script Host\Settings"
_EXCEL = (  # name, values, what it does, what to do; of a user's settings and of an administrator's
    ("VBAWarnings", (4,), "Excel disables all macros without asking", f"Trust Center > Macro Settings. {SHELL_WAY}"),
    ("RequireAddinSig", (1,), "Excel loads signed add-ins only, and this one is not signed", f"{SIGN} {SHELL_WAY}"),
    ("DisableAllAddins", (1,), "Excel loads no add-ins", f"Trust Center > Add-ins. {SHELL_WAY}"),
)
_UNTRUSTED = "the startup folder is not trusted"
_ASKING = {  # what macro settings do where the startup folder is not trusted
    2: "Excel asks before it runs macros: choose Enable Content",
    3: "Excel runs signed macros only, and this add-in is not signed",
}


@dataclass(frozen=True)
class Check:
    """One line: the check, and the remedy, empty if all is in order."""

    text: str
    advice: str = ""

    def __str__(self) -> str:
        return f"problem  {self.text}. {self.advice}" if self.advice else f"ok       {self.text}"


def seen(registry: Registry) -> list[Check]:
    """Return the checks of the policies of Windows; one that all is well where none of them is in the way."""
    checks = [*_office(registry), *_script_host(registry), *_rules(registry)]
    if not any(check.advice for check in checks):
        checks.append(Check("No policy seen that keeps Excel from running the add-in or from starting Python"))
    return checks


def _office(registry: Registry) -> Iterator[Check]:
    keys = [f"HKCU\\{_OFFICE.format(policy)}" for policy in (_POLICIES, "")]
    untrusted = registry(f"HKCU\\{_COMMON}\\Security\\Trusted Locations", "AllowUserLocations") == 0
    if registry(f"HKCU\\{_COMMON}", "VBAOff") == 1:
        yield Check("Office runs no macros at all (VBAOff)", ASK_IT)
    for key in keys:
        for name, bad, text, advice in _EXCEL:
            if registry(key, name) in bad:
                yield Check(f"{text} ({key}, {name})", advice)
        if registry(f"{key}\\Trusted Locations", "AllLocationsDisabled") == 1:
            yield Check("Excel trusts no folder, so the macros of the startup folder do not run", ASK_IT)
            untrusted = True
    warnings = [value for key in keys if isinstance(value := registry(key, "VBAWarnings"), int)]
    if untrusted and warnings and warnings[0] in _ASKING:  # the administrator's comes first
        advice = SIGN if warnings[0] == 3 else "Or have the startup folder trusted."
        yield Check(f"{_ASKING[warnings[0]]}, since {_UNTRUSTED}", f"{advice} {SHELL_WAY}")


def _script_host(registry: Registry) -> Iterator[Check]:
    for root in ("HKLM", "HKCU"):
        if str(registry(f"{root}\\{_SCRIPT_HOST}", "Enabled")) == "0":
            yield Check("Windows Script Host is switched off, so the buttons cannot start Python", ASK_IT)


def _rules(registry: Registry) -> Iterator[Check]:
    children = _mode(registry, CHILD_PROCESSES)
    if children == BLOCK:
        yield Check("Defender keeps Office from starting programs, Python among them", ASK_IT)
    elif children == WARN:
        yield Check("Defender asks before Office starts Python: choose Unblock, then press the button again")
    elif children == AUDIT:
        yield Check("Defender tells your administrator when a button starts Python, and lets it")
    if _mode(registry, WIN32_CALLS) in (BLOCK, AUDIT, WARN):
        yield Check("Defender checks macros for Win32 calls: this add-in makes none")


def _mode(registry: Registry, rule: str) -> int:
    """Return the strictest mode of a rule of Defender that is set; 0 where it is off or not set."""
    found = [registry(f"HKLM\\SOFTWARE\\{policy}{_DEFENDER}", rule) for policy in (_POLICIES, "")]
    found += re.findall(rf"{rule}=(\d+)", str(registry(_INTUNE, "ASRRules") or "").lower())
    modes = {int(value) for value in map(str, found) if value.isdigit()}
    return next((mode for mode in (BLOCK, WARN, AUDIT) if mode in modes), 0)
