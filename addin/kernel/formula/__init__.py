"""From the text of a formula to a tree, and from trees to the order of the cells."""
