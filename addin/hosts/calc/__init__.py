"""The Calc extension: a toolbar and a menu with the ribbon's commands, in vdi-sizing.oxt.

    VdiSizing.bas     a button in LibreOffice: open a pipe, write the request to a file, run start.py
    start.py          runs in the user's Python: starts the command, or says what is missing
    description.xml   name and version of the extension
    make.py           puts them together with the buttons of addin/buttons.py

`python -m addin install --calc` adds the extension and writes the Python that it starts into ~/.vdi-sizing/calc.conf.
"""
