"""What several tests of the model share."""

import pytest

from tests.support.shipped import built_cells
from tests.support.tracing import Tracer


@pytest.fixture(scope="session")
def tracer() -> Tracer:
    """Follows the shipped workbook's results down to typed cells; computes every formula first."""
    return Tracer(built_cells())
