"""Settings of every test run."""

import os

import hypothesis

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes

hypothesis.settings.register_profile("house", derandomize=True, deadline=None)  # same cases on every machine
hypothesis.settings.load_profile("house")
