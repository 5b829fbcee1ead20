"""How somebody who knows Salesforce does each task of sales."""

from __future__ import annotations

from .customers_by_hand import (
    sales_001,
    sales_002,
    sales_003,
    sales_004,
    sales_005,
    sales_012,
    sales_013,
    sales_014,
    sales_015,
)
from .goods_by_hand import sales_006, sales_007, sales_008, sales_009

__all__ = [
    "sales_001",
    "sales_002",
    "sales_003",
    "sales_004",
    "sales_005",
    "sales_006",
    "sales_007",
    "sales_008",
    "sales_009",
    "sales_012",
    "sales_013",
    "sales_014",
    "sales_015",
]
