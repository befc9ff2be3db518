"""LlamaIndex: a postprocessor that drops nodes which no longer govern, before the model reads them."""

from groundwire_verify import verify
from llama_index.core import QueryBundle
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, TextNode

NODES = [
    TextNode(
        text="Hotels cost up to 150 EUR a night.",
        metadata={"doc_id": "TRV-1", "version": "2", "effective_to": "2025-12-31"},
    ),
    TextNode(text="Hotels cost up to 180 EUR a night.", metadata={"doc_id": "TRV-1", "version": "3"}),
]


class InForce(BaseNodePostprocessor):
    """Keeps the nodes that nothing speaks against."""

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        question = None if query_bundle is None else query_bundle.query_str
        return [node for node in nodes if self._in_force(question, node)]

    def _in_force(self, question: str | None, node: NodeWithScore) -> bool:
        said = verify(question, None, [{"text": node.text, "metadata": node.metadata}])
        return said.verdict not in ("stale", "superseded", "not_permitted")


if __name__ == "__main__":
    retrieved = [NodeWithScore(node=node, score=0.9) for node in NODES]
    for node in InForce().postprocess_nodes(retrieved, QueryBundle("What may a hotel cost?")):
        print(node.text)
