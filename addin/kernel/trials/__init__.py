"""Passes 4 to 6 for many trials at once: trees -> operations on vectors of trials -> numpy or native code.

compile      the entry: compile_slice runs the passes, check compares trials with the scalar evaluator
fold         pass 4  trees -> operations on a tape; what no uncertain input reaches is computed at once
  forms        values that differ between trials: which kinds, when, and the operations that give them
  operators    + - * / ^ and comparisons of such values
  lowering     calls: arguments coerced, and the table of functions
  functions_*  what each function does
  one_by_one   what has no such form: the scalar evaluator's own function, one trial after the other
  tape         the operations, each simplified as it is written, and written once
  codes        errors and texts as small numbers
  operations   which operations there are
  bounds       the interval an operation lies in; proportions: what is known of two of them together
program      what the outputs need of a tape, in order
reuse        pass 5  truth values in terms of each other
emit_numpy   pass 6  operations -> lines of numpy; digits15, normal, selection, c_library are what the lines call
emit_llvm    pass 6  operations -> one loop of native code; native: that code at work
slices       a compiled slice at work: chunks, threads, and trials left to the scalar evaluator
memory       arrays laid out as processors read them fastest
"""
