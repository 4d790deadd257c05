"""Monte Carlo: uncertain inputs drawn, the formulas of the workbook on every draw, statistics of the results.

montecarlo        the entry: read, prepare, run, report
preparing         what a run is made of: results in numbers, compiled slice, bins of a pilot run
risk              the sheet Risk inputs of any copy, read
spreads           distributions with their parameters and bounds
sampling          uniform draws: Sobol, Latin hypercube, random
sobol_directions  direction numbers of 256 dimensions
quantiles         inverse distribution functions on arrays
joint_rows        joint rows of Measured, one per trial
method_reduction  data reduction between the low and the high figure of the design's method
demand_class      the spread of a profile by its class: measured here, published, typed
correlation       rank correlation by a Gaussian copula
trials            what computes a chunk: draws, spreads, correlation, kernel
chunks            the chunks of a run, on a thread, a process or a node
native/           the loop around the kernel in native code
runs              chunks on an executor, merged in order, until done or precise enough
cluster           a Dask cluster as executor
summaries         counts, exact sums, extremes and errors of the trials so far
exact_sums        sums of floats without rounding, the same in any order
statistics        percentiles, probabilities and error bars from a summary
histogram         at most 20 bars on rounded edges
sensitivity       Sobol indices, rank correlation, conditional means
swings            one input at a time at its P10 and P90
decide            what to buy, how sure, and what to find out first
turning           the quote at which the choice changes
designs           an array and a number bought on day one: its cost in every trial
stakes            what a wrong number of arrays costs, as it is typed
information       value of information: arrays in, arrays out
finding_out       what is worth finding out first, and how it is found out
decision_tables   a decision in tables and sentences
decision_words    its chances and amounts in words
assumed           every assumed figure at both ends of its range
report            the results as frozen records
remarks           what a report says beside its figures
"""
