"""Pass 4, for one set of inputs: trees -> values, cell by cell. What the other road has to agree with.

walk             the walk over a tree, shared with trials/fold
evaluate         the values at its ends: Evaluator, evaluate_all
functions.csv    the safe list: which functions there are, and with how many arguments
functions        the safe list joined with what each function does
signatures       how a function takes its arguments
functions_*      what each function does, by category
special          incomplete gamma and beta functions; roots: rates of return; text_format: the formats of TEXT
"""
