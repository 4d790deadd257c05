"""Install the add-in on a machine, and check everything between a button and its result.

install  the ribbon add-in or the Calc extension, installed and removed
doctor   a line for each check between a button and its result
policies what of Windows stands between a button and Python, as the registry shows it
wheel    what setuptools runs to pack templates/ into a wheel
machine  system, folders and Python of the machine; invented in tests
"""
