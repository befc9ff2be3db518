"""Haystack: a component behind the generator that passes on the replies its documents carry."""

from groundwire_verify import verify
from haystack import Document, Pipeline, component

DOCUMENTS = [Document(content="Hotels cost up to 180 EUR a night.", meta={"doc_id": "TRV-1", "version": "3"})]
REPLIES = ["Up to 180 EUR a night.", "Up to 250 EUR a night."]


@component
class Guard:
    """Splits replies into those that may be shown and those that may not."""

    @component.output_types(shown=list[str], withheld=list[str])
    def run(self, question: str, replies: list[str], documents: list[Document]) -> dict[str, list[str]]:
        """Verify each reply."""
        passages = [{"content": each.content, "meta": each.meta} for each in documents]
        safe = {reply for reply in replies if verify(question, reply, passages).safe}
        return {
            "shown": [reply for reply in replies if reply in safe],
            "withheld": [reply for reply in replies if reply not in safe],
        }


if __name__ == "__main__":
    pipeline = Pipeline()
    pipeline.add_component("guard", Guard())
    asked = {"question": "What may a hotel cost?", "replies": REPLIES, "documents": DOCUMENTS}
    print(pipeline.run({"guard": asked})["guard"])
