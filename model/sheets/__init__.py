"""One module a tab, and the parts that several tabs share; `model.workbook` has the order of the tabs.

The rows of a tab are in the file of the same name that ends in `.rows`, where there is one: `model.layout.table`.

Front
answer            Answer, the first sheet
asks              links from "enter a quote" and the like to the cells where people type it
inputs            Inputs and More inputs
numbers           which typed cells hold figures, and how many hold something else
my_arrays         My arrays, a card for each array of the user's own
array_details     below the cards: the lines that few data sheets print
card_rows         the rows of a card
my_profiles       My profiles
own_rows          which cells of My profiles are typed, and where
compare           Compare: the designs ranked, and the banner's words
compare_charts    its charts
compare_shares    the shares that the chart on Answer draws
cost_review       Cost review: the cost of one design, year by year
risk              Risk inputs
summary           Summary, with the figures behind it
check_figures     the figures on Summary that checks read
about             About

Catalogue
arrays            Arrays: those of the papers
all_arrays        All arrays: the papers' and the user's side by side
latency_points    below them: printed latencies against the curve
lists             Lists: what the following four write below each other
workloads         workloads: every profile, phase by phase
defaults          above them: what travels with a profile
provisioning      provisioning: methods, reduction, hypervisors, caches, RAID, classes, lists
general           general defaults: what an empty cell takes where no profile has a figure
units             units: the conversion factors

Sizing
design            Design: the value that each design uses
phases            the phases in their order
capacity          Capacity
demand            Demand: boot, logins, both together, log-off, patching, provisioning, a scheduled load
work              the work of a desktop in a phase
performance       Performance: throughput, and what an array can serve
containers        Containers: profile containers, and an array for them alone
sizing            Sizing: demand over supply, the arrays, what limits
constraints       the constraints, one entry each
unchecked         what is missing of the demand, phase by phase
by_profile        what a published profile assumes
latency           Latency
card_checks       what a data sheet leaves open, rows of Latency
storms            Storms: what is served of each phase, and for how long
timeline          Timeline: the logins step by step
growth            Growth: every year sized again
outcome           Outcome: normal operation and after a failure, side by side; what to ask a vendor for
assumed           the assumed figures that decide
ends              how many arrays with assumed figures at an end of their ranges, several at once

Money
cost              Cost
years             Years: what is bought and paid, year by year
net_cost          Net cost
reconciliation    from the list price to what is paid and what it is worth today

Proof
evidence          Evidence: printed results beside ours
arithmetic        below them: the papers' own sums
blocks            and the block sizes that one of them measured
sources           and below those papers and the facts in use
predictions       Predictions
discrepancies     below them: where a paper contradicts itself
checks            Checks
"""
