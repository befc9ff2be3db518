"""The pages that the agent serves to people: one module and one template a page, over what the API serves."""
