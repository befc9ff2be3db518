"""The OpenInference dialect: LangChain, LlamaIndex, Haystack and many others."""
