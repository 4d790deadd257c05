"""Further judges of the shipped workbook.

Run by name and never by default: HyperFormula and Apache POI. `names` is what Excel would offer to
repair, in tests too.
"""
