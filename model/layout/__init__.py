"""How a sheet is laid out: lines, cells, names, styles, charts."""
