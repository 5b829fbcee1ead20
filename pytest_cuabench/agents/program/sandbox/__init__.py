"""Where a program that plays runs: a box of bubblewrap, a container, or this computer."""
