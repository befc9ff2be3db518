"""Another index or retriever, judged by recorded answers: what support they would lose, before it serves anybody."""
