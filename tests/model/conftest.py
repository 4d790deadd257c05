"""What several tests of the model share."""

import pytest

from addin.kernel import Cells
from tests.support.tracing import Tracer


@pytest.fixture(scope="session")
def tracer(cells: Cells) -> Tracer:
    """Follows the workbook's results down to typed cells; computes every formula first."""
    return Tracer(cells)
