"""What runs a command on an open workbook: found, started beside it, watched, stopped, its sheet put in."""
