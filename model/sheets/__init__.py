"""One module per tab; the order of the tabs stands in `model.workbook`."""
