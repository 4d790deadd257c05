"""Run a command on an open workbook: find it, compute beside it, show progress, cancel, insert the sheet.

launch     start a command in its own process, or ask a running one to stop
documents  find the workbook, open in Excel or Calc, or saved
runner     the command at work: progress, cancel, one message at the end
runfile    the commands at work and their documents
dialogs    messages, the choice of files, a line that is typed
notice     a line in the status bar for a moment
"""
