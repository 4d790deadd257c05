"""What runs on top of a workbook: the kernel, the engines and the commands."""
