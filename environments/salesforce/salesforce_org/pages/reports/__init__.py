"""Pages of reports and dashboards: the lists of both, their builders, and what a run shows."""
