"""From the data files to checked records."""
