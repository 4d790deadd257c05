"""One set of values: the value of a cell."""
