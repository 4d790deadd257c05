"""Monte Carlo: uncertain inputs drawn, the workbook's own formulas on every draw, statistics of what comes out."""
