"""The ribbon add-in for Excel: addin/buttons.py and RibbonVdiSizing.bas are its sources, `python -m addin.hosts.ribbon`
makes it.

    tab.py                 the tab: buttons, tips, pictures; the tag of a button is the command it starts
    RibbonVdiSizing.bas    what the buttons do in Excel, before Python is there and when it is missing
    icons.txt              the pictures of the buttons
    caller.py              what the buttons call in Python
    make.py                puts them into the ribbon add-in that xlwings ships
    ovba.py compound.py    its file formats: VBA project, compound file

The Calc extension takes its buttons from the same table, addin/buttons.py.
"""
