"""Make the ribbon add-in: `python -m addin.hosts.ribbon --out templates`. Exit 0 = written, 2 = not."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from addin.errors import AddinError
from addin.hosts.ribbon.make import FILE, write_ribbon


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the add-in into a folder and name it."""
    parser = argparse.ArgumentParser(
        prog="python -m addin.hosts.ribbon",
        description=__doc__,
        epilog="example: python -m addin.hosts.ribbon --out templates",
    )
    parser.add_argument("--out", type=Path, default=Path("templates"), help="folder to write into (default: templates)")
    out = parser.parse_args(arguments).out
    try:
        if not out.is_dir():
            raise AddinError(f"--out {out}: there is no such folder. Make it, or name another.")
        print(f"Wrote {write_ribbon(out / FILE)}")
    except AddinError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
