"""The dialect of OpenLLMetry: Traceloop's instrumentations of frameworks, clients and vector stores, and its SDK."""
