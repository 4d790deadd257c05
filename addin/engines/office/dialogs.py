"""Dialogs of the office: a message, the choice of files, a line that is typed.

`service` makes a service of the office by its name; `frame` is the window that a dialog stands over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import uno

if TYPE_CHECKING:
    from collections.abc import Callable

    Service = Callable[..., Any]

FILE_OPEN = 0  # com.sun.star.ui.dialogs.TemplateDescription.FILEOPEN_SIMPLE
PRESSED_OK, PRESSED_CANCEL = 1, 2  # com.sun.star.awt.PushButtonType
WIDTH, MARGIN, LINE = 300, 6, 14  # in units of the office's dialogs, about a quarter of a letter's width


def alert(service: Service, frame: Any, prompt: str, title: str, buttons: int, kind: str) -> int:
    """Show a message box over a window and return the pressed button."""
    toolkit = service("com.sun.star.awt.Toolkit")
    of_kind = uno.Enum("com.sun.star.awt.MessageBoxType", kind)
    box = toolkit.createMessageBox(frame.ContainerWindow, of_kind, buttons, title, prompt)
    pressed = int(box.execute())
    box.dispose()
    return pressed


def choose_files(service: Service, folder: str, title: str, several: bool) -> list[str] | None:
    """Let the user choose a workbook file, or several files of any kind, from a folder on, if one is given."""
    picker = service("com.sun.star.ui.dialogs.FilePicker", FILE_OPEN)
    picker.setTitle(title)
    if several:
        picker.setMultiSelectionMode(True)
        picker.appendFilter("All files", "*.*")
    else:
        picker.appendFilter("Excel workbooks (.xlsx, .xlsm)", "*.xlsx;*.xlsm")
    if folder:
        picker.setDisplayDirectory(folder)
    chosen = picker.getSelectedFiles() if picker.execute() else ()
    return [uno.fileUrlToSystemPath(each) for each in chosen] or None


def ask_line(service: Service, frame: Any, prompt: str, title: str, suggested: str) -> str | None:
    """Let the user type a line; Return is OK, Escape is Cancel."""
    model = service("com.sun.star.awt.UnoControlDialogModel")
    model.Title, model.Width, model.Height = title, WIDTH, 5 * LINE + 4 * MARGIN

    def control(kind: str, place: tuple[int, int, int, int], **properties: Any) -> None:
        made = model.createInstance(f"com.sun.star.awt.UnoControl{kind}Model")
        made.PositionX, made.PositionY, made.Width, made.Height = place
        for name, value in properties.items():
            setattr(made, name, value)
        model.insertByName(f"{kind}{len(model.ElementNames)}", made)

    inside, below, foot = WIDTH - 2 * MARGIN, 3 * LINE + 2 * MARGIN, 4 * LINE + 3 * MARGIN
    control("FixedText", (MARGIN, MARGIN, inside, 3 * LINE), Label=prompt, MultiLine=True)
    control("Edit", (MARGIN, below, inside, LINE), Text=suggested)
    control("Button", (WIDTH - 106, foot, 48, LINE), Label="OK", PushButtonType=PRESSED_OK, DefaultButton=True)
    control("Button", (WIDTH - 54, foot, 48, LINE), Label="Cancel", PushButtonType=PRESSED_CANCEL)
    dialog = service("com.sun.star.awt.UnoControlDialog")
    dialog.setModel(model)
    dialog.createPeer(service("com.sun.star.awt.Toolkit"), frame.ContainerWindow)
    edit = dialog.getControl("Edit1")
    edit.setFocus()
    typed = edit.Text if dialog.execute() else None
    dialog.dispose()
    return typed
