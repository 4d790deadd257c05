"""The loop around the kernel in native code: draws, slice, verdict, counts and sums, block by block."""
