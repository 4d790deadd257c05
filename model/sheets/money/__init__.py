"""What the arrays cost, year by year.

cost            Cost
growth          Growth: every year sized again
years           Years: what is bought and paid, year by year
net_cost        Net cost
"""
