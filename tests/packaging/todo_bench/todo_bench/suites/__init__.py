"""The folder of suites."""
