"""Salesforce orgs: a client of their real APIs, and resets by snapshot and difference."""
