"""`report.html`: one run or several side by side, as a page that needs no network and no server.

The page holds the overview's data as JSON and the steps of each instance as a compressed block, which is unpacked
when the instance is opened. Security: Base64 and escaped JSON cannot close the element they are in; the content
security policy allows this package's own scripts only; and the scripts create every element themselves and never
parse text as markup. The data is in the page itself because pages opened from disk may not fetch files, and a page
that is mailed or kept as a CI artifact has to be complete.
"""

from pytest_cuabench.reporting.page.writing import FILE, write_report

__all__ = ["FILE", "write_report"]
