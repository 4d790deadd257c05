"""Random designs by the compiled slice: one input grows, the rest stays, and results move one way."""

import numpy as np
import pytest

from addin.kernel import Address, Cells
from addin.kernel.trials.compile import compile_slice
from model.workbook import Built

FALLS, RISES = -1, 1
WAYS: dict[str, dict[str, int]] = {  # input: the way results move while it grows, whatever the rest of the design
    "latency_limit_ms": {"ratio_latency": FALLS, "arrays_for_latency": FALLS, "desktops_at_limit": RISES},
    "burst_ratio": {"peak_utilisation": RISES},
    "takeover_factor": {"ratio_largest": RISES, "desktops_at_limit": FALLS},  # moves neither
    "pvs_server_ram_gib": {"login_iops": FALLS, "ratio_latency": FALLS, "ratio_largest": FALLS},
    "desktops": {"ratio_latency": RISES, "failover_utilisation": RISES, "headroom_desktops": FALLS},
    "demand_scale_ratio": {"ratio_latency": RISES, "peak_utilisation": RISES, "desktops_at_limit": FALLS},
    "capacity_headroom_ratio": {"desktops_at_limit": FALLS},
    "arrays_installed": {"failover_utilisation": FALLS, "desktops_at_limit": RISES, "peak_utilisation": FALLS},
}
SPANS = {  # of the random designs; limits stay above every base latency
    "latency_limit_ms": (1.3, 30.0),  # CML's is 1.22 ms
    "burst_ratio": (1.0, 6.0),
    "takeover_factor": (0.5, 3.0),
    "pvs_server_ram_gib": (0.0, 64.0),
    "desktops": (1.0, 20000.0),
    "demand_scale_ratio": (0.01, 10.0),
    "capacity_headroom_ratio": (0.0, 0.9),
    "arrays_installed": (1.0, 12.0),
    "login_iops_per_desktop": (0.1, 60.0),
    "steady_read_ratio": (0.0, 1.0),
    "image_gib": (5.0, 60.0),
}
DESIGNS = 2000


@pytest.mark.slow
@pytest.mark.parametrize("failover", ["no", "yes"])
@pytest.mark.parametrize("array", ["NetApp AFF8040", "Dell Compellent SC8000"])
def test_random_designs_move_one_way(built: Built, cells: Cells, array: str, failover: str) -> None:
    """2,000 random designs per input, computed by the compiled slice: one input grows, the rest stays."""
    places = {key: Address.from_a1("!".join(built.layout.cell(key))) for ways in WAYS.values() for key in ways}
    texts = {"array": array, "failover": failover, "provisioning": "PVS"}
    inputs = {key: Address.from_a1("!".join(built.layout.typed(key))) for key in (*SPANS, *texts)}
    fixed = {inputs[key]: value for key, value in texts.items()}
    compiled = compile_slice(cells, tuple(inputs[key] for key in SPANS), tuple(places.values()), fixed)
    rng = np.random.default_rng(4)
    low, high = np.array(list(SPANS.values())).T[:, :, None]
    whole = [list(SPANS).index(key) for key in ("desktops", "arrays_installed")]
    x = rng.uniform(low, high, (len(SPANS), DESIGNS))
    x[whole] = np.rint(x[whole])
    for key, ways in WAYS.items():
        more, row = x.copy(), list(SPANS).index(key)
        more[row] += rng.uniform(0, 1, DESIGNS) * (high[row] - more[row])
        more[whole] = np.rint(more[whole])
        before, after = compiled.run(x), compiled.run(more)
        for result, way in ways.items():
            at = list(places).index(result)
            old, new = before.values[at], after.values[at]
            wrong = way * old > way * new + 1e-9 * np.abs(old)
            assert not wrong.any(), (key, result, x[:, wrong][:, 0], old[wrong][0], new[wrong][0])
