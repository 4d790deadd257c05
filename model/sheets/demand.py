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
from model.sheets import containers, logins
from model.sheets.phases import CACHED, LABELS, LOADED, NOUNS, PHASES

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


def known(phase: str) -> Line:
    """Return the IOPS of a desktop in a phase, entered or the profile's; -1 where neither is there."""
    key = f"{phase}_iops_per_desktop"
    return Line(
        f"{phase}_known_iops",
        f"IOPS of a desktop in {LABELS[phase]}",
        "IOPS/desktop",
        f"=IF(OR(COUNT({{in:{key}}},{{base:{key}}})>0,ISNUMBER(INDEX({{profile:iops:{phase}}},{{profile_row}}))),"
        f"{{{key}}},{{unit:code_missing}})",
        "Entered, else the profile's; a blank is not published, never 0",
    )


def _work(phase: str, own: str, method: str) -> tuple[Line, ...]:
    """Return the I/Os of a desktop in a phase and where they come from: own, own IOPS, profile, method."""
    key, iops = f"{phase}_iops_per_desktop", f"{{{phase}_known_iops}}"
    scale = "*{boot_work_ratio}" if phase == "boot" else ""
    column = f"{{method_{method}}}"
    return (
        known(phase),
        Line(
            f"{phase}_measured_ios",
            f"I/Os of {NOUNS[phase]}, from IOPS through a run",
            "I/O/desktop",
            f"=IF(MIN({iops},{{{phase}_run_min}})>0,{iops}*{{{phase}_run_min}}*{{unit:seconds_per_minute}},"
            f"MIN({iops},0-SIGN({iops})))",
            "IOPS x minutes of the run they were measured in; a peak without minutes tells no work",
        ),
        Line(
            f"{phase}_likely_ios",
            f"I/Os of {NOUNS[phase]}, where nobody measured it",
            "I/O/desktop",
            f'=IF({column}>0,{column}{scale},CHOOSE(1+COUNTIF({column},"=-1"),{{unit:code_none}},{{unit:code_missing}}))',
            "Likely value of the method" + (" x its ratio" if scale else "") + "; 0 there = no such work",
        ),
        Line(
            f"{phase}_iops_given",
            f"Own IOPS of {NOUNS[phase]} entered",
            "flag",
            f"=SIGN(COUNT({{in:{key}}},{{base:{key}}}))",
            "1 = not the profile's",
        ),
        Line(
            f"{phase}_fallback_ios",
            f"I/Os of {NOUNS[phase]}, unless entered",
            "I/O/desktop",
            f"=IF(OR({{{phase}_measured_ios}}={{unit:code_missing}},AND({{{phase}_likely_ios}}={{unit:code_none}},"
            f"{{{phase}_iops_given}}=0)),{{{phase}_likely_ios}},{{{phase}_measured_ios}})",
            "As measured, else the method's; none where the method has no such work and no own figure says otherwise",
        ),
        Line(
            f"{phase}_source_row",
            f"Row of the source of {NOUNS[phase]}",
            "count",
            f"=IF({{{own}}}={{unit:code_missing}},1+SIGN(MAX(0,1+MIN({{{phase}_measured_ios}},{{{phase}_fallback_ios}})))*(1+{{{phase}_iops_given}}),"
            "ROWS({work_sources}))",
            "Among those on Provisioning: method, profile, own IOPS, own I/Os",
        ),
        Line(
            f"{phase}_source",
            f"Where the I/Os of {NOUNS[phase]} come from",
            "text",
            f"=INDEX({{work_sources}},{{{phase}_source_row}})",
            "Own I/Os, else own IOPS, else the profile, else the method",
            output=True,
        ),
        Line(
            f"{phase}_work_ios",
            f"I/Os of {NOUNS[phase]}",
            "I/O/desktop",
            f"=IF({{{own}}}={{unit:code_missing}},{{{phase}_fallback_ios}},{{{own}}})",
            "Entered, else the row above",
            output=True,
        ),
    )


def _asked(phase: str, desktops: str, work: str, minutes: str, factor: str = "*{demand_scale_ratio}") -> Line:
    """Return the IOPS a phase asks for: all its work over the minutes in which it comes."""
    return Line(
        f"{phase}_asked_iops" if phase in LOADED else f"{phase}_iops",
        f"IOPS asked in {LABELS[phase]}" if phase in LOADED else f"IOPS in {LABELS[phase]}",
        "IOPS",
        f"=IF({{{work}}}>0,{desktops}*{{{work}}}{factor}/({{unit:seconds_per_minute}}*{{{minutes}}}),{{{work}}})",
        "Desktops x I/Os over those minutes, whatever the array can do",
        output=True,
    )


_BOOT: tuple[Line | Group, ...] = (
    Group("Boot before the logins"),
    *_work("boot", "ios_per_boot", "boot_likely"),
    Line(
        "boot_desktops",
        "Desktops booted before the logins",
        "desktops",
        "={active_desktops}*{preboot_ratio}",
        "Active x share booted",
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
        "=IF({boot_given_min}>MAX({range:boot_throttle_min:boot_together_min}),"
        '"set the start rate to "&TEXT({boot_desktops}/{boot_given_min},"0")&" a minute","nothing")',
        "Minutes wanted slow no broker: the start rate does",
        output=True,
    ),
    Line(
        "boot_desktop_iops",
        "IOPS issued in boot",
        "IOPS",
        "=MAX(0,{boot_work_ios})*{boot_desktops}*{demand_scale_ratio}/({unit:seconds_per_minute}*{boot_divide_min})",
        "As the desktops issue them; 0 while unknown",
    ),
    _asked("boot", "{boot_desktops}", "boot_ios", "boot_divide_min", ""),
)

_LOGOFF: tuple[Line | Group, ...] = (
    Group("Log-off"),
    known("logoff"),
    Line(
        "logoff_measured_ios",
        "I/Os of a log-off, from IOPS through a run",
        "I/O/desktop",
        "=IF({logoff_known_iops}>0,{logoff_known_iops}*{unit:seconds_per_minute}"
        "*CHOOSE(1+SIGN({logoff_run_min}),{logoff_window_min},{logoff_run_min}),{logoff_known_iops})",
        "IOPS x minutes of their run, else of the window",
    ),
    Line(
        "logoff_work_ios",
        "I/Os of a log-off",
        "I/O/desktop",
        "=IF({ios_per_logoff}>0,{ios_per_logoff},{logoff_measured_ios})",
        "Entered, else the row above",
        output=True,
    ),
    Line(
        "logoff_asked_iops",
        "IOPS asked in log-off",
        "IOPS",
        "=IF({logoff_work_ios}<0,{logoff_work_ios},{active_desktops}*{logoff_work_ios}*{demand_scale_ratio}"
        "/({unit:seconds_per_minute}*{logoff_window_min})+{container_here}*{container_signout_load})",
        "Desktops x I/Os over the window, whatever the array can do, and sign-outs of containers on it",
        output=True,
    ),
)

_PATCHING: tuple[Line | Group, ...] = (
    Group("Patching"),
    *_work("patching", "ios_per_patch", "patch_ios"),
    Line(
        "patching_throttle_min",
        "Minutes by streams, delay and tail",
        "min",
        "={provisioned_desktops}/{patch_streams}*{patch_delay_s}/{unit:seconds_per_minute}+{patch_tail_min}",
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
        "=MAX(0,{patch_wanted_min}-{patch_tail_min})*{unit:seconds_per_minute}*{patch_streams}/{provisioned_desktops}",
        "Minutes wanted less the tail, over the starts of a stream; 0 = none wanted",
    ),
    Line(
        "patching_advice",
        "What the minutes wanted ask of the streams",
        "text",
        '=IF({patch_wanted_min}>{patching_throttle_min},"set the delay to "&TEXT({patching_wanted_s},"0")&" s",'
        '"nothing")',
        "Minutes wanted slow no stream: the delay does",
        output=True,
    ),
    _asked("patching", "{provisioned_desktops}", "patching_work_ios", "patching_divide_min"),
)

_PROVISIONING: tuple[Line | Group, ...] = (
    Group("Provisioning"),
    *_work("provisioning", "ios_per_provisioning", "provision_ios"),
    Line(
        "provisioning_throttle_min",
        "Minutes by the rate of deployment",
        "min",
        "={provisioned_desktops}/{provision_rate_per_min}",
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
        "=IF({provision_wanted_min}>{provisioning_throttle_min},"
        '"set the rate to "&TEXT({provisioned_desktops}/{provision_wanted_min},"0")&" a minute","nothing")',
        "Minutes wanted slow no deployment: the rate does",
        output=True,
    ),
    _asked("provisioning", "{provisioned_desktops}", "provisioning_work_ios", "provisioning_divide_min"),
)

_STEADY: tuple[Line | Group, ...] = (
    Group("Steady work"),
    known("steady"),
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
        *_LOGOFF,
        *_PATCHING,
        *_PROVISIONING,
        Group("Load the arrays see, and what is asked of it"),
        *(_load(phase) for phase in PHASES),
        *containers.MIXES,
    ),
)

TAB = gridwriter.tab("Demand", "What the desktops ask of the arrays: work over time", lambda _: SHEET)
