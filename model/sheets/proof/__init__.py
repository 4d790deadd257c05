"""Printed results beside ours, and the checks with the figures that they read.

evidence       Evidence: printed results beside ours
arithmetic     below them: the papers' own sums
blocks         and the block sizes that one of them measured
sources        and below those papers and the facts in use
predictions    Predictions
calibration    below them: how often an interval of the misses was right, one paper left out
phase_spreads  below them: which phases have a spread of their own
discrepancies  below them: where a paper contradicts itself
checks         Checks
numbers        which typed cells hold figures, and how many hold something else
check_figures  the figures on Summary that checks read
summary        Summary, with the figures behind it
"""
