"""Pass 4, for one set of inputs: trees -> values, cell by cell. What many trials have to agree with.

evaluate         the pass: Evaluator, shared_evaluator, evaluate_all
variants         many values of a few cells: the rest is computed once
walk             the walk over a tree, shared with trials/fold
operators        + - * / ^ & and comparisons of two values
functions.csv    the safe list: which functions there are, and with how many arguments
functions        the safe list joined with what each function does
signatures       how a function takes its arguments
functions_*      what each function does, by category
special          incomplete gamma and beta functions; roots: rates of return; text_format: the formats of TEXT
"""
