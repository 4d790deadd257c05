"""What an array sized by its data sheet can do: the lines that the desktops' array and one for containers share."""

from model.layout.line import Line


def lines(of: str = "") -> tuple[Line, ...]:
    """Return the lines of the array chosen, or (`of` is "container_") of the containers' array."""
    array = f"{of}array:"
    return (
        Line(
            f"{of}card_iops",
            "IOPS of the data sheet's point, the array fully busy",
            "IOPS",
            f"={{{array}card_iops}}",
            "My arrays: X / (1 - S/L); 0 = no card with IOPS",
        ),
        Line(
            f"{of}card_read_ratio",
            "Read share of that point",
            "ratio",
            f"={{{array}card_read_ratio}}",
            "My arrays; 0 also where there is no card",
        ),
        Line(
            f"{of}array_write_weight",
            "Work of a write, told for the array",
            "ratio",
            f"={{{array}write_weight}}",
            "Fitted, typed on the card or told by its two points; 0 = not told",
        ),
        Line(
            f"{of}flash_write_weight",
            "Work of a write against a read",
            "ratio",
            f"=MAX(1,{{{of}array_write_weight}},"
            f"SIGN({{{of}card_iops}})*(1-SIGN({{{of}array_write_weight}}))*{{write_weight}})",
            "Told for the array, else for a card the assumed one on Inputs",
        ),
        Line(
            f"{of}card_work_iops",
            "Read-equivalent capacity by the data sheet",
            "IOPS",
            f"={{{of}card_iops}}*({{{of}card_read_ratio}}+(1-{{{of}card_read_ratio}})*{{{of}flash_write_weight}})",
            "C = W / rho, W = X (r + (1 - r) w)",
        ),
        Line(
            f"{of}card_planned_ratio",
            "Highest utilisation planned for a card",
            "ratio",
            f"=IF({{{of}card_iops}}>0,MIN({{card_cap_ratio}},{{{array}card_utilisation}}),1)",
            "Never above the IOPS printed; 1 = no card with IOPS",
        ),
    )
