"""Bytes of OTLP, protobuf and JSON, and the spans in them."""
