"""The way to a running LibreOffice: a client on our side, a session in the Python of the office."""

PROTOCOL = 4  # of pickle: the oldest Python of an office reads it
# With one of these set, as in a shell, the office's Python could take another's library for its own and end the office.
ANOTHER_PYTHON = ("PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
