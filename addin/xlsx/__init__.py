"""The one room that knows the package: what a saved workbook is made of, read and written part by part."""
