"""Five slides of a design with native charts: answer, alternatives, what limits, risk, cost. The extra [slides].

presentation  a workbook as a file of slides
content       what each slide says, in the workbook's own texts
records       a slide and its parts
deck          the presentation: one layout, the colours of a company's theme
drawing       a slide drawn: title, tables, points, charts in their boxes
charts        native charts, each with a workbook of its figures
fitting       the size at which texts fit a box
package       the same bytes for the same slides
"""
