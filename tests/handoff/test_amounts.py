"""A text that says an amount in any of five languages is left out; what is technical leaves."""

import pytest

from addin.leaving.about import of_a_price
from addin.leaving.amounts import names_an_amount, says_an_amount
from model.sheets.front.hand_off import typed

MONEY = (
    *("Nachlass 23 % vereinbart", "Skonto 2 %", "30 % off list", "Escompte 9 %; Sconto 8 %; descuento 7 %"),
    *("remise 19 % accordee", "remise 19 % accordée", "84 k per node agreed", "12,5 ct je kWh", "margin 31 %"),
    *("eighty-four thousand a node", "vierundachtzigtausend pro Knoten", "Marge 33 %", "mates rates 35 %"),
    *("concession of 22 %", "knocked down by 27 %", "84k", "84 TUSD", "1.2 m", "1,2 Mio.", "twenty percent agreed"),
    *(
        "84140EUR",
        "84_EUR_each",
        "84 kEUR",
        "CPU load 80 %, agreed 23 %",
        "9.5 a desktop",
        "7/kWh",
        "84 Kilo je Knoten",
    ),
    *(
        "ottantaquattromila",
        "quatre-vingt-quatre mille",
        "ochenta y cuatro mil",
        "nine hundred a seat",
        "vingt pour cent",
    ),
    *("Gebühr 12", "coût 84", "precio 84", "prezzo 84", "Minus 23 Prozent bei Abnahme", "23 % for support and drives"),
    *(
        "a quarter cheaper",
        "two million",
        "84 grand",
        "3.5 per GB",
        "84 Tsd.",
        "27 % on arrays",
        "Listenpreis minus 20",
    ),
    *(
        "ninety grand",
        "agreed thirty below their list",
        "buy three get one free",
        "2 for 1 on shelves",
        "two for one",
    ),
    *("Rack 4, bid 8934", "Bid 87133", "2 spares at 8923 each", "AES-256 (option: 8956 extra)", "option at 8956"),
    *("8956 on top", "Gebot 87133", "offerta 87133", "offre de 87133", "Optional encryption 450"),
)
TECHNICAL = (
    *("4 paths a host, round robin", "RPO 24 h, RTO 4 h, 2026", "120,000 IOPS at 1,024 MB/s", "NVMe/TCP", "30 days"),
    *("Cost centre of the desktop team", "10.120.130.14 and 192.168.100.1, VLAN 2100", "RPO 24 h, RTO 4 h", "NOC"),
    *("RAID-TP or RF 2", "Desktop team", "Old images", "With units: RPO 1 h, RTO 1 h", "iSCSI, FC, NVMe/TCP, NFS, SMB"),
    *("2 x 10 GbE per controller", "8 drives per RAID group", "25 U", "alert at 80 % full", "snapshots kept 14 days"),
    *(
        "4 LUNs of 2 TB",
        "latency below 1 ms",
        "failover tested in 30 s",
        "Auslastung unter 70 %",
        "20 % free",
        "SLA 99.9 %",
    ),
    *(
        "4k random reads",
        "120 k IOPS",
        "64k blocks",
        "5 m OM4 cable",
        "Pilot: 10 % of users, then 500 a week",
        "1500 W",
    ),
    *(
        "two million IOPS",
        "2 thousand desktops",
        "2 HBAs per host",
        "CPU 60 %, cache hit 95 %",
        "70 % read, 30 % write",
    ),
    *(
        "2 power feeds per array",
        "Rack 12, U 20 to 32",
        "hourly, kept 7 days",
        "AES-256, keys on KMIP 1.4",
        "SMB 3.1.1",
    ),
    *(
        "Two replicas a day to site B",
        "warning at 85 % of capacity",
        "Camila, Milan office",
        "TLS 1.3",
        "NFS 4.1, MTU 9000",
    ),
    *(
        "Bill, +44 20 7946 0958",
        "4 links per node",
        "RF 2 on 3 nodes",
        "one spare drive per 30 drives",
        "2 for 1 node of 4",
        "3 for 2 sites",
        "4 for 10 hosts",
        "500 IOPS extra",
        "an extra 500 IOPS on 2 ports",
        "500 extra users in year 2",
        "AES-256 as an option",
        "optional: FC 32 Gbit/s, 128 Gbit/s later",
        "DHCP option 66",
        "4 volumes at 500 GiB each",
        "extra 2000 GiB on site B",
        "City Grand Hotel, floor 2",
        "4 TB per node",
    ),
)


@pytest.mark.parametrize("text", MONEY)
def test_a_text_about_money_is_known(text: str) -> None:
    assert of_a_price(typed("rack"), text, (), ())


@pytest.mark.parametrize("text", TECHNICAL)
def test_a_technical_text_leaves(text: str) -> None:
    assert not of_a_price(typed("rack"), text, (), ())


@pytest.mark.parametrize("repeated", ["1", "1a", "sette", "a% full "])
def test_the_longest_text_of_a_cell_is_read_once(repeated: str) -> None:
    text = repeated * (32_767 // len(repeated))
    assert not says_an_amount(text)


def test_a_bid_in_a_name_is_an_amount() -> None:
    assert names_an_amount("Bid 87133")
    assert not names_an_amount("Option 900, offer B")
