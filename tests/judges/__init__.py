"""Further judges of the shipped workbook, run by name and never by default: HyperFormula and Apache POI."""
