"""What computes a workbook: the kernel, or formualizer for what the kernel refuses.

kernel_engine       the compiled kernel, and how many trials it can afford
formualizer_engine  formualizer, one trial after the other
"""
