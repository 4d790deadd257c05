"""What runs on top of a workbook: the kernel, the engines and the commands."""

import os

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes
