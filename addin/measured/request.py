"""What a study is made of: files and how they are read, phases, the estate, the demand that is wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from addin.measured import bootstrap
from addin.measured.records import Options
from addin.measured.types import Types
from addin.measured.windows import Plan


@dataclass(frozen=True)
class Request:
    """What a study is made of: files, how they are read, phases, the estate, what the demand is to be."""

    files: tuple[Path, ...]
    options: Options
    plan: Plan | None
    types: Types = field(default_factory=Types)
    estate: float = 0.0
    statistic: str = "max"
    least_coverage: float = 0.9
    settled: bool = False
    write_weight: float = 2.7
    method: str = ""
    system: str = ""
    rows: int = bootstrap.DEFAULT
    seed: int = bootstrap.SEED
