"""The stock window: everything on the shelf."""

from starlette.responses import Response

from clinic.toolkit import workstation
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the stock that matches the search."""
    search = visit.query.get("q", "").strip()
    stock = visit.db.execute("SELECT * FROM stock ORDER BY drug, expires_on").fetchall()
    words = search.casefold().split()
    found = [row for row in stock if all(word in f"{row['drug']} {row['lot']}".casefold() for word in words)]
    workstation.show(visit, "stock")
    return visit.render("stock.html", stock=found, search=search)
