"""The document that people sign, from a workbook: one page of HTML, and the PDF that a browser prints of it.

reading            results, inputs and tables of the workbook as texts
sources            where each input comes from: status, and the paper in words
design_chapters    answer, scope, requirements, bill of materials, load, storms, after one failure
review_chapters    cost, alternatives, risk, inputs, questions, acceptance tests, sign-off
money_chapters     cost or arrays over the years, alternatives, risk
array_card         every figure of an array of the design, with its source
blocks             the records that chapters consist of
charts             SVG
theme              the looks of a company
page               chapters of a role, template, policy
templates/         the page and its style sheet
pdf                the browser that prints
"""
