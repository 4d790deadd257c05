"""Measured, not tested: run by name."""
