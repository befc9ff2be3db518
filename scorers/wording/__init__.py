"""How things are said: how an answer declines or abstains, a question asks of today, a sentence gives an order."""
