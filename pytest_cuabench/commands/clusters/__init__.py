"""Play the shards of a run under a scheduler that others keep: Slurm's job arrays, Kubernetes' indexed jobs."""
