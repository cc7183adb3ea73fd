"""Every mechanism of the table, family by family."""

from __future__ import annotations

from dataclasses import replace

from literature import rows_composition, rows_noise, rows_selection, rows_sparse_vector, rows_sums
from literature.row import Row

FAMILIES: dict[str, tuple[Row, ...]] = {
    "sums": rows_sums.ROWS,
    "sparse_vector": rows_sparse_vector.ROWS,
    "selection": rows_selection.ROWS,
    "composition": rows_composition.ROWS,
    "noise": rows_noise.ROWS,
}
ROWS: tuple[Row, ...] = tuple(replace(row, family=family) for family, rows in FAMILIES.items() for row in rows)
