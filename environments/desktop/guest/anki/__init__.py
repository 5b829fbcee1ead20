"""What runs inside the desktop with Anki's own Python library: the making of a collection, and the reading of one."""
