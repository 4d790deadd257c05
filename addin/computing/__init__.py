"""What computes a workbook: the kernel, or formualizer for what the kernel refuses."""
