"""The dialect of Langfuse's SDKs, sent over OTLP or read back from Langfuse's API and exports."""
