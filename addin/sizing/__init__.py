"""Questions to the formulas as they are: one design, many designs, how far an input can go. Tables out.

answers      the base design sized; the chain of cells behind a number
checks       the checks that are raised
sentence     a number in one sentence, with what sets it
scenarios    every design of the workbook; a grid around one input
whatif       combinations of inputs; every array for one workload
refusals     why a design has no answer, and who refuses it
seek         how far one input can go until a result misses its target
selected     the cell that was selected when a button was pressed
columns      results for many values of some inputs at once
listing      what can be typed, with its key
labels       what a sheet calls a cell
result_keys  which results a command shows, in their order
units        what a design is counted in: arrays or nodes
shares       how many cloud shares cost less by the month
tables       the table that every command returns
"""
