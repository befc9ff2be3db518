"""What Phoenix gives back of the spans it was sent: by its REST API, and in the files its client writes."""

from adapters.exports.phoenix.export import PARQUET, PARQUET_HINT, is_record, spans_of_records
from adapters.exports.phoenix.spans import LOST_BY_API, is_span, spans_of_rows

__all__ = ["LOST_BY_API", "PARQUET", "PARQUET_HINT", "is_record", "is_span", "spans_of_records", "spans_of_rows"]
