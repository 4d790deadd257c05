"""What may leave a workbook without prices: what every copy of a release holds, and nothing else that was typed.

marks      fingerprints of texts, formulas, numbers and names; their files: one a release, one of the build at hand
tabs       the tabs of each release and of the build at hand
releases/  the marks and the tabs of each release
about      what is typed about the document itself: project, customer, author, date
parts      parts of the file that stay at home, counted
plain      a workbook made anew from another one: cells, styles and print settings that a release has
"""
