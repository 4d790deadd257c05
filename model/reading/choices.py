"""The words of each list that cells choose from, by the name the workbook gives it, and the user's own rows."""

WHATIFS = 7
CASE_HEADINGS = ("Base design", *(f"What-if {n}" for n in range(1, WHATIFS + 1)))
OWN_ARRAYS = tuple(f"My array {n}" for n in range(1, 7))
OWN_PROFILES = tuple(f"My profile {n}" for n in range(1, 8))  # one for all desktops, six for types of them
GROUP_ROWS = tuple(f"Group {n}" for n in range(1, 7))
MIX = "User groups"  # the profile that is made of them, and the method
OWN_METHODS = ("My method 1", "My method 2")
OWN_CACHES = ("My cache 1", "My cache 2")
OWN_SHARES = ("My share 1", "My share 2")
OWN = frozenset((*OWN_ARRAYS, *OWN_PROFILES, *OWN_METHODS, *OWN_CACHES, *OWN_SHARES))
CAPACITIES = ("raw", "usable", "effective")
# what methods count as, and profiles were measured under: linked and instant clones are MCS by their work
FAMILIES = ("MCS", "PVS", "full clone", "user data share")
ON_CLOUD_SHARE, COUNTED, AT_ONCE = "on a cloud share", "counted", "all at once"
COPIED = "yes, copies counted"
LISTED, ZONES = "dated list prices", "ZRS"
STANDARD_SSD, EPHEMERAL = "Azure Standard SSD", "ephemeral"
DISK_FAMILIES = ("Azure Premium SSD", STANDARD_SSD)  # of disk_tiers.csv
WORDS = {  # choices that no catalogue holds: heading and words
    "yes_no": ("Answers", ("no", "yes")),
    "copy_choices": ("Data is on another array too", ("no", "yes", COPIED)),
    "shapes": ("Arrivals in the login window", ("uniform", "normal")),
    "failure_names": ("What a failure takes away", ("none", "controller", "node", "array")),
    "survive_names": (
        "What must still run after one failure",
        ("users at work", "work without the login storm", "everything"),
    ),
    "older_choices": ("Older arrays in the comparison", ("until a card is filled", "always", "never")),
    "support_bases": ("Support is a share of the", ("net price", "list price")),
    "growth_timings": ("Timing of growth", ("through the year", "on 1 January")),
    "operations": ("What a deployment does", ("new desktops", "refresh", "recompose", "rebalance")),
    "container_places": (
        "Where profile containers stand",
        ("none", "this array", "another array", "elsewhere", ON_CLOUD_SHARE),
    ),
    "credit_choices": ("Burst credits of a cloud share or disk", ("not counted", COUNTED)),
    "signin_choices": ("Sign-ins on a cloud share", ("over the login window", AT_ONCE)),
    "price_bases": ("Prices of a cloud share", ("typed prices", LISTED)),
    "redundancies": ("Redundancy of a cloud share", ("LRS", ZONES)),
    "disk_places": ("Where the machines' disks stand", ("this array", *DISK_FAMILIES, EPHEMERAL)),
    "work_sources": (
        "Where the I/Os of a desktop come from",
        ("method, assumed", "profile's IOPS x minutes", "own IOPS x minutes", "own I/Os"),
    ),
    "reference_names": ("Performance capacity is full at", ("full utilisation", "the knee", "the latency limit")),
    "families": ("Profiles are measured under", FAMILIES),
}
LISTS: dict[str, tuple[str, tuple[str, ...]]] = {  # list: the data file whose names it holds, and further words
    "Tbl_Arrays": ("arrays", OWN_ARRAYS),
    "Tbl_Profiles": ("profiles", (*OWN_PROFILES, MIX)),
    "Tbl_Measured": ("profiles", OWN_PROFILES),
    "Tbl_Methods": ("methods", (*OWN_METHODS, MIX)),
    "Tbl_OneMethod": ("methods", OWN_METHODS),
    "Tbl_Caches": ("caches", OWN_CACHES),
    "Tbl_Hypervisors": ("hypervisors", ()),
    "Tbl_Encryption": ("encryption", ()),
    "Tbl_Shares": ("container_shares", ()),
    "Tbl_Services": ("share_services", OWN_SHARES),
    "Tbl_Regions": ("share_prices", ()),
    "Tbl_Raid": ("raid", ()),
    "Tbl_Classes": ("classes", ()),
    "Tbl_Cases": ("cases", CASE_HEADINGS),
    "Tbl_Designs": ("", CASE_HEADINGS),
    "Tbl_Capacities": ("", CAPACITIES),
    "Tbl_YesNo": ("", WORDS["yes_no"][1]),
    "Tbl_Copies": ("", WORDS["copy_choices"][1]),
    "Tbl_Shapes": ("", WORDS["shapes"][1]),
    "Tbl_Failures": ("", WORDS["failure_names"][1]),
    "Tbl_Survive": ("", WORDS["survive_names"][1]),
    "Tbl_Older": ("", WORDS["older_choices"][1]),
    "Tbl_Bases": ("", WORDS["support_bases"][1]),
    "Tbl_Families": ("", FAMILIES),
    "Tbl_Timings": ("", WORDS["growth_timings"][1]),
    "Tbl_Operations": ("", WORDS["operations"][1]),
    "Tbl_Places": ("", WORDS["container_places"][1]),
    "Tbl_Credits": ("", WORDS["credit_choices"][1]),
    "Tbl_Signins": ("", WORDS["signin_choices"][1]),
    "Tbl_PriceBases": ("", WORDS["price_bases"][1]),
    "Tbl_Redundancies": ("", WORDS["redundancies"][1]),
    "Tbl_References": ("", WORDS["reference_names"][1]),
    "Tbl_Disks": ("", WORDS["disk_places"][1]),
}
FIELD_LISTS = {  # an attribute of an array that takes one of a list's words
    "capacity_kind": "Tbl_Capacities",
    "array_class": "Tbl_Classes",
    "failover_kind": "Tbl_Failures",
    "price_basis": "Tbl_Bases",
    "price_covers_hosts": "Tbl_YesNo",
    "raid": "Tbl_Raid",
    "tier2_raid": "Tbl_Raid",
}
