"""The ribbon add-in for Excel, made from addin/buttons.py and RibbonVdiSizing.bas: `python -m addin.hosts.ribbon`.

    tab.py                 the tab: buttons, tips, pictures; the tag of a button is its command
    RibbonVdiSizing.bas    the buttons in Excel, before Python starts and when it is missing
    icons.txt              the pictures of the buttons
    caller.py              the calls of the buttons in Python
    make.py                puts all of it into the ribbon add-in of xlwings
    ovba.py compound.py    its file formats: VBA project, compound file

The Calc extension takes its buttons from the same table, addin/buttons.py.
"""
