"""The document that people sign, from a workbook: one page of HTML, and the PDF that a browser prints of it.

reading            results, inputs and tables of the workbook as texts
sources            where each input comes from: status, and the paper in words
design_chapters    answer, scope, requirements, bill of materials, load, storms, after one failure
review_chapters    cost, alternatives, risk, inputs, questions, acceptance tests, sign-off
charts             SVG
theme              the looks of a company
page               chapters of a role, template, policy
pdf                the browser that prints
"""
