"""Run a command on an open workbook: find the workbook, compute beside it, show progress, stop, insert the sheet."""
