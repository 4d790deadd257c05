"""The Calc extension: a toolbar and a menu with the ribbon's commands, in vdi-sizing.oxt.

    VdiSizing.bas     what a button does in LibreOffice: open a pipe, write the request down, run start.py
    start.py          runs in the user's Python: starts the command and says in words what is missing
    description.xml   name and version of the extension
    make.py           puts them together with the buttons of addin/buttons.py

`python -m addin install --calc` adds the extension and notes in ~/.vdi-sizing/calc.conf which Python it starts.
"""
