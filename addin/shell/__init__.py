"""The same commands from a shell.

main              the commands, their options and exit codes
printed           the output of each command
decision_text     the output of `decide`
json_documents    the output of `--json`
schemas/          the schema of each JSON document
result_sheet      `--sheet`: put the result sheet into the workbook
saved             the command that writes a copy
stored_file       `audit --stored`: stored results against the kernel, as a file
proof             its text
new_command       `new`
diff_command      `diff` and `text`
diff_text         the output of `diff`
measure_command   `measure` and `measure-array`
measured_text     their output
against_text      the output of `measure --against`
cluster_options   `--cluster`, of `simulate` and `measure`
install_commands  `install`, `uninstall` and `doctor`
waiting           a line of progress on a terminal
"""
