"""Other applications that recompute a workbook, and the comparison of what they find. Judges, never sources."""
