"""What is typed once and looked up: the papers' arrays and profiles, the user's own, units, methods, spreads.

arrays          Arrays: those of the papers
all_arrays      All arrays: the papers' and the user's side by side
latency_points  below them: printed latencies against the curve
lists           Lists: what the following four write below each other
workloads       workloads: every profile, phase by phase
defaults        above them: what travels with a profile
provisioning    provisioning: methods, reduction, hypervisors, caches, RAID, classes, lists
general         general defaults: what an empty cell takes where no profile has a figure
share_prices    dated list prices of cloud shares, and the regions they are of
units           units: the conversion factors
my_arrays       My arrays, a card for each array of the user's own
array_details   below the cards: the lines that few data sheets print
card_rows       the rows of a card
my_profiles     My profiles
own_rows        which cells of My profiles are typed, and where
user_groups     User groups: up to six kinds of users in one design
mix             the profile that they make together, on Lists: what travels with it
mix_phases      its phases, and the share of them that was measured
measured        Measured: what a customer's own estate did
method_mix      the method that they make together
by_profile      what a published profile assumes
by_array        what an array of the papers assumes
asks            links from "enter a quote" and the like to the cells where people type it
risk            Risk inputs
phases          the phases in their order: boot, login, steady state, ...
"""
