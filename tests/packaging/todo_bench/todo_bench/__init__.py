"""A suite, a world, a driver, an agent and an exporter of somebody else, found by entry points."""
