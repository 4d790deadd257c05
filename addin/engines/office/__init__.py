"""The way to a running LibreOffice: a client on our side, a session in the Python of the office.

client             the session on our side, one request at a time
office_server      the script at the other end, for any Python that imports `uno`
office_component   the same session in the office's own process
session            a request in, a reply out
workbook_requests  requests about the office, its workbooks and sheets
cell_requests      requests about cells and names
import_sheet       a sheet copied from one workbook into another
put_in             a drawn sheet put into a workbook in one turn, as one entry of Undo
main_thread        work on the office's main thread
editing            whether somebody is typing into a cell
application        an office without a window: convert, recalculate
recompute          LibreOffice's numbers of a saved workbook against the kernel's
"""

PROTOCOL = 4  # of pickle: the oldest Python of an office reads it
# With one of these set, as in a shell, the office's Python could take another's library for its own and end the office.
ANOTHER_PYTHON = ("PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
