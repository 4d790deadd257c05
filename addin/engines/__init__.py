"""Spreadsheet applications and files as engines under a workbook."""
