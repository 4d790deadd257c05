"""The applications that hold the buttons."""
