"""The same commands from a shell."""
