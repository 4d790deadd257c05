"""The phases of a desktop's life as the sheets name them, in their order."""

PHASES = ("provisioning", "boot", "login", "steady", "logoff", "patching")
CACHED = ("boot", "login", "steady")  # host caches touch them
SCHEDULED = "scheduled"  # no part of a desktop's life: a scan or a backup that somebody schedules
SIZED = (*PHASES, SCHEDULED)
TOGETHER = "together"  # no phase of its own: the boot and the logins that meet it
WITH_TOGETHER = (*SIZED, TOGETHER)
MEASURED = PHASES[1:]  # an estate at work shows them; a deployment is no part of its days
MACHINES = ("boot", "patching", "provisioning")  # I/Os of a machine, however many users it has
LISTED = ("logoff", "login", "steady", *MACHINES)  # as phases.csv lists them: lines in this order share formulas
MIXED = tuple(phase for phase in LISTED if phase in MEASURED)  # a joint row has read share and block size of them
PACED = ("provisioning", "boot", "patching")  # may take longer: no user waits for their end
WITH_CONTAINERS = ("login", "steady", "logoff")  # profile containers ask for something in them
LOADED = ("boot", "logoff", "patching", SCHEDULED)  # others may be at work meanwhile
LABELS = {
    "provisioning": "provisioning",
    "boot": "boot",
    "login": "login",
    "steady": "steady work",
    "logoff": "log-off",
    "patching": "patching",
    SCHEDULED: "scheduled load",
    TOGETHER: "boot and logins together",
}
SHORT = {**LABELS, "steady": "steady"}  # in lists of what is missing
JOINT_MIX = {"read_ratio": ("read share", "ratio"), "block_kib": ("block size", "KiB")}  # key: name, unit
NOUNS = {"provisioning": "a deployment", "boot": "a boot", "logoff": "a log-off", "patching": "a patch"}


def joint_heading(phase: str) -> str:
    """Return what heads a phase of the joint rows; its line on Design is found by the same words."""
    return f"{capitalised(LABELS[phase])} of the joint row, ratio"


def joint_mix_heading(phase: str, name: str, unit: str) -> str:
    """Return what heads read share or block size of a phase of the joint rows; Design finds it by the same words."""
    return f"{capitalised(LABELS[phase])}: {name} of the joint row, {unit}"


def capitalised(text: str) -> str:
    """Return a text as it begins a label."""
    return text[0].upper() + text[1:]
