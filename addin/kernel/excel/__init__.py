"""What every pass takes for granted: Excel's values and its arithmetic, one value at a time.

values        the kinds of value, and how one becomes another
separators    decimal and thousands separators of texts
text_numbers  text that reads as a number: 1,000 or 50% or a date
serials       days as numbers, 29 February 1900 included
rounding      15 significant digits, and the roundings that look at them
comparison    the order of values: operators, lookups, criteria
"""
