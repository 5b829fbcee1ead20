"""The world `openemr`: OpenEMR 7.0.2, in containers or where it runs already, a site with a database of its own for each session."""

NAME = "openemr"
VERSION = "1"
