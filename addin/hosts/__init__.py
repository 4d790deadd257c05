"""The applications with the buttons.

ribbon/  the tab in Excel
calc/    the toolbar and the menu in Calc
"""
