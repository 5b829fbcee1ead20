"""Reports: their types and columns, how they are stored, run and told, and dashboards of them."""
