"""pytest integration: items of suites, shards, dry runs, audits, and the run's lifecycle."""
