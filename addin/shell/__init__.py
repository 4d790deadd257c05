"""The same commands from a shell.

main              the commands, their options and exit codes
printed           what each command prints
documents         what `--json` prints
schemas/          the schema of each JSON document
result_sheet      `--sheet`: put the result sheet into the workbook
saved             commands that write a copy
diff_command      `diff` and `text`
diff_text         what `diff` prints
measure_command   `measure` and `measure-array`
measured_text     what they print
install_commands  `install`, `uninstall` and `doctor`
waiting           time gone and work left, on a terminal
"""
