"""Write the table of the page's texts anew, after one of them has changed: python -m addin.live."""

from pathlib import Path

from addin.live.texts import TABLE, made

if __name__ == "__main__":
    Path(__file__).with_name("assets").joinpath(TABLE).write_text(made(), encoding="utf-8")
