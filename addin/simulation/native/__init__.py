"""The loop around the kernel in native code: the numbers of numpy, byte for byte, several times as fast.

loop         the entry: a job as records, and its chunks; what has no native form goes through numpy
chunk        the native function of a chunk: each replicate through inputs, slice, verdict and counts
  drawing    Sobol words and inverse distribution functions
  counting   counts, extremes, exact sums and errors of a result
records      what native code is told, in fields of eight bytes
writing      LLVM's language written as one writes numpy
"""
