"""Flows of their own: each module answers `/lightning/r/<Object>/<id>/<flow>`, as a layout's `actions` name it.

`convert` is the pattern: GET answers with a dialog, POST with the dialog and what is wrong, or goes on.
"""
