"""What a design costs over years, as a list of dated payments: plain Python that shares no formula with the workbook.

A purchase is a vintage: it carries its price, its support, its end of life and what it is sold for. Nothing here sizes:
how many arrays and hosts every year needs is given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.support.input_sets import Value

HOURS_PER_YEAR, W_PER_KW, MONTHS = 8760.0, 1000.0, 12.0
BOUGHT = ("arrays", "installation", "hosts", "resale")  # what is bought and sold; the rest is running cost


@dataclass(frozen=True)
class Kind:
    """Arrays of one kind: how many each year needs, what one costs today, years of support in that price."""

    needed: Sequence[int]
    price: float
    included: float


@dataclass(frozen=True)
class Payment:
    """An amount of one line, `when` years after the first day; what is received is negative."""

    line: str
    when: float
    amount: float


@dataclass
class Flow:
    """What is paid over the years, and the purchases behind it, a dict of year and arrays for each kind."""

    rate: float
    years: int
    payments: list[Payment] = field(default_factory=list)
    bought: list[dict[int, int]] = field(default_factory=list)
    owned: list[list[int]] = field(default_factory=list)

    def total(self, *lines: str) -> float:
        """Return what is paid for some lines, or for all."""
        return sum(each.amount for each in self.payments if not lines or each.line in lines)

    @property
    def npv(self) -> float:
        """Return the value on the first day."""
        return sum(each.amount / (1 + self.rate) ** each.when for each in self.payments)

    @property
    def equal_yearly_cost(self) -> float:
        """Return the payment at the start of every year that is worth as much: the annuity due of the textbooks."""
        if self.rate == 0:
            return self.npv / self.years
        in_arrears = self.npv * self.rate / (1 - (1 + self.rate) ** -self.years)
        return in_arrears / (1 + self.rate)

    def paid_in(self, year: int) -> float:
        """Return what is paid from the first to the last day of a year."""
        return sum(each.amount for each in self.payments if (each.line in ADVANCE and each.when == year - 1)
                   or (each.line not in ADVANCE and each.when == year))  # fmt: skip


ADVANCE = ("arrays", "support", "installation", "hosts", "licences")


def purchases(needed: Sequence[int], life: int, years: int) -> tuple[dict[int, int], list[int]]:
    """Return what is bought in each year, and how many are owned in it: every array leaves when its life is over."""
    bought: dict[int, int] = {}
    owned: list[int] = []
    for year in range(1, years + 1):
        alive = sum(count for vintage, count in bought.items() if year < vintage + life)
        if needed[year - 1] > alive:
            bought[year] = needed[year - 1] - alive
            alive = needed[year - 1]
        owned.append(alive)
    return bought, owned


def flow(money: Mapping[str, Value], kinds: Sequence[Kind], hosts: Sequence[int], desktops: Sequence[float]) -> Flow:
    """Return what is paid: `money` are the inputs as they are typed, None where one is blank."""

    def typed(key: str) -> float:
        value = money[key]
        return float(value) if isinstance(value, int | float) else 0.0

    years, life = int(typed("years")), int(typed("array_life_years"))
    made = Flow(typed("capital_rate_ratio"), years)

    def pay(line: str, when: float, amount: float) -> None:
        made.payments.append(Payment(line, when, amount))

    def vintages(line: str, bought: Mapping[int, int], price: float, included: float, net: float) -> None:
        for vintage, count in bought.items():
            listed = price * (1 + typed("price_change_ratio")) ** (vintage - 1)
            pay(line, vintage - 1, count * listed * net)
            base = listed * net if money["support_base"] == "net price" else listed
            for age in range(life):
                year = vintage + age
                if year <= years and age >= included:
                    pay("support", year - 1, count * base * typed("support_ratio"))
            lived = years - vintage + 1
            if lived < life:
                pay("resale", years, -typed("resale_ratio") * count * listed * net * (life - lived) / life)

    for kind in kinds:
        bought, owned = purchases(kind.needed, life, years)
        made.bought.append(bought)
        made.owned.append(owned)
        vintages("arrays", bought, kind.price, kind.included, 1 - typed("discount_ratio"))
        for vintage, count in bought.items():
            pay("installation", vintage - 1, count * typed("installation_cost"))
    if money["price_covers_hosts"] == "no":  # hosts age as arrays do; their price is net
        vintages("hosts", purchases(hosts, life, years)[0], typed("host_price"), kinds[0].included, 1.0)
    for year in range(1, years + 1):
        dearer = (1 + typed("cost_change_ratio")) ** (year - 1)
        pay("licences", year - 1, desktops[year - 1] * typed("licence_cost_per_desktop_year") * dearer)
        arrays = sum(owned[year - 1] for owned in made.owned)
        kilowatts = typed("power_w") / W_PER_KW * typed("pue_ratio")
        pay("power", year, arrays * kilowatts * HOURS_PER_YEAR * typed("tariff_per_kwh") * dearer)
        pay("rack", year, arrays * typed("rack_u") * typed("rack_cost_per_u_year") * dearer)
        pay("admin", year, arrays * typed("admin_h_per_year") * typed("admin_cost_per_h") * dearer)
    return made


def discounted_months(at_start: Sequence[float], at_end: Sequence[float], made: Flow) -> float:
    """Return the desktop-months of all years, each worth what the middle of its year is worth."""
    return sum(
        MONTHS * (first + last) / 2 / (1 + made.rate) ** (year + 0.5)
        for year, (first, last) in enumerate(zip(at_start, at_end, strict=True))
    )
