"""Demand: what the desktops ask of the arrays in every phase, whatever the arrays can do.

Demand is work over time. A boot, a patch, a deployment and a log-off cost a desktop a number of I/Os; start throttle,
streams, rates and the time a person wants say in how many minutes they come. Logins follow their arrivals, steady work
runs on. Caches in the hosts take their share off before the array sees it. No array stands in these rows: what it
serves of the demand, and how long that takes, stands on Storms.

A demand below 0 is no number but a word: -1 not published, -2 none (the method has no such work), -3 not run (in that
published test). No formula counts with it: each tests it first.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets import containers, logins, logoff, scheduled, work
from model.sheets.phases import CACHED, LABELS, LOADED, SIZED

_SECOND = "1/{unit:seconds_per_minute}"


def _left(phase: str, kind: str) -> str:
    """Return the share of reads or writes that the host cache leaves to the array: all, once the local disk is full."""
    return f"(1-INDEX({{cache:{phase}_{kind}_offload}},{{cache_row}})*(1-{{local_disk_short}}))"


def _cached(phase: str) -> tuple[Line, ...]:
    """Return what the host cache leaves of a phase, and the read share of that."""
    read = f"{{{phase}_read_ratio}}"
    return (
        Line(
            f"{phase}_reads_left_ratio",
            f"Share of {LABELS[phase]} I/O: reads that reach the array",
            "ratio",
            f"={read}*{_left(phase, 'read')}*(1-{{pvs_cached}})",
            "ICA section 5: what the host cache leaves; a full local disk falls back to the array",
        ),
        Line(
            f"{phase}_reduction_ratio",
            f"Share of {LABELS[phase]} I/O kept off the array",
            "ratio",
            f"=1-{{{phase}_reads_left_ratio}}-(1-{read})*{_left(phase, 'write')}",
            "ICA section 5: neither reads nor writes that are left; size on the cold-cache boot",
            output=True,
        ),
        Line(
            f"{phase}_array_read_ratio",
            f"Read share at the array in {LABELS[phase]}",
            "ratio",
            f"=IF({{{phase}_reduction_ratio}}<1,{{{phase}_reads_left_ratio}}/(1-{{{phase}_reduction_ratio}}),{read})",
            "Reads that are left over all that is left",
        ),
    )


_BOOT: tuple[Line | Group, ...] = (
    Group("Boot before the logins"),
    *work.ios("boot", "ios_per_boot", "boot_likely"),
    Line(
        "boot_desktops",
        "Desktops booted before the logins",
        "desktops",
        "={active_machines}*{preboot_ratio}",
        "Virtual machines in use x share booted",
    ),
    Line(
        "boot_ios",
        "I/Os of one boot that reach the array",
        "I/O/desktop",
        "=IF({boot_work_ios}>0,{boot_work_ios}*{demand_scale_ratio}*(1-{boot_reduction_ratio}),{boot_work_ios})",
        "Scaled like every phase, less what host caches keep",
    ),
    Group("Minutes until the last start, by limit"),
    Line(
        "boot_throttle_min",
        "Start throttle",
        "min",
        "={boot_desktops}/{start_rate_per_min}",
        "Desktops over starts per minute",
    ),
    Line(
        "boot_hosts_min",
        "Hosts",
        "min",
        "=IF({host_start_rate_per_min}>0,{boot_desktops}/({host_start_rate_per_min}"
        "*MAX(1,CHOOSE(1+SIGN({hosts}),{hosts_required},{hosts}))),0)",
        "Desktops over starts of all hosts; 0 = no limit",
    ),
    Line(
        "boot_together_min",
        "Starts at once",
        "min",
        "=IF({starts_at_once}>0,{boot_desktops}*{boot_tail_min}/{starts_at_once},0)",
        "Desktops x time of one boot over those that start together; 0 = no limit",
    ),
    Line(
        "boot_given_min",
        "Minutes wanted",
        "min",
        "={boot_wanted_min}",
        "As entered; 0 = none",
    ),
    Line(
        "boot_divide_min",
        "Minutes in which the boots come",
        "min",
        f"=MAX({{range:boot_throttle_min:boot_given_min}},{{boot_tail_min}},{_SECOND})",
        "The slowest; at least one boot, and a second. The last boot is not added: its work began before",
        output=True,
    ),
    Line(
        "boot_advice",
        "What the minutes wanted ask of the broker",
        "text",
        '=IF({boot_given_min}>0,"set the start rate to "&TEXT({boot_desktops}/{boot_given_min},"0")&" a minute",'
        '"nothing")',
        "Minutes wanted neither slow nor hurry a broker: the start rate does",
        output=True,
    ),
    Line(
        "boot_unmet",
        "Fewer minutes are wanted than the boot takes",
        "flag",
        "=SIGN({boot_given_min}*MAX(0,ROUND(MAX({range:boot_throttle_min:boot_together_min})-{boot_given_min},1)))",
        "Throttle, hosts or starts at once are slower, by a tenth of a minute or more",
    ),
    Line(
        "boot_desktop_iops",
        "IOPS issued in boot",
        "IOPS",
        "=MAX(0,{boot_work_ios})*{boot_desktops}*{demand_scale_ratio}/({unit:seconds_per_minute}*{boot_divide_min})",
        "As the desktops issue them; 0 while unknown",
    ),
    work.asked("boot", "{boot_desktops}", "boot_ios", "boot_divide_min", ""),
)

_PATCHING: tuple[Line | Group, ...] = (
    Group("Patching"),
    *work.ios("patching", "ios_per_patch", "patch_ios"),
    Line(
        "patching_throttle_min",
        "Minutes by streams, delay and tail",
        "min",
        "={virtual_machines}/{patch_streams}*{patch_delay_s}/{unit:seconds_per_minute}+{patch_tail_min}",
        "NTP 6.6: starts of a stream, then the tail; its I/Os were counted through both",
    ),
    Line(
        "patching_divide_min",
        "Minutes in which the patches come",
        "min",
        f"=MAX({{patching_throttle_min}},{{patch_wanted_min}},{_SECOND})",
        "The longer of streams and minutes wanted",
        output=True,
    ),
    Line(
        "patching_wanted_s",
        "Delay that fills the minutes wanted",
        "s",
        "=MAX(0,{patch_wanted_min}-{patch_tail_min})*{unit:seconds_per_minute}*{patch_streams}/{virtual_machines}",
        "Minutes wanted less the tail, over the starts of a stream; 0 = none wanted",
    ),
    Line(
        "patching_advice",
        "What the minutes wanted ask of the streams",
        "text",
        '=IF({patch_wanted_min}>0,"set the delay to "&TEXT({patching_wanted_s},"0")&" s","nothing")',
        "Minutes wanted neither slow nor hurry a stream: the delay does",
        output=True,
    ),
    Line(
        "patching_unmet",
        "Fewer minutes are wanted than the patching takes",
        "flag",
        "=SIGN({patch_wanted_min}*MAX(0,ROUND({patching_throttle_min}-{patch_wanted_min},1)))",
        "Streams, delay and tail are slower, by a tenth of a minute or more",
    ),
    work.asked("patching", "{virtual_machines}", "patching_work_ios", "patching_divide_min"),
)

_PROVISIONING: tuple[Line | Group, ...] = (
    Group("Provisioning"),
    *work.ios("provisioning", "ios_per_provisioning", "provision_ios"),
    Line(
        "provisioning_throttle_min",
        "Minutes by the rate of deployment",
        "min",
        "={virtual_machines}/{provision_rate_per_min}",
        "Without the preparation, which copies nothing per desktop",
    ),
    Line(
        "provisioning_divide_min",
        "Minutes in which the deployments come",
        "min",
        f"=MAX({{provisioning_throttle_min}},{{provision_wanted_min}},{_SECOND})",
        "The longer of rate and minutes wanted",
        output=True,
    ),
    Line(
        "provisioning_advice",
        "What the minutes wanted ask of the deployment",
        "text",
        "=IF({provision_wanted_min}>0,"
        '"set the rate to "&TEXT({virtual_machines}/{provision_wanted_min},"0")&" a minute","nothing")',
        "Minutes wanted neither slow nor hurry a deployment: the rate does",
        output=True,
    ),
    Line(
        "wanted_unmet",
        "Fewer minutes are wanted than rates and delays allow",
        "flag",
        "=SIGN({boot_unmet}+{patching_unmet}"
        "+{provision_wanted_min}*MAX(0,ROUND({provisioning_throttle_min}-{provision_wanted_min},1)))",
        "Of boot, patching or deployment; a check says so",
    ),
    work.asked("provisioning", "{virtual_machines}", "provisioning_work_ios", "provisioning_divide_min"),
)

_STEADY: tuple[Line | Group, ...] = (
    Group("Steady work"),
    work.known("steady"),
    Line(
        "steady_desktop_iops",
        "IOPS issued in steady work",
        "IOPS",
        "=IF({steady_known_iops}>0,{active_desktops}*{steady_known_iops}*{demand_scale_ratio},{steady_known_iops})",
        "Per active desktop, as the desktops issue them",
    ),
    Line(
        "steady_iops",
        "IOPS in steady work",
        "IOPS",
        "=IF({steady_desktop_iops}<0,{steady_desktop_iops},{steady_desktop_iops}*(1-{steady_reduction_ratio})"
        "+{container_steady_part})",
        "What reaches the array, whatever it can do, with the containers on it",
        output=True,
    ),
    Line(
        "working_iops",
        "Steady work that storms meet",
        "IOPS",
        "=MAX({container_steady_part},{steady_iops})",
        "Containers alone while steady work is unknown: it is listed as unchecked",
    ),
)


def _load(phase: str) -> Line:
    """Return the load the array sees in a phase, what is asked and those at work; asked is all where nobody else is."""
    asked, share = f"{{{phase}_asked_iops}}", f"{{{phase}_active_ratio}}"
    if phase not in LOADED:
        text, basis = f"IOPS asked in {LABELS[phase]}", "The load: nobody else is at work"
        return Line(f"{phase}_asked_iops", text, "IOPS", f"={{{phase}_iops}}", basis, output=True)
    return Line(
        f"{phase}_iops",
        f"IOPS in {LABELS[phase]}",
        "IOPS",
        f"=IF({asked}<0,{asked},{asked}+{share}*{{working_iops}})",
        "Asked, and the steady work of those active meanwhile",
        output=True,
    )


SHEET = GridSheet(
    name="Demand",
    title="Demand",
    purpose="What the desktops ask of the arrays phase by phase: work over the time in which it comes",
    rows=(
        Group("Desktops"),
        Line(
            "active_desktops",
            "Desktops active together",
            "desktops",
            "={provisioned_desktops}*{concurrent_ratio}",
            "Definition",
            output=True,
        ),
        Line(
            "active_machines",
            "Virtual machines in use",
            "count",
            "={virtual_machines}*{concurrent_ratio}",
            "All of them x share of users active",
            output=True,
        ),
        Line(
            "pvs_cached",
            "The image fits a PVS server's memory",
            "flag",
            "=IF(AND({pvs_server_ram_gib}>={image_gib},{image_gib}*INDEX({method:image_per_pool},{method_row})>0),1,0)",
            "EQL section 5.2: 16 GB did not hold 25 GB; 1 = no read of it reaches the array",
            output=True,
        ),
        Group("What host caches leave"),
        *(line for phase in CACHED for line in _cached(phase)),
        *containers.WORK,
        *_STEADY,
        *_BOOT,
        *logins.ROWS,
        *logoff.ROWS,
        *_PATCHING,
        *_PROVISIONING,
        *scheduled.ROWS,
        Group("Load the arrays see, and what is asked of it"),
        *(_load(phase) for phase in SIZED),
        *logoff.MIXES,
        *containers.MIXES,
    ),
)

TAB = gridwriter.tab("Demand", "What the desktops ask of the arrays: work over time", lambda _: SHEET)
