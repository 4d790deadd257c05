"""From a design to the arrays that it needs: what is stored, what is asked, what one array serves, what limits.

design       Design: the value that each design uses
capacity     Capacity
stored_ends  how much more assumed figures at an end of their ranges would store, rows of Capacity
demand       Demand: boot, logins, both together, log-off, patching, provisioning, a scheduled load
work         the work of a desktop in a phase
performance  Performance: throughput, and what an array can serve
containers   Containers: profile containers, and an array for them alone
shares       Shares: profile containers on cloud file shares, machines on managed disks; one formula for all of a kind
sizing       Sizing: demand over supply, the arrays, what limits
constraints  the constraints, one entry each
unchecked    what is missing of the demand, phase by phase
latency      Latency
card_checks  what a data sheet leaves open, rows of Latency
storms       Storms: what is served of each phase, and for how long
timeline     Timeline: the logins step by step
outcome      Outcome: normal operation and after a failure, side by side; what to ask a vendor for
assumed      the assumed figures that decide
ends         how many arrays with assumed figures at an end of their ranges, several at once
"""
