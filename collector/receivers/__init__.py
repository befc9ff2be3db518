"""OTLP over HTTP and gRPC, and the Langfuse SDK endpoint: requests are checked and stored before they are answered."""
