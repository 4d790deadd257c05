"""Questions to the formulas as they stand: one design, many designs, how far an input can go. A book in, tables out."""
