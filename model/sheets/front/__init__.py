"""The pages that people open first: answer, inputs, comparison, cost, what the workbook is.

answer          Answer, the first sheet
inputs          Inputs and More inputs
compare         Compare: the designs ranked, and the banner's words
compare_answer  the figures of the base design that Answer shows
compare_charts  its charts
compare_shares  the shares that the chart on Answer draws
cost_review     Cost review: the cost of one design, year by year
sign_off        below it: who signs
hand_off        Hand-off: what the sizing does not decide, figures to monitor
about           About
"""
