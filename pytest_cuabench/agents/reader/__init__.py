"""A player that reads: text and frames found in pixels, a plan made of the goal's sentences, nothing else."""
