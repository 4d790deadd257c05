"""From the data files to checked records: text, rows, cells, expressions, records.

files        a file as text: encoding, line ends, separators, headings
columns      what a column may hold: references, words, ranges, units
choices      the words of each list that cells choose from
rows         rows into records, every cell checked; the one list of complaints
facts        units, papers, facts, discrepancies, and conversion between units
twins        a name mistyped where it is defined: the name that no row uses, and the rows that miss it
derive       expressions over facts: `per_desktop(EQL-088, EQL-055)`
infix        the same expressions with operators, as the workbook shows them: EQL-088 / EQL-055
latency_fit  base latency and shape of the latency curve from printed points
catalogue    records of arrays, profiles, methods, caches, RAID levels, classes
clouds       records of cloud shares, managed disks and their prices
inputs       records of inputs, of what a profile brings for them, of what-ifs
proof        records of published tests, sums, evidence, predictions, printed latencies
risk         records of uncertain inputs: distributions, the columns that each needs, correlations
records      the file of each record, and `Data`
read         the folder: every file in its order, then the records as one `Data`
cases        the value of an input in a published column
"""
