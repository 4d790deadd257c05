"""The sizing model: data files and declared formulas in, one formula-driven workbook out."""
