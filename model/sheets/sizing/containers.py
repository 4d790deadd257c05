"""Profile containers: a load of their own, on the desktops' array, on another one of the catalogue, or elsewhere.

A container is attached while its user signs in, works and signs out. Users at work ask for its steady IOPS, those who
sign in or out for more, as long as that takes: active x steady + sign-ins per second x their seconds x IOPS meanwhile.
Boot and patching know no user, so no container. Where nobody entered a figure it is missing, by name, and never 0; the
array that holds containers alone is sized like every other one.
"""

from model.layout import gridwriter, table

SHEET = table.sheet(
    __file__,
    "Containers",
    "An array of their own: the capacity and IOPS it needs. On the desktops' array they are part of "
    "Demand and Capacity",
    title="Profile containers",
)
TAB = gridwriter.tab("Containers", "Profile containers, and an array of their own", lambda _: SHEET)
