"""Run a command on an open workbook: find it, compute beside it, show progress, cancel, insert the sheet.

launch     start a command in a process of its own, or ask the running one to stop
documents  find the workbook, open in Excel or Calc, or saved
runner     the command at work: progress, cancel, one message at the end
runfile    which commands run on which documents
dialogs    questions and messages in a window
notice     a line in the status bar for a moment
"""
