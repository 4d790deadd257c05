"""Cost of the arrays in the design, per desktop, GiB and IOPS. Without a price every result says "enter a quote"."""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Headline, Line

_QUOTE = '"enter a quote"'

SHEET = GridSheet(
    name="Cost",
    title="Cost",
    purpose="Price of the arrays in the design; a missing price is never counted as zero",
    rows=(
        Group("Price"),
        Line(
            "hardware_usd",
            "Arrays after discount",
            "USD",
            "={arrays_used}*{array_price}*(1-{discount_ratio})",
            "Arrays x price x (1 - discount)",
        ),
        Line(
            "support_usd",
            "Support over the years",
            "USD",
            "={hardware_usd}*{support_ratio}*{years}",
            "Share of the net price per year",
        ),
        Line("total_usd", "Total where a price is known", "USD", "={hardware_usd}+{support_usd}", "Sum"),
        Line(
            "container_usd",
            "Arrays for containers and their support",
            "USD",
            "={container_arrays}*{container_array_price}*(1-{discount_ratio})*(1+{support_ratio}*{years})",
            "As for the desktops' arrays; 0 while a price is missing or none is needed",
        ),
        Line(
            "every_price",
            "Every price is known",
            "flag",
            "=IF(MIN({array_price},{container_array_price}+1-SIGN({container_arrays}))>0,1,0)",
            "Of the desktops' arrays, and of those for containers where there are any",
        ),
        Group("Results"),
        Line(
            "container_cost",
            "Cost of the arrays for containers",
            "USD",
            f"=IF({{container_arrays}}*(1-SIGN({{container_array_price}}))>0,{_QUOTE},{{container_usd}})",
            "0 = no array of their own",
            output=True,
        ),
        Line(
            "cost_total",
            "Total cost",
            "USD",
            f"=IF({{every_price}}>0,{{total_usd}}+{{container_usd}},{_QUOTE})",
            "Desktops' arrays and arrays for containers",
            output=True,
        ),
        Line(
            "cost_per_desktop",
            "Cost per desktop",
            "USD/desktop",
            f"=IF({{every_price}}>0,({{total_usd}}+{{container_usd}})/{{provisioned_desktops}},{_QUOTE})",
            "Total over desktops provisioned",
            output=True,
            headline=Headline(5, "Cost per desktop, USD", "#,##0.00"),
        ),
        Line(
            "cost_per_usable_gib",
            "Cost per usable GiB",
            "USD/GiB",
            f"=IF({{array_price}}*{{usable_gib}}>0,{{total_usd}}/MAX(1,{{usable_gib}}*{{arrays_used}}),{_QUOTE})",
            "Desktops' arrays over their usable capacity, no reduction counted",
            output=True,
        ),
        Line(
            "cost_per_iops",
            "Cost per steady IOPS",
            "USD/IOPS",
            f"=IF({{array_price}}*{{supply_steady}}>0,{{total_usd}}/MAX(1,{{supply_steady}}*{{arrays_used}}),{_QUOTE})",
            "Desktops' arrays over what they can serve of the steady mix",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Cost", "Cost of the arrays in the design", lambda _: SHEET)
