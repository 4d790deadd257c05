"""The tab of the ribbon as Excel reads it (customUI of 2006), made from addin/buttons.py."""

from itertools import groupby

from addin.buttons import BUTTONS, CANCEL, Button
from addin.xlsx.escaping import quoteattr

NAME = "VDI Sizing"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<customUI xmlns="http://schemas.microsoft.com/office/2006/01/customui">
  <ribbon>
    <tabs>
      <tab id="vdiSizingTab" label="{NAME}" keytip="V">
"""
_FOOT = """      </tab>
    </tabs>
  </ribbon>
</customUI>
"""


def tab() -> str:
    """Return the tab: a group for each run of buttons of one group; the tag of a button is its command."""
    groups = (_group(name, list(buttons)) for name, buttons in groupby(BUTTONS, lambda button: button.group))
    return _HEAD + "".join(groups) + _FOOT


def _group(name: str, buttons: list[Button]) -> str:
    head = f'        <group id="vdiSizing{name.title().replace(" ", "")}" label={quoteattr(name)}>\n'
    return head + "".join(map(_button, buttons)) + "        </group>\n"


def _button(button: Button) -> str:
    procedure = "CancelCommand" if button.key == CANCEL else "StartCommand"
    label = quoteattr(button.label)
    return (
        f'          <button id="{button.id}" tag="{button.key}" label={label} image="{button.key}" size="large" '
        f'onAction="RibbonVdiSizing.{procedure}"\n'
        f"            screentip={label} supertip={quoteattr(button.tip)} />\n"
    )
