"""The tabs, one module each, in a folder for each group of them; `model.workbook` has the order of the tabs.

A folder imports only from those above it in this list. The rows of a tab are in the file of the same name that ends in
`.rows`, where there is one: `model.layout.table`.

catalogue   arrays, profiles, methods, units: what is typed once and looked up, the user's own beside the papers'
sizing      from a design to the arrays that it needs
money       cost, and the years
proof       printed results beside ours, checks, the figures that they read, Summary
front       Answer, Inputs, Compare, Cost review, About
"""
