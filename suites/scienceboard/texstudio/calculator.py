"""What hands do in KAlgebra when it runs beside TeXstudio."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
