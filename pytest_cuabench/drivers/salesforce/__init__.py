"""Salesforce orgs: a client of their APIs, and resets by snapshot and difference."""
