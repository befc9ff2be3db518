"""`groundwire retrieval`: recorded questions put to another index or retriever, before it serves anybody."""
