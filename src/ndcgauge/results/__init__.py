"""The report document: its model, its JSON Schema, its files."""
