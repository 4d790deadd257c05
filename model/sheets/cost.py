"""Cost of the arrays in the design, per desktop, GiB and IOPS. Without a price every result says "enter a quote"."""

from model.line import GridSheet, Group, Line

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
        Group("Results"),
        Line(
            "cost_total",
            "Total cost",
            "USD",
            f"=IF({{array_price}}>0,{{total_usd}},{_QUOTE})",
            "Definition",
            output=True,
        ),
        Line(
            "cost_per_desktop",
            "Cost per desktop",
            "USD/desktop",
            f"=IF({{array_price}}>0,{{total_usd}}/{{provisioned_desktops}},{_QUOTE})",
            "Total over desktops provisioned",
            output=True,
        ),
        Line(
            "cost_usable_gib",
            "Usable capacity paid for",
            "GiB",
            "={usable_gib}*{arrays_used}",
            "Definition",
        ),
        Line(
            "cost_per_usable_gib",
            "Cost per usable GiB",
            "USD/GiB",
            f"=IF({{array_price}}*{{cost_usable_gib}}>0,{{total_usd}}/MAX(1,{{cost_usable_gib}}),{_QUOTE})",
            "Total over usable capacity, no reduction counted",
            output=True,
        ),
        Line(
            "cost_steady_iops",
            "Steady IOPS paid for",
            "IOPS",
            "={supply_steady}*{arrays_used}",
            "Supply of the arrays in the design",
        ),
        Line(
            "cost_per_iops",
            "Cost per steady IOPS",
            "USD/IOPS",
            f"=IF({{array_price}}*{{cost_steady_iops}}>0,{{total_usd}}/MAX(1,{{cost_steady_iops}}),{_QUOTE})",
            "Total over what the arrays can serve of the steady mix",
            output=True,
        ),
    ),
)
