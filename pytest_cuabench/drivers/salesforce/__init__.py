"""Salesforce orgs: a client over their real interfaces, and what brings an org back to where it was."""
