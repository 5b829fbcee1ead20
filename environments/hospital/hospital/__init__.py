"""GNU Health with Tryton's web client, a copy of its database for each session."""

NAME = "hospital"
VERSION = "1"
