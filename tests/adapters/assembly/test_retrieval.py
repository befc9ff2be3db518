"""What one retriever leaves out of a document, another may tell."""

from __future__ import annotations

from typing import Any


def test_a_joiner_gives_the_text_that_any_retriever_told(haystack: Any) -> None:
    root = haystack.span("Pipeline", "CHAIN", input="Q?", output="A.")
    haystack.retriever(root, {"id": "a"})
    haystack.retriever(root, {"id": "a", "content": "Up to 180 EUR."})
    haystack.span("DocumentJoiner.run", "CHAIN", root, output={"documents": [{"id": "a"}]})
    haystack.model(root)
    (passage,) = haystack.answer().passages
    assert (passage.id, passage.text) == ("a", "Up to 180 EUR.")
