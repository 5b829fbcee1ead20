"""The world `openemr`: OpenEMR 7.0.2, in containers or where it runs already; each session has a site and database."""

NAME = "openemr"
VERSION = "1"
