"""What a reply does that holds no answer: it declines, abstains, refers elsewhere, greets; a table by language."""
