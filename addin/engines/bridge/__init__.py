"""The way to a running LibreOffice: a client on our side, a conversation in the Python of the office."""
