"""The results of commands: result sheets with native charts, pictures, texts, saved copies, hand-offs.

labels         every text of the workbook's sheets by which results read it
page           a page of results: head, bands, tables, provenance, print set-up
charts         the native charts of result sheets
risk_sheet     the sheet Risk
driver_sheets  the inputs that drive a result, with a tornado, on Risk and Sensitivity
table_sheets   the sheets Scenarios, Array comparison and Goal seek
decision_sheet the sheet Decision, with its charts
assumed_sheet  the sheet Assumed figures
list_sheets    the sheets Explanation and Audit
diff_sheet     the sheet Changes
freshness      the inputs behind a result sheet, then and now
report_text    a simulation's report as text and as JSON
plot           its picture, a PNG
plot_arrays    the picture of a comparison of arrays
saving         a result sheet written into a copy of its workbook, whole or not at all
measured_groups  machines of an inventory as lines of User groups
measured_types  rows of My profiles for types with enough pilots
measured_next  what to type after a measurement was saved
measured_tab   what a study fills the tab Measured with
measure_options  what people type to have an estate measured
measured_sections  what a study says, as lines and tables
against_sections  measured beside sized, as tables
measurement    the copy of the button Measure, and the sheet Measurement
unsaved        what was typed since a workbook was saved
measuring      what a study measured, written into a copy as a row of the user's own
sized          what a design was sized for, and the misses of the predictions
applying       changes of the live page written into a copy
carried        what was typed into a copy of an older release, written into a copy of this one
handoff        the folder of a hand-off
folders        a folder that is replaced as a whole
kept           a drawn sheet that a busy Excel does not take
document/      the document of a hand-off
slides/        its slides
"""
