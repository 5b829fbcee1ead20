"""PyMOL: proteins of two chains with a ligand and waters, which differ on every seed."""
