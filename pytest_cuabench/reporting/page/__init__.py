"""`report.html`: a run, or several side by side, as one page that needs no network and no server.

The page holds what the overview needs as JSON, and what was done in each instance as one compressed piece, which
is unpacked when somebody opens the instance. Base64 and escaped JSON cannot close the element they stand in; a
policy lets the browser run this package's own scripts only; and the scripts build every element themselves and
never read a text as markup. Separate data files would have been smaller still, but a page that is mailed or kept as
a CI artifact must be whole, and pages opened from a disk may not fetch.
"""

from pytest_cuabench.reporting.page.writing import FILE, write_report

__all__ = ["FILE", "write_report"]
