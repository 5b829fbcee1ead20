"""SCUBA as a pytest suite: a Salesforce-like org, its data and the benchmark's tasks."""
