"""The connection to a running LibreOffice: a client in our process, a session in the Python of the office.

client             the client: one request at a time
office_server      the bridge: a script for any Python that imports `uno`
office_component   the session inside the office's process
session            a request in, a reply out
workbook_requests  requests about the office, its workbooks and sheets
cell_requests      requests about cells and names
dialogs            messages, the choice of files, a line that is typed
import_sheet       a sheet copied from one workbook into another
put_in             a drawn sheet put into a workbook without interruption, as one Undo entry
main_thread        work on the office's main thread
editing            whether a cell is being edited
application        an office without a window: convert, recalculate
recompute          LibreOffice's numbers of a saved workbook against the kernel's
"""

PROTOCOL = 4  # of pickle: the oldest Python of an office supports it
# With one of these set, as in a shell, the office's Python could load another Python's library and crash the office.
ANOTHER_PYTHON = ("PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX")
