"""The add-in put in its place on a machine, and everything between a button and its result looked at."""
