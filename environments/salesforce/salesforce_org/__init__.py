"""A Salesforce-like organization for offline use, each session an isolated org."""

NAME = "salesforce"
VERSION = "0.1.0"
