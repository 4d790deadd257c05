"""Many trials at a time: a slice of a workbook compiled to one function."""
