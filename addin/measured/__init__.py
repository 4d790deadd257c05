"""A customer's own estate, from the files that its tools wrote: files in, tables out. Knows no workbook.

study         files in, a study out
request       what a study is made of
series        files with times, here or by workers
records       what readers hand on
found         which tool wrote a file, by what is in it
texts         encodings, separators, rows with their numbers
numbers       numbers of a text, one decimal mark a file
times         times on one clock
pdh           the csv of Windows and esxtop
perfmon       Windows perfmon, typeperf, relog
esxtop        esxtop -b
iostat        iostat -x, text and JSON
vscsistats    vscsiStats -c: mix and block size
rates         units of bytes in that csv, and what no disk does
generic       our own csv, long and wide
disk_rows     rows of it that are those of disks
headings      what --columns names of that csv
logged        the rows of a logger, into the grid
workbooks     tabs of inventories as rows
rvtools       RVTools
live_optics   Live Optics
nutanix       Nutanix Collector
reading_tabs  the tabs of all inventories, joined
inventory     machines as groups, with a preview
types         which desktop is of which type
windows       phases by clock windows and days
grid          samples added up in bins of five minutes
cleaning      which desktops and days count
thin_days     days and bins in which too few desktops have samples
uneven        desktops that lack days which others have
plausible     loads that no desktop has, one desktop under two names
estate        the measured desktops as tables
statistics    design bin, spread, error, mix, moments
phase         a phase of a study
by_type       the demand of each type by its own pilots
day           the busiest day as half hours
bootstrap     joint rows, two-level
against       measured beside sized, corrected
against_types the same by type of desktop
fio           points of an array, Little's law
"""
