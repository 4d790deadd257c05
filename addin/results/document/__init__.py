"""The document to sign, made from a workbook: one page of HTML, and a PDF of it printed by a browser.

reading            the workbook as the chapters read it
sources            the source of each input: status, and the paper in words
short_chapter      the first page: answer, cost, what could change it, what is assumed, who signs
design_chapters    answer, scope
load_chapters      requirements, load phase by phase, storms, after one failure
materials_chapter  bill of materials, what one array has, what a quote must say
review_chapters    cost, alternatives, risk, inputs, questions, acceptance tests, checks
money_chapters     cost or arrays over the years, alternatives, risk
load_lines         the lines of fio and DiskSpd behind the acceptance tests
typed_lines        what the sheet Hand-off has, in the chapters where it belongs
why_chapter        why this design: the saved decision
papers_chapter     the appendix: contradictions in the papers, printed results that differ
array_card         every figure of the design's array, with its source
blocks             the blocks of a chapter
charts             SVG
diagram            pictures of the design before and after a failure, and of its day
theme              the theme of a company
page               chapters of a role, template, policy
templates/         the page and its style sheet
pdf                the PDF, printed by a browser
"""
