"""Put the add-in in its place on a machine; look at everything between a button and its result.

install  the ribbon add-in or the Calc extension, put in place and taken away
doctor   one line for each thing between a button and its result
machine  system, folders and Python of the machine; made up in tests
"""
