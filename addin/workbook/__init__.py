"""A sizing workbook as the commands see it: saved, or open in an application."""
