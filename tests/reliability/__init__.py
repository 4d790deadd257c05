"""What is tried to break the product, at any scale: `python -m tests.reliability` prints the table of the document."""
