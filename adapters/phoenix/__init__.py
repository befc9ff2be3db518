"""What Phoenix gives back of the spans it was sent: by its REST API, and in the files its client writes."""

from adapters.phoenix.export import is_export, rows_of_csv, rows_of_table
from adapters.phoenix.spans import LOST_BY_API, is_span, spans_of_rows

__all__ = ["LOST_BY_API", "is_export", "is_span", "rows_of_csv", "rows_of_table", "spans_of_rows"]
