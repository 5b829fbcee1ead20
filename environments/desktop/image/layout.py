"""Where things are in an image, and who its user is; the drivers and the recipes agree by these names."""

from __future__ import annotations

OPT = "/opt/cuabench"
DESKTOP = f"{OPT}/desktop"  # the guest's code; a driver lays its own over it
SITE = f"{OPT}/site"  # the guest's Python libraries
APPLICATIONS = f"{OPT}/applications"  # what Debian lacks, a folder for each
USER = "user"
USER_ID = 20_777  # nobody's number on a host, so that no file of the host's is the user's
HOME = "/home/user"
STATE = "/var/lib/cuabench"  # what the guest keeps: the pristine HOME, the session's sockets
PORT = 5000  # where the guest listens, if it is not told otherwise; OSWorld's, too
